"""Markers in regions: how many a party must outnumber, and placing one (step 1; R17, R19); ties."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compilation import kernel


@kernel
def markers_to_beat(view, player, region):
    """The number that a party's cards must exceed to place a marker (step 1).

    It is the player's own markers in the region, with two players those of both.
    """
    beaten = view.markers[region, player]
    if view.rules.both_markers:
        beaten = view.markers[region, 0] + view.markers[region, 1]
    return beaten + view.rules.markers_needed - 1


@kernel
def place_marker(view, player, region):
    """Put a marker from the supply into a region (markers never leave a region)."""
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


@kernel
def token_standing(view, player):
    """A player's rank by tie-break tokens: their sum, then the highest."""
    return np.int64(view.token_sum[player]) * 1024 + np.int64(view.token_highest[player])
