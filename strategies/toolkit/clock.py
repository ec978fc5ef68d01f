"""The age's clock: how soon the last dragon may come, from the cards left and the dragons seen."""

from __future__ import annotations

from ethnos_sim.simulator.cards import popcount
from ethnos_sim.simulator.compilation import kernel


@kernel
def bottom_part(view):
    """How many cards of the deck may still be dragons: the bottom part, or what is left of it."""
    cards = popcount(view.all_cards) * view.rules.copies
    cards -= view.hands + view.rules.first_pool + view.rules.bruno_cards[view.age - 1]
    # An odd deck has its larger half at the bottom (R2), with all dragons shuffled in.
    bottom = cards - cards // 2 + view.rules.dragons
    return min(bottom, view.deck_cards)


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
