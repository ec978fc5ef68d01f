"""Markers in regions: where a party may place one, who has most (R17, R19), tie-break tokens."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game.cards import ONE, ZERO, bit, lowest
from ethnos_sim.simulator.game.power_numbers import ANY_REGION
from ethnos_sim.simulator.game.records import NONE, REGIONS

#: A mask of all regions.
ALL_REGIONS = np.uint64((1 << REGIONS) - 1)


@inlined
def markers_to_beat(view, player, region):
    """The number of cards that a party must exceed to place a marker in a region (step 1).

    It is the number of the player's markers in the region (of both players, if `both_markers` is
    on) plus `markers_needed` - 1.
    """
    beaten = view.markers[region, player]
    if view.rules.both_markers:
        beaten = view.markers[region, 0] + view.markers[region, 1]
    return beaten + view.rules.markers_needed - 1


@kernel
def printed_regions(view, slot, color):
    """The mask of regions where a large party may place its marker by the printed rules."""
    if not view.rules.places_marker[slot]:
        return ZERO
    return ALL_REGIONS if view.power[slot] == ANY_REGION else bit(color)


@kernel
def reachable_regions(view, player, candidates, marker_size):
    """The candidate regions, as a mask, where `marker_size` cards suffice for a marker (step 1)."""
    regions = ZERO
    left = candidates if view.supply[player] > 0 else ZERO
    while left != ZERO:
        region = lowest(left)
        left &= left - ONE
        if marker_size > markers_to_beat(view, player, region):
            regions |= bit(region)
    return regions


@kernel
def place_marker(view, player, region):
    """Put a marker from a player's supply into a region, and update who has most there."""
    view.markers[region, player] += 1
    view.supply[player] -= 1
    placed = view.markers[region, player]
    if view.most_markers_of[region] == player:
        view.most_markers[region] = placed
    elif placed > view.most_markers[region]:
        view.second_most_markers[region] = view.most_markers[region]
        view.most_markers[region] = placed
        view.most_markers_of[region] = player
    elif placed > view.second_most_markers[region]:
        view.second_most_markers[region] = placed


@inlined
def token_standing(view, player):
    """A number that ranks players by tie-break tokens: by their sum, then by the highest token."""
    return np.int64(view.token_sum[player]) * 1024 + np.int64(view.token_highest[player])


@kernel
def recount_markers(view, region):
    """Find out again who has the most markers in a region, after a marker has left it."""
    most = 0
    second = 0
    holder = np.int64(NONE)
    for player in range(view.players):
        there = np.int64(view.markers[region, player])
        if there > most:
            second = most
            most = there
            holder = player
        elif there > second:
            second = there
    view.most_markers[region] = most
    view.most_markers_of[region] = holder
    view.second_most_markers[region] = second
