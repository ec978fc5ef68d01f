"""Groups of cards in hand: a leader's clan or color, and the parties that they make."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, count, difference
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.toolkit.moves import Party


@kernel
def cards_in_hand(view, mask):
    """The number of cards in hand that are in a mask."""
    return count(view.hand_once & mask, view.hand_twice & mask)


@kernel
def larger_group(view, leader):
    """The leader's clan or color with more cards in hand: (mask, cards), without wild cards."""
    clan = view.clan_cards[leader // REGIONS]
    color = view.color_cards[leader % REGIONS] & ~view.wild_cards
    clan_cards = cards_in_hand(view, clan)
    color_cards = cards_in_hand(view, color)
    if color_cards > clan_cards:
        return color, color_cards
    return clan, clan_cards


@kernel
def party_of(view, leader, once, twice):
    """The party of a leader and a set of cards, cut to the largest size that a party may have."""
    size = count(once, twice)
    while size > view.rules.party_limit:
        spare = twice if twice != np.uint64(0) else once & ~bit(leader)
        once, twice = difference(once, twice, spare & ~(spare - ONE), np.uint64(0))
        size -= 1
    return Party(np.int64(leader), once, twice, size)


@kernel
def gather(view, leader, mask):
    """The party of a leader with all cards in hand that are in a mask, and all wild cards."""
    mask |= view.wild_cards
    return party_of(view, leader, view.hand_once & mask, view.hand_twice & mask)
