"""Cards on the move: off the deck, and between hands, the pool and Bruno's columns.

Ally cards are drawn, and the dragons that end an age (R1, R8, R9, R18).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ZERO, count, difference, union
from ethnos_sim.simulator.compilation import inlined, kernel
from ethnos_sim.simulator.records import DRAGON, NONE


@kernel
def draw_card(view, hidden, player):
    """The deck's next ally card, or NONE when the last dragon came; dragons are set aside."""
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
            view.age_over = 1
            hidden.result.third_dragon[view.age - 1] = player
            return np.int64(NONE)


@inlined
def put_in_hand(view, hidden, player, plane):
    """Put a card into a hand."""
    hidden.hands_once[player], hidden.hands_twice[player] = union(
        hidden.hands_once[player], hidden.hands_twice[player], plane, ZERO
    )
    view.hand_cards[player] += 1


@inlined
def show_in_hand(view, player, plane):
    """Let everybody know that a card is in a hand."""
    view.known_once[player], view.known_twice[player] = union(
        view.known_once[player], view.known_twice[player], plane, ZERO
    )


@inlined
def take_from_hand(view, hidden, player, once, twice):
    """Take cards out of a hand; whoever saw them come knows that they went."""
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
def take_from_pool(view, plane):
    """Take a card out of the pool."""
    view.pool_once, view.pool_twice = difference(view.pool_once, view.pool_twice, plane, ZERO)


@inlined
def put_in_column(view, plane):
    """Put a card into Bruno's column of its color."""
    view.columns_once, view.columns_twice = union(
        view.columns_once, view.columns_twice, plane, ZERO
    )
