"""Greedy's turns with three ways to choose for Bruno, to measure what these choices matter."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.library.greedy import greedy
from ethnos_sim.strategies.library.random_ import random_
from ethnos_sim.strategies.toolkit.answers import a_harmless_card, a_leader_well_spent
from ethnos_sim.strategies.toolkit.bruno import leader_for_bruno, offered_card, region_for_bruno
from ethnos_sim.strategies.toolkit.choosing import best_of

greedys_turn = kernel(greedy.functions["turn"])


@strategy(*greedy.parameters, looks_at_rivals=True)
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


@strategy(
    *greedy.parameters,
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


hard_on_bruno.bruno_card(a_harmless_card)
hard_on_bruno.bruno_leader(a_leader_well_spent)


@strategy(*greedy.parameters, looks_at_rivals=True, solo=True)
def kind_to_bruno(view, parameters):
    """Takes greedy's turns, and chooses for Chief Bruno as he would for himself.

    He gets the card that brings his columns most, his parties the leader that brings most, his free
    markers the best region; from his columns goes what he misses least, and nothing is taken into
    hand. It is the other end of the scale from `hard_on_bruno`, which takes the same turns.

    Bad at: beating Bruno, which it does not try.
    """
    return greedys_turn(view, parameters)


@kind_to_bruno.bruno_card
def what_helps_him(view):
    """The card that brings him most."""
    return offered_card(view, 1)


@kind_to_bruno.bruno_leader
def who_helps_him(view):
    """The leader that brings him most."""
    return best_of(view, view.options, leader_for_bruno, view.limit)[0]


@kind_to_bruno.bruno_region
def where_it_helps_him(view):
    """The region where a marker brings him most."""
    return region_for_bruno(view, 1)


@kind_to_bruno.bruno_release
def what_he_misses_least(view):
    """The card whose column brings him least."""
    return offered_card(view, -1)


@kind_to_bruno.bruno_steal
def leave_it(view):
    """Leave the card on the table."""
    return False
