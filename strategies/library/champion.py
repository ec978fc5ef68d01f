"""Champion: the evaluator with weights tuned for the number of players, in the 2nd edition."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.strategies.api import strategy
from ethnos_sim.strategies.library.evaluator import WEIGHTS, evaluator

evaluators_turn = kernel(evaluator.functions["turn"])


@strategy(*WEIGHTS, tuned="champion.toml")
def champion(view, parameters):
    """Values positions by the evaluator's rules of thumb, with weights tuned to win most games.

    For each number of players of the 2nd edition, CMA-ES (Hansen and Ostermeier 2001) searched for
    weights against a table of evaluator, duelist, majority and spreader. The file of tuned
    parameters has the win share that the weights reached on new deals. In the 1st edition no search
    found better weights than the evaluator's, so it plays there as evaluator does.

    It does not change any more: stronger players are measured against it.

    Bad at: the same things as the evaluator, and rivals unlike the strategies that it was tuned
    against.
    """
    return evaluators_turn(view, parameters)


for _question, _function in evaluator.functions.items():
    if _question != "turn":
        getattr(champion, _question)(_function)
