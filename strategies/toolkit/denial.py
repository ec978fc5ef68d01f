"""What pool cards are worth to the next player, judged by the cards that everybody saw it take."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, lowest
from ethnos_sim.strategies.toolkit.moves import Cards
from ethnos_sim.strategies.toolkit.parties import matching_cards


@kernel
def next_player(view):
    """The number of the player whose turn comes next; in solo the acting player itself."""
    following = view.player + 1
    return following if following < view.hands else np.int64(0)


@kernel
def known_companions(view, player, card):
    """The number of cards in a rival's known hand, wild cards included, that a card would join.

    It is 0 for the acting player, who is also the next player in solo.
    """
    if player == view.player:
        return np.int64(0)
    return matching_cards(view, Cards(view.known_once[player], view.known_twice[player]), card)


@kernel
def gift(view, cards):
    """The most cards in the next player's known hand that a single card of `cards` would join."""
    most = np.int64(0)
    player = next_player(view)
    if view.known_once[player] == np.uint64(0):
        return most
    while cards != np.uint64(0):
        card = lowest(cards)
        cards &= cards - ONE
        most = max(most, known_companions(view, player, card))
    return most
