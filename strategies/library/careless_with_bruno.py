"""Careless with Bruno: greedy's turns, and chance for every choice that is Bruno's."""

from __future__ import annotations

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.library.greedy import greedy
from ethnos_sim.strategies.library.random_ import random_offer, random_option
from ethnos_sim.strategies.toolkit import random_chance

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


@careless_with_bruno.bruno_card
def any_card_for_bruno(view, rng):
    """Any card that he may get."""
    return random_offer(view, rng)


@careless_with_bruno.bruno_leader
def any_leader_for_bruno(view, rng):
    """Any leader that lies face up."""
    return random_option(view, rng)


@careless_with_bruno.bruno_region
def any_region_for_bruno(view, rng):
    """Any of the regions that he likes equally."""
    return random_option(view, rng)


@careless_with_bruno.bruno_release
def any_release(view, rng):
    """Any card of his columns."""
    return random_offer(view, rng)


@careless_with_bruno.bruno_steal
def maybe_steal(rng):
    """A coin's throw."""
    return random_chance(rng, 0.5)
