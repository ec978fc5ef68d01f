"""Greedy: the most prestige now."""

from __future__ import annotations

from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import best_party, play, ripe, take_or_draw


@strategy(
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
    looks_at_rivals=True,
)
def greedy(view, parameters):
    """Plays the party that brings the most prestige if the age ended right after it.

    Every party in hand is valued by its cards, its marker's effect on the region's awards and its
    leader's power. It is played once it is worth `patience`, or when the hand is full, or when the
    next dragon ends the age. Until then the pool card with the most companions in hand is taken,
    or else the deck drawn from. The usual first bot of implementers of such games.

    Bad at: the future. It gives rivals its discards, leaves contests it could win later, and
    counts a marker only if the age ended now.
    """
    party, value = best_party(view)
    if ripe(view, party, value >= parameters.patience, value > 0):
        return play(party)
    return take_or_draw(view)
