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

BY_AGE_KIND = KINDS.index(GIVES_UP_BY_AGE)

#: The number of bits in which `powers_key` counts the clans in play with a power.
_BITS = 4


@kernel
def powers_key(view):
    """A number that identifies the powers in play, whatever the order of their clans.

    All powers from NO_MARKER on count as one: the powers that only one edition has, and custom
    powers. So a clan set and its counterpart in the other edition have the same number.
    """
    number = np.int64(0)
    for slot in range(view.slots):
        if view.home[slot] == slot:
            number += np.int64(1) << (_BITS * min(np.int64(view.power[slot]), powers.NO_MARKER))
    return number


@kernel
def clans_able_to_lead(view):
    """The home slots, as a mask, of the clans in play that can lead: all but wild clans."""
    slots = ZERO
    for slot in range(view.slots):
        if view.home[slot] == slot and view.power[slot] != powers.WILD:
            slots |= bit(slot)
    return slots


@kernel
def random_bit_index(mask, state):
    """The index of a random set bit of a mask; `state` is the state of the random stream."""
    for _ in range(index_below(mix(state), popcount(mask))):
        mask &= mask - ONE
    return lowest(mask)


@kernel
def free_ages(given_up_age):
    """The ages, as a mask, in which a clan given up in one age (0: in all ages) may still lead."""
    bits = np.int64(0)
    for age in range(1, MAX_AGES + 1):
        if given_up_age != 0 and age != given_up_age:
            bits |= np.int64(1) << age
    return bits


@kernel
def give_up_clans(view, hidden, seed, deal, game_kind):
    """Draw for each seat a clan that it gives up, for the game or, with BY_AGE_KIND, for one age.

    A seat gives up the same clan in every rotation of a deal, and all seats in the same age. If
    there are more seats than clans that can lead, random clans are given up twice.
    """
    state = next_state(stream_key(seed, deal, PURPOSE_GIVING_UP, powers_key(view)))
    age = index_below(mix(state), view.ages) + 1 if game_kind == BY_AGE_KIND else np.int64(0)
    leading = clans_able_to_lead(view)
    clans = leading
    seats = bit(view.hands) - ONE
    for _ in range(view.hands):
        if clans == ZERO:
            clans = leading
        state = next_state(state)
        seat = random_bit_index(seats, state)
        state = next_state(state)
        slot = random_bit_index(clans, state)
        seats &= ~bit(seat)
        clans &= ~bit(slot)
        hidden.own[seat].never_leads = view.clan_cards[slot]
        hidden.own[seat].free_ages |= free_ages(age)
        hidden.seats[seat].gave_up = view.clan[slot]
        hidden.seats[seat].gave_up_age = age
