"""Careless with Bruno: greedy's turns, and chance for every choice that is Bruno's."""

from __future__ import annotations

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.library.greedy import greedy
from ethnos_sim.strategies.library.random_ import random_

greedys_turn = kernel(greedy.functions["turn"])


@strategy(
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
    looks_at_rivals=True,
)
def careless_with_bruno(view, parameters):
    """Takes greedy's turns, and leaves every choice for Chief Bruno to chance.

    Which card he gets, who leads his parties, where his free markers go, what leaves his columns
    and whether it comes to hand: each is drawn evenly. It is the middle of the scale between
    `kind_to_bruno` and `hard_on_bruno`, which take the same turns.

    Bad at: whatever a look at Bruno's columns would tell.
    """
    return greedys_turn(view, parameters)


for question in ("bruno_card", "bruno_leader", "bruno_region", "bruno_release", "bruno_steal"):
    getattr(careless_with_bruno, question)(random_.functions[question])
