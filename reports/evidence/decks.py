"""How many ally cards the deck of an age has, whatever the strategies do."""

from __future__ import annotations


def deck_cards(ally_cards: int, players: int, pool_per_player: int) -> int:
    """Ally cards left to be halved: all of them less a card and `pool_per_player` a player."""
    return ally_cards - players * (1 + pool_per_player)
