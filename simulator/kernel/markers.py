"""Markers in regions: when a party may place one, placing, counting (R17, R19), and ties."""

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
    """The number that a party's cards must exceed to place a marker (step 1).

    It is the number of the player's markers in the region (of both players, if `both_markers` is
    on) plus `markers_needed` - 1.
    """
    beaten = view.markers[region, player]
    if view.rules.both_markers:
        beaten = view.markers[region, 0] + view.markers[region, 1]
    return beaten + view.rules.markers_needed - 1


@kernel
def printed_regions(view, slot, color):
    """A mask of the regions in which a leader of a slot and color may place a marker at all."""
    if not view.rules.places_marker[slot]:
        return ZERO
    return ALL_REGIONS if view.power[slot] == ANY_REGION else bit(color)


@kernel
def regions_for(view, player, among, strength):
    """The regions of a mask in which step 1 may place a marker for a party of this strength."""
    regions = ZERO
    left = among if view.supply[player] > 0 else ZERO
    while left != ZERO:
        region = lowest(left)
        left &= left - ONE
        if strength > markers_to_beat(view, player, region):
            regions |= bit(region)
    return regions


@kernel
def place_marker(view, player, region):
    """Put a marker from the supply into a region; by the printed rules it never leaves."""
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
    """A player's rank by tie-break tokens: by their sum, then by the highest token."""
    return np.int64(view.token_sum[player]) * 1024 + np.int64(view.token_highest[player])


@kernel
def count_markers(view, region):
    """Recount who has the most markers in a region after a marker has left the region."""
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
