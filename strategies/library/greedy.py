"""Greedy: the most prestige now."""

from __future__ import annotations

from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import best_party, play, ripe, take_or_draw


@strategy(
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
)
def greedy(view, parameters):
    """Plays the party that would bring the most prestige if the age ended right after it.

    It values every party in hand by its cards, its marker's effect on the region's awards and its
    leader's power. It plays the best party if that is worth `patience`, if the hand is full, or if
    the next dragon ends the age. Otherwise it takes the pool card with the most companions in hand,
    or draws from the deck if there is none. Programmers of such games usually write this bot first.

    Bad at: the future. It ignores that rivals take its discards, and which contests it could win
    later. It counts a marker only for the end of this age.
    """
    party, value = best_party(view)
    if ripe(view, party, value >= parameters.patience, value > 0):
        return play(party)
    return take_or_draw(view)
