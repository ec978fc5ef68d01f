"""Spreader: many small parties, a marker each."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.records import NONE, REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    cards_in_hand,
    gather,
    hand_is_full,
    larger_group,
    last_dragon_next,
    markers_needed,
    play,
    region_open,
    take_or_draw,
)


@kernel
def small_parties(view):
    """The party with the cheapest marker, the cards that marker needs, and the largest party.

    Of equally cheap markers the party with more cards, then the region with the higher last award.
    The leader is -1 where no party places a marker, or none can be played.
    """
    cheapest = np.int64(NONE)
    cheapest_mask = np.uint64(0)
    cheapest_need = np.int64(0)
    best_value = np.int64(-(1 << 30))
    largest = np.int64(NONE)
    largest_mask = np.uint64(0)
    most_members = np.int64(0)
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        region = leader % REGIONS
        mask, members = larger_group(view, leader)
        if members > most_members:
            most_members = members
            largest = leader
            largest_mask = mask
        if region_open(view, region, view.power[leader // REGIONS], members + wild):
            need = markers_needed(view, region)
            award = np.int64(view.prestige_tokens[region, view.ages - 1])
            value = award + 128 * members - 2048 * need
            if value > best_value:
                best_value = value
                cheapest = leader
                cheapest_mask = mask
                cheapest_need = need
    small = gather(view, cheapest, cheapest_mask)
    return small, cheapest_need, gather(view, largest, largest_mask)


@strategy(
    Parameter("cost", 4, 1, 10, "cards that a marker may need to be played for at once"),
    Parameter("hand", 7, 2, 15, "cards in hand with which it plays whatever is largest"),
)
def spreader(view, parameters):
    """Plays the first party that places a marker, the cheapest marker first, then goes on.

    A party of one opens an empty region, the second marker there takes two cards, and so on: a
    marker everywhere comes before a second one anywhere. Playing early also keeps the hand small,
    so that little of it falls to rivals. It never asks who leads where. Everybody's first turns
    look like this; the spreader never stops.

    Bad at: party points, of which it leaves most on the table, and regions where a rival insists.
    """
    party, need, largest = small_parties(view)
    if party.leader >= 0 and need <= parameters.cost:
        return play(party)
    full = hand_is_full(view)
    if full or view.hand_cards[view.player] >= parameters.hand or last_dragon_next(view):
        if largest.leader >= 0 and (full or largest.size > 1):
            return play(largest)
    return take_or_draw(view)
