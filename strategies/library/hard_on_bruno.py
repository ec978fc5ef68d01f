"""Hard on Bruno: greedy's turns, and every choice for Bruno against him."""

from __future__ import annotations

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.library.greedy import greedy
from ethnos_sim.strategies.toolkit.warding import harmless_card, spent_leader

greedys_turn = kernel(greedy.functions["turn"])


@strategy(
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
    Parameter("distance", 3.6, 0.1, 10, "how much less a column counts for each card it lacks"),
    Parameter("use", 0.75, 0, 5, "cost of giving Bruno a card, for each companion in hand"),
    Parameter("thrift", 0.9, 0, 2, "weight of what it saves to have a leader turned down"),
    looks_at_rivals=True,
    solo=True,
)
def hard_on_bruno(view, parameters):
    """Takes greedy's turns, and chooses against Chief Bruno wherever a choice for him is its own.

    Bruno gets the card that brings his columns least and that the own hand wants least; his strong
    leaders are spent on his small parties. Beside `greedy`, `kind_to_bruno` and
    `careless_with_bruno`, which take the same turns, it shows how much these choices matter.

    Bad at: seeing that its own turns feed Bruno. It takes pool cards as greedy does, also in a hard
    game, where each of them hands him two.
    """
    return greedys_turn(view, parameters)


@hard_on_bruno.bruno_card
def a_harmless_card(view, parameters):
    """The card that costs least to give away."""
    return harmless_card(view, view.offered_once, parameters.distance, parameters.use)[0]


@hard_on_bruno.bruno_leader
def a_leader_well_spent(view, parameters):
    """The leader that this party makes least of."""
    return spent_leader(view, parameters.thrift)
