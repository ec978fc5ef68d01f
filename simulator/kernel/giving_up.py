"""Giving up clans: in some games each seat never leads with a clan that is drawn for it.

The seats give up different clans, as long as there are enough clans that can lead. So one game
measures the worth of several clans (docs/statistics.md).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, ZERO, bit, lowest, popcount
from ethnos_sim.simulator.game.randomness import (
    PURPOSE_GIVING_UP,
    index_below,
    mix,
    next_state,
    stream_key,
)
from ethnos_sim.simulator.game.records import GIVES_UP_BY_AGE, KINDS, MAX_AGES

BY_AGE = KINDS.index(GIVES_UP_BY_AGE)

#: The bits in `powers_key` for each power; they count the clans in play that have the power.
_BITS = 4


@kernel
def powers_key(view):
    """A key of the powers in play, which does not depend on the order of their clans.

    All powers from NO_MARKER on count as one: the powers that only one edition has, and custom
    powers. So a clan set and its counterpart in the other edition have the same key.
    """
    number = np.int64(0)
    for slot in range(view.slots):
        if view.home[slot] == slot:
            number += np.int64(1) << (_BITS * min(np.int64(view.power[slot]), powers.NO_MARKER))
    return number


@kernel
def clans_able_to_lead(view):
    """The mask of home slots of the clans in play that can lead, which are all but wild clans."""
    slots = ZERO
    for slot in range(view.slots):
        if view.home[slot] == slot and view.power[slot] != powers.WILD:
            slots |= bit(slot)
    return slots


@kernel
def draw_bit(mask, state):
    """The index of a randomly drawn set bit of a mask; `state` is that of the random stream."""
    for _ in range(index_below(mix(state), popcount(mask))):
        mask &= mask - ONE
    return lowest(mask)


@kernel
def free_ages(age):
    """The mask of ages in which a clan given up in `age` may lead; empty if `age` is 0 (all)."""
    bits = np.int64(0)
    for other in range(1, MAX_AGES + 1):
        if age != 0 and other != age:
            bits |= np.int64(1) << other
    return bits


@kernel
def give_up_clans(view, hidden, seed, deal, game_kind):
    """Draw for each seat a clan that it gives up: in all ages, or (BY_AGE) all in one drawn age.

    A seat gives up the same clan in every rotation of a deal. If there are more seats than clans
    that can lead, random clans are given up twice.
    """
    state = next_state(stream_key(seed, deal, PURPOSE_GIVING_UP, powers_key(view)))
    age = index_below(mix(state), view.ages) + 1 if game_kind == BY_AGE else np.int64(0)
    leading = clans_able_to_lead(view)
    clans = leading
    seats = bit(view.hands) - ONE
    for _ in range(view.hands):
        if clans == ZERO:
            clans = leading
        state = next_state(state)
        seat = draw_bit(seats, state)
        state = next_state(state)
        slot = draw_bit(clans, state)
        seats &= ~bit(seat)
        clans &= ~bit(slot)
        hidden.own[seat].never_leads = view.clan_cards[slot]
        hidden.own[seat].free_ages |= free_ages(age)
        hidden.seats[seat].gave_up = view.clan[slot]
        hidden.seats[seat].gave_up_age = age
