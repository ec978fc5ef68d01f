"""The age's clock: how soon the last dragon may come, by the cards left and the dragons seen."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel


@kernel
def bottom_cards(view):
    """The number of cards left in the part of the deck that may hold dragons."""
    return min(np.int64(view.rules.dragons_part[view.age - 1]), np.int64(view.deck_cards))


@kernel
def end_chance(view, cards):
    """The chance that the last dragon is among the next `cards` cards of the deck.

    It is exact for a whole number of cards. All placements of the dragons in the bottom part are
    equally likely. The chance is the share of placements that have all dragons among these cards.
    """
    bottom = bottom_cards(view)
    reach = cards - (view.deck_cards - bottom)
    chance = 1.0
    for i in range(view.rules.last_dragon - view.dragons_seen):
        chance *= min(max(reach - i, 0.0), bottom - i) / (bottom - i)
    return chance


@kernel
def cards_left(view):
    """The expected number of cards that are still drawn in this age, the last dragon included."""
    bottom = bottom_cards(view)
    dragons = view.rules.dragons - view.dragons_seen
    needed = view.rules.last_dragon - view.dragons_seen
    return view.deck_cards - bottom + (bottom + 1) * needed / (dragons + 1.0)
