"""Kind to Bruno: greedy's turns, and every choice for Bruno in his favor."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.records import NONE
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.library.greedy import greedy
from ethnos_sim.strategies.toolkit.bruno import (
    bruno_marker_gain,
    leader_for_bruno,
    offered_card,
)

greedys_turn = kernel(greedy.functions["turn"])


@strategy(
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
    looks_at_rivals=True,
    solo=True,
)
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
    best = np.int64(NONE)
    best_value = np.int64(0)
    options = view.options
    while options != np.uint64(0):
        slot = lowest(options)
        options &= options - ONE
        value = np.int64(leader_for_bruno(view, slot, view.limit))
        if best == NONE or value > best_value:
            best_value = value
            best = slot
    return best


@kind_to_bruno.bruno_region
def where_it_helps_him(view):
    """The region where a marker brings him most."""
    best = np.int64(NONE)
    best_value = np.int64(0)
    options = view.options
    while options != np.uint64(0):
        region = lowest(options)
        options &= options - ONE
        value = np.int64(bruno_marker_gain(view, region))
        if best == NONE or value > best_value:
            best_value = value
            best = region
    return best


@kind_to_bruno.bruno_release
def what_he_misses_least(view):
    """The card whose column brings him least."""
    return offered_card(view, -1)


@kind_to_bruno.bruno_steal
def leave_it(view):
    """Leave the card on the table."""
    return False
