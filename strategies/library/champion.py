"""Champion: the evaluator with weights tuned for the number of players, in the 2nd edition."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.strategies.api import strategy
from ethnos_sim.strategies.library.evaluator import WEIGHTS, evaluator

evaluators_turn = kernel(evaluator.functions["turn"])


@strategy(*WEIGHTS, looks_at_rivals=True, tuned="champion.toml")
def champion(view, parameters):
    """Plays the evaluator's game with the weights that won most in tuning.

    For each number of players of the 2nd edition `ethnos-sim strategies tune evaluator` searched
    the weights against a table of evaluator, duelist, majority and spreader; the file of tuned
    parameters keeps each command and the share that it reached on deals no search had seen. In the
    1st edition no search found better weights than the evaluator's own, so it plays as evaluator
    does. CMA-ES is Hansen's and Ostermeier's (2001).

    It stays as it is: the yardstick by which stronger players are measured, and no longer the
    strongest itself.

    Bad at: what the evaluator is bad at, and opponents unlike those it was tuned against.
    """
    return evaluators_turn(view, parameters)


for _question, _function in evaluator.functions.items():
    if _question != "turn":
        getattr(champion, _question)(_function)
champion.worth(evaluator.valuations["worth"])
