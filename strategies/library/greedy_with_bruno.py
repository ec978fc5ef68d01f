"""Greedy's turns with three ways to choose for Bruno, to measure how much these choices matter."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.library.greedy import greedy
from ethnos_sim.strategies.library.random_ import random_
from ethnos_sim.strategies.toolkit.answers import a_harmless_card, a_leader_well_spent
from ethnos_sim.strategies.toolkit.bruno import leader_for_bruno, offered_card, region_for_bruno
from ethnos_sim.strategies.toolkit.choosing import best_of

greedys_turn = kernel(greedy.functions["turn"])
harmless_card = kernel(a_harmless_card)
spent_leader = kernel(a_leader_well_spent)
any_offer = kernel(random_.functions["bruno_card"])
any_option = kernel(random_.functions["bruno_region"])
perhaps = kernel(random_.functions["bruno_steal"])


@strategy(
    *greedy.parameters,
    Parameter(
        "kindness", -1, -1, 1, "below 0 it chooses against Bruno, above 0 for him, at 0 at random"
    ),
    Parameter("distance", 3.6, 0.1, 10, "how much each missing card lowers the worth of a gift"),
    Parameter("use", 0.75, 0, 5, "prestige that a gift costs for each card in hand that it joins"),
    Parameter("thrift", 0.9, 0, 2, "weight of the prestige saved by turning a leader down"),
    looks_at_rivals=True,
    solo=True,
)
def greedy_with_bruno(view, parameters):
    """Takes greedy's turns; where it chooses for Chief Bruno, it takes what helps him least.

    Bruno gets the card that adds least to his columns and that this player's hand needs least. His
    strong leaders are spent on his small parties. With `kindness=1` it takes what helps Bruno most,
    and none of his cards into hand. With `kindness=0` it chooses at random.
    Compared with `greedy`, which takes the same turns, it shows how much these choices matter.

    Bad at: noticing that its turns feed Bruno. It takes pool cards as greedy does, also in a hard
    game, where each of them gives him two cards.
    """
    return greedys_turn(view, parameters)


@greedy_with_bruno.bruno_card
def a_card(view, parameters, rng):
    """The card that brings Bruno least or most, or a random card, by `kindness`."""
    if parameters.kindness < 0:
        return harmless_card(view, parameters)
    return any_offer(view, rng) if parameters.kindness == 0 else offered_card(view, 1)


@greedy_with_bruno.bruno_leader
def a_leader(view, parameters, rng):
    """The leader that brings Bruno least or most, or a random leader, by `kindness`."""
    if parameters.kindness < 0:
        return spent_leader(view, parameters)
    if parameters.kindness == 0:
        return any_option(view, rng)
    return best_of(view, view.options, leader_for_bruno, view.limit)[0]


@greedy_with_bruno.bruno_region
def a_region(view, parameters, rng):
    """The region where a marker brings Bruno least or most, or a random region, by `kindness`."""
    if parameters.kindness == 0:
        return any_option(view, rng)
    return region_for_bruno(view, 1 if parameters.kindness > 0 else -1)


@greedy_with_bruno.bruno_release
def a_loss(view, parameters, rng):
    """A card of the column that brings Bruno most or least, or a random card, by `kindness`."""
    if parameters.kindness == 0:
        return any_offer(view, rng)
    return offered_card(view, -1 if parameters.kindness > 0 else 1)


@greedy_with_bruno.bruno_steal
def into_hand(view, parameters, rng):
    """Take the card into hand or leave it, or choose at random, by `kindness`."""
    return perhaps(view, rng) if parameters.kindness == 0 else parameters.kindness < 0
