"""Choices by value: the best card, slot or region, the best leader, and whether to play."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, lowest
from ethnos_sim.simulator.game.records import NONE
from ethnos_sim.strategies.toolkit.groups import gather, larger_group
from ethnos_sim.strategies.toolkit.moves import decline, play
from ethnos_sim.strategies.toolkit.position import hand_is_full, last_dragon_next


@kernel
def best_of(view, choices, value, terms):
    """The bit of a mask with the highest value, and this value; of equal bits, the lowest bit.

    The compiled function `value(view, choice, terms)` says what a card, slot or region is worth;
    `terms` is passed on to it. The result is (-1, -1e9) for an empty mask.
    """
    best = np.int64(NONE)
    best_value = -1e9
    while choices != np.uint64(0):
        choice = lowest(choices)
        choices &= choices - ONE
        worth = float(value(view, choice, terms))
        if best == NONE or worth > best_value:
            best = choice
            best_value = worth
    return best, best_value


@kernel
def party_led(view, leader):
    """The party of a leader with the larger of its clan and its color in hand, and all wild cards.

    Leader -1 gives no party.
    """
    mask = larger_group(view, leader)[0] if leader >= 0 else np.uint64(0)
    return gather(view, leader, mask)


@kernel
def best_led(view, value, terms):
    """The party of the leader with the highest `value(view, leader, terms)`, and the value."""
    leader, worth = best_of(view, view.leaders, value, terms)
    return party_led(view, leader), worth


@kernel
def ripe(view, party, enough, enough_at_last):
    """Whether to play a party rather than recruit.

    A party with a leader is played if `enough` is true, if the hand is full, or if the next dragon
    ends the age and `enough_at_last` is true.
    """
    due = enough or hand_is_full(view) or (enough_at_last and last_dragon_next(view))
    return party.leader >= 0 and due


@kernel
def play_or_decline(party, worth):
    """The move that plays a second party if its worth is above 0, and that declines otherwise."""
    if worth > 0:
        return play(party)
    return decline()
