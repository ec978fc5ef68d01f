"""Keeping Chief Bruno short: which card, which leader cost least, and what a recruit lets him have.

Where `toolkit.bruno` says what things bring him now, these weigh what they lead to.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, bit, difference, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.bruno import column_size
from ethnos_sim.simulator.records import NONE, REGIONS, SOLO_HARD
from ethnos_sim.strategies.toolkit.bruno import (
    bruno_party_prestige,
    fires_at,
    leader_for_bruno,
)
from ethnos_sim.strategies.toolkit.choosing import best_of
from ethnos_sim.strategies.toolkit.moves import draw, take
from ethnos_sim.strategies.toolkit.parties import companions

#: Cards of a usual column of Bruno's when it fires.
USUAL_COLUMN = 4


@kernel
def column_cost(view, color, distance):
    """What the next card of a color brings Bruno, in prestige.

    The party that the column will make, divided by 1 + `distance` for each card it still lacks.
    """
    size = column_size(view, color) + 1
    played = max(size, fires_at(view, color))
    return bruno_party_prestige(view, color, played) / (1.0 + distance * (played - size))


@kernel
def harmless_card(view, cards, distance, use):
    """The card of a plane that costs least to give to Bruno, and that cost; (-1, 0) for none.

    `use` is what a card costs for each companion it has in the own hand.
    """
    best = np.int64(NONE)
    best_cost = 0.0
    for color in range(REGIONS):
        left = cards & view.color_cards[color]
        cost = column_cost(view, color, distance) if left != np.uint64(0) else 0.0
        while left != np.uint64(0):
            card = lowest(left)
            left &= left - ONE
            own_cost = cost + use * companions(view, card)
            if best == NONE or own_cost < best_cost:
                best_cost = own_cost
                best = card
    return best, best_cost


@kernel
def feeding_cost(view, once, twice, cards, distance):
    """What it costs to give Bruno so many of some cards, the harmless ones first."""
    total = 0.0
    for _ in range(cards):
        card, cost = harmless_card(view, once, distance, 0.0)
        if card == NONE:
            break
        total += cost
        once, twice = difference(once, twice, bit(card), np.uint64(0))
    return total


@kernel
def guarded(view, card, terms):
    """What taking a pool card is worth by `liking`, `dread` and `distance` (`guarded_recruit`)."""
    liking, dread, distance = terms
    once, twice = difference(view.pool_once, view.pool_twice, bit(card), np.uint64(0))
    given = 2 if view.solo == SOLO_HARD else 1
    value = liking * min(companions(view, card) + 1, 5)
    return value - dread * feeding_cost(view, once, twice, given, distance)


@kernel
def guarded_recruit(view, deck, liking, dread, distance):
    """The recruit that helps the own hand most for what it gives to Bruno.

    A pool card is worth `liking` for itself and each companion in hand (5 cards at most), a card
    of the deck `deck`; what Bruno gets after the recruit counts `dread` against it. In a hard game
    he gets two cards when the player takes one from the pool.
    """
    blind = deck - dread * feeding_cost(view, view.pool_once, view.pool_twice, 1, distance)
    card, value = best_of(view, view.pool_once, guarded, (liking, dread, distance))
    if card == NONE or value <= blind:
        return draw()
    return take(card)


@kernel
def saved_by(view, slot, thrift):
    """What it saves to have a leader turned down, times `thrift`, less what he makes now."""
    saving = thrift * leader_for_bruno(view, slot, USUAL_COLUMN)
    return saving - leader_for_bruno(view, slot, view.limit)


@kernel
def spent_leader(view, thrift):
    """Bruno's face-up leader that brings him least, less what it saves to have it turned down.

    Every leader has its turn, so one that would bring much with a usual column and brings little
    with this one is well spent; the saving counts `thrift`.
    """
    return best_of(view, view.options, saved_by, thrift)[0]
