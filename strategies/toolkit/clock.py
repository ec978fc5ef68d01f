"""The age's clock: how soon the last dragon may come, from the cards left and the dragons seen."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.kernel.deal import bottom_half


@kernel
def bottom_part(view):
    """How many cards of the deck may still be dragons: the bottom half, or what is left of it."""
    return min(bottom_half(view), view.deck_cards)


@kernel
def end_chance(view, cards):
    """The chance that the last dragon is among the next cards of the deck.

    Exact for a whole number of cards: the dragons left lie anywhere in the bottom part, so of all
    places that they may have, it is the part that lies wholly in the cards looked at.
    """
    bottom = bottom_part(view)
    reach = cards - (view.deck_cards - bottom)
    chance = 1.0
    for i in range(view.rules.last_dragon - view.dragons_seen):
        chance *= min(max(reach - i, 0.0), bottom - i) / (bottom - i)
    return chance


@kernel
def cards_left(view):
    """How many more cards leave the deck in this age, the last dragon included, on average."""
    bottom = bottom_part(view)
    dragons = view.rules.dragons - view.dragons_seen
    needed = view.rules.last_dragon - view.dragons_seen
    return view.deck_cards - bottom + (bottom + 1) * needed / (dragons + 1.0)
