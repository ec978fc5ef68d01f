"""Spreader: many small parties, a marker each."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_led,
    cards_in_hand,
    hand_is_full,
    larger_group,
    last_dragon_next,
    markers_needed,
    play,
    region_open,
    take_or_draw,
)

#: The marker_cheapness of a marker that cannot be placed.
NEVER = -1e9


@kernel
def marker_cheapness(view, leader, wild_count):
    """How cheap the marker of a leader's party is; NEVER if the party places no marker.

    A marker that needs fewer cards is cheaper. If two markers need the same number of cards, the
    marker of the larger party counts as cheaper, then the marker in the region with the higher
    award in the last age.
    """
    region = leader % REGIONS
    members = larger_group(view, leader)[1]
    if not region_open(view, region, view.power[leader // REGIONS], members + wild_count):
        return NEVER
    award = np.int64(view.prestige_tokens[region, view.ages - 1])
    return award + 128.0 * members - 2048.0 * markers_needed(view, region)


@kernel
def group_size(view, leader, unused):
    """The number of cards in a leader's larger group (clan or color), without wild cards."""
    return larger_group(view, leader)[1]


@strategy(
    Parameter("cost", 4, 1, 10, "most cards needed by a marker that it plays for at once"),
    Parameter("hand", 7, 2, 15, "cards in hand at which it plays its largest party"),
)
def spreader(view, parameters):
    """Plays the first party that places a marker, the cheapest marker first, then goes on.

    A party of one card opens an empty region, a second marker there takes two cards, and so on. So
    it places a marker in every region before it places a second one anywhere. Early parties also
    keep its hand small, so rivals get few discards. It ignores who leads in a region. All players
    begin like this; the spreader never stops.

    Bad at: party points, most of which it gives away, and regions where a rival insists.
    """
    party, cheap = best_led(view, marker_cheapness, cards_in_hand(view, view.wild_cards))
    if cheap > NEVER and markers_needed(view, party.leader % REGIONS) <= parameters.cost:
        return play(party)
    full = hand_is_full(view)
    if full or view.hand_cards[view.player] >= parameters.hand or last_dragon_next(view):
        largest = best_led(view, group_size, 0)[0]
        if largest.leader >= 0 and (full or largest.size > 1):
            return play(largest)
    return take_or_draw(view)
