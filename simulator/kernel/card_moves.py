"""Move cards between deck, hands, pool, Bruno's columns and the parties on the table.

Whoever draws an ally card also turns up the dragons above it (R1, R8, R9, R18).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game.cards import ZERO, bit, count, difference, union
from ethnos_sim.simulator.game.records import DRAGON, NONE
from ethnos_sim.simulator.kernel import events

#: The destinations of drawn cards.
HAND, POOL, COLUMNS = range(3)


@kernel
def stop_age(view, hidden, player):
    """End the age; `player` drew the last dragon, or passed when nobody can play any more (R30)."""
    view.age_over = 1
    hidden.result.last_dragon[view.age - 1] = player


@kernel
def draw_card(view, hidden, player):
    """Draw the deck's next ally card, past any dragons; NONE if a dragon ends the age first."""
    order = hidden.deal.order[view.age - 1]
    while True:
        card = np.int64(order[hidden.next_card])
        hidden.next_card += 1
        view.deck_cards -= 1
        if card != DRAGON:
            hidden.result.drawn[view.age - 1] += 1
            return card
        view.dragons_seen += 1
        hidden.dragons_met += 1
        if view.dragons_seen == view.rules.last_dragon:
            stop_age(view, hidden, player)
            return np.int64(NONE)


@inlined
def put_in_hand(view, hidden, player, card_bit):
    """Put a card into a player's hand."""
    hidden.hands_once[player], hidden.hands_twice[player] = union(
        hidden.hands_once[player], hidden.hands_twice[player], card_bit, ZERO
    )
    view.hand_cards[player] += 1


@inlined
def show_in_hand(view, player, card_bit):
    """Add a card to the cards that everybody knows to be in a player's hand."""
    view.known_once[player], view.known_twice[player] = union(
        view.known_once[player], view.known_twice[player], card_bit, ZERO
    )


@inlined
def take_from_hand(view, hidden, player, once, twice):
    """Take cards out of a hand, and out of the cards that everybody knows to be there."""
    hidden.hands_once[player], hidden.hands_twice[player] = difference(
        hidden.hands_once[player], hidden.hands_twice[player], once, twice
    )
    view.known_once[player], view.known_twice[player] = difference(
        view.known_once[player], view.known_twice[player], once, twice
    )
    view.hand_cards[player] -= count(once, twice)


@inlined
def put_in_pool(view, once, twice):
    """Lay cards face up into the pool."""
    view.pool_once, view.pool_twice = union(view.pool_once, view.pool_twice, once, twice)


@inlined
def take_from_pool(view, card_bit):
    """Take a card out of the pool."""
    view.pool_once, view.pool_twice = difference(view.pool_once, view.pool_twice, card_bit, ZERO)


@inlined
def put_in_column(view, card_bit):
    """Put a card into Bruno's column of its color."""
    view.columns_once, view.columns_twice = union(
        view.columns_once, view.columns_twice, card_bit, ZERO
    )


@kernel
def draw_cards(view, hidden, player, number, destination, log):
    """Let a player draw cards to a destination; stop if a dragon ends the age (R8).

    Writes the cards and the number of dragons to the trace.
    """
    hidden.dragons_met = 0
    start = events.open_list(log)
    for _ in range(number):
        card = draw_card(view, hidden, player)
        if card == NONE:
            break
        if destination == HAND:
            put_in_hand(view, hidden, player, bit(card))
        elif destination == POOL:
            put_in_pool(view, bit(card), ZERO)
        else:
            put_in_column(view, bit(card))
        events.append(log, card)
    events.close_list(log, start)
    events.append(log, hidden.dragons_met)


@inlined
def scored_size(view, once, twice):
    """The number of a party's cards that are scored: all but unscored wild cards."""
    return count(once & ~view.unscored_cards, twice & ~view.unscored_cards)


@inlined
def points_for_size(view, size):
    """The points of a party of a scoring size, which is its scored cards plus its clan's bonus."""
    return view.rules.party_points[min(size, view.rules.party_points.size - 1)]


@kernel
def add_party(view, hidden, player, once, twice, slot, size):
    """Record a party: its cards on the table, and its player's points and counts (R14, R16)."""
    view.played_once, view.played_twice = union(view.played_once, view.played_twice, once, twice)
    members = scored_size(view, once, twice)
    for_ties = size if view.rules.wild_breaks_ties else members
    view.party_sizes[player, for_ties] += 1
    view.party_points[player] += points_for_size(view, members + view.rules.score_bonus[slot])
    seat = hidden.seats[player]
    seat.parties += 1
    seat.led[slot] += 1
    seat.cards += size
