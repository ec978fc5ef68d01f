"""Giving up clans: in some games each seat may not lead with a clan that the deal draws for it.

The clans of the seats are different, as long as there are enough clans that can lead. So a game
tells what several clans are worth (docs/statistics.md).
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

#: How many bits the number of clans with a power takes in the key of a clan set.
_BITS = 4


@kernel
def powers_in_play(view):
    """A number for the powers in play, whatever the order of their clans.

    The power that only one edition has counts as its counterpart in the other, so that a clan set
    and its counterpart have the same number. A custom power counts in the same way.
    """
    number = np.int64(0)
    for slot in range(view.slots):
        if view.home[slot] == slot:
            number += np.int64(1) << (_BITS * min(np.int64(view.power[slot]), powers.NO_MARKER))
    return number


@kernel
def leading_clans(view):
    """The home slots of the clans in play that can lead, as a mask."""
    slots = ZERO
    for slot in range(view.slots):
        if view.home[slot] == slot and view.power[slot] != powers.WILD:
            slots |= bit(slot)
    return slots


@kernel
def drawn(bits, state):
    """The number of a bit that is drawn from the set bits of a mask."""
    for _ in range(index_below(mix(state), popcount(bits))):
        bits &= bits - ONE
    return lowest(bits)


@kernel
def free_ages(age):
    """The bits of all ages but `age`, for `own.free_ages`; none for 0, which is every age."""
    bits = np.int64(0)
    for other in range(1, MAX_AGES + 1):
        if age != 0 and other != age:
            bits |= np.int64(1) << other
    return bits


@kernel
def give_up_clans(view, hidden, seed, deal, kind):
    """Draw for each seat a clan that it may not lead with; by age, all in the same drawn age.

    A seat gives up the same clan in every rotation of a deal. If there are more seats than clans
    that can lead, some clans are given up twice; each clan and each seat equally often.
    """
    state = next_state(stream_key(seed, deal, PURPOSE_GIVING_UP, powers_in_play(view)))
    age = index_below(mix(state), view.ages) + 1 if kind == BY_AGE else np.int64(0)
    leading = leading_clans(view)
    clans = leading
    seats = bit(view.hands) - ONE
    for _ in range(view.hands):
        if clans == ZERO:
            clans = leading
        state = next_state(state)
        seat = drawn(seats, state)
        state = next_state(state)
        slot = drawn(clans, state)
        seats &= ~bit(seat)
        clans &= ~bit(slot)
        hidden.own[seat].never_leads = view.clan_cards[slot]
        hidden.own[seat].free_ages |= free_ages(age)
        hidden.seats[seat].gave_up = view.clan[slot]
        hidden.seats[seat].gave_up_age = age
