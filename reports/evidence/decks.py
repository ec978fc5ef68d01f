"""How many ally cards the deck of an age has, and how many leave it, whatever strategies do."""

from __future__ import annotations

from fractions import Fraction

from ethnos_sim.simulator.rules import Rules


def deck_cards(ally_cards: int, players: int, pool_per_player: int) -> int:
    """Ally cards left to be halved: all of them less a card and `pool_per_player` a player."""
    return ally_cards - players * (1 + pool_per_player)


def expected_draws(deck: int, dragons: int, last: int) -> Fraction:
    """The mean number of ally cards drawn in an age from a deck of `deck` ally cards.

    With N = bottom half + d dragons the k-th of d dragons, which ends the age, lies on average at
    k (N + 1) / (d + 1) (the mean of the k-th of d places drawn from N); k of the cards down to it
    are dragons. An odd deck has its larger half at the bottom (R2).
    """
    top = deck // 2
    places = deck - top + dragons
    return top + Fraction(last * (places + 1), dragons + 1) - last


def age_draws(deck: int, rules: Rules) -> Fraction | None:
    """The same by rules; None where a hand of wild cards may end a game before the dragon does."""
    if rules.number("ten_wild_wins"):
        return None
    return expected_draws(deck, rules.number("dragons"), rules.ending_dragon)
