"""Markers in regions: how many a party must outnumber, and placing one (step 1; R17, R19)."""

from __future__ import annotations

from ethnos_sim.simulator.compilation import kernel


@kernel
def markers_to_beat(view, player, region):
    """The markers that a party must outnumber: the player's own, with two players both players'."""
    if view.players == 2:
        return view.markers[region, 0] + view.markers[region, 1]
    return view.markers[region, player]


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
