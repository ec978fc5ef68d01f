"""Custom powers: the moments of a turn and of an age's end at which they are called.

A clan's power has the number of the clan's slot as its *place*; powers of the table have places
from MAX_SLOTS on. By place, the view has the address of the power's machine code, and a bit for
each moment at which the power is called; both are 0 without a custom power. The code is called by
address, as a strategy is, so the engine is compiled only once. `simulator.custom_powers` makes this
code.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import (
    AFTER_DISCARD,
    AFTER_RECRUIT,
    MAX_SLOTS,
    POWER_PLACES,
    TURN_END,
)
from ethnos_sim.simulator.kernel.asking import call_by_address, note_fault
from ethnos_sim.simulator.kernel.events import append
from ethnos_sim.simulator.kernel.faults import NO_FAULT, POWER_FAILED
from ethnos_sim.simulator.kernel.memory import address_of

#: A custom power's actions in the trace, each with a player and two more numbers.
DREW, TOOK, DISCARDED, GAVE, PLACED, MOVED, REMOVED, PAID = range(8)
REMEMBERED, CHOSE, COUNTS_AS, SCORES_AS = range(8, 12)

#: The number of the event for an action of a custom power, among those of `events`.
ACT = 11

#: How many numbers such an event has in the buffer of a trace.
ACT_LENGTH = 8

#: The most actions of custom powers in one game; the buffer of a trace has room for them.
MOST_ACTS = 10_000


@kernel
def call_power(view, hidden, log, place, moment, player):
    """Call the power at a place, if it is called at this moment; return a fault or NO_FAULT."""
    if (view.power_moments[place] >> moment) & 1 == 0:
        return NO_FAULT
    call = hidden.call
    call.moment = moment
    call.slot = place
    call.player = player
    call.done = 0
    view.slot = place
    view.rest = address_of(hidden)
    view.log = address_of(log)
    hidden.fault_reason = NO_FAULT
    call_by_address(view.power_code[place], view, hidden, log)
    if hidden.fault_reason == NO_FAULT and not call.done:
        return note_fault(hidden, player, POWER_FAILED)
    return hidden.fault_reason


@kernel
def ask_powers(view, hidden, log, slot, moment, player, usual):
    """Ask the table's powers, then a slot's power, at a moment of a party: return (fault, answer).

    The answer is first `usual`, and every power may replace it, unless the age is over.
    """
    hidden.call.answer = usual
    for i in range(view.table_powers + 1):
        place = MAX_SLOTS + i if i < view.table_powers else slot
        if view.age_over:
            break
        reason = call_power(view, hidden, log, place, moment, player)
        if reason != NO_FAULT:
            return reason, hidden.call.answer
    return np.int64(NO_FAULT), hidden.call.answer


@kernel
def deciding_place(view, slot, moment):
    """The place of the power that answers last at a moment of a party, so that its answer holds."""
    place = np.int64(slot)
    if (view.power_moments[slot] >> moment) & 1 == 0:
        for i in range(view.table_powers):
            if (view.power_moments[MAX_SLOTS + i] >> moment) & 1:
                place = np.int64(MAX_SLOTS + i)
    return place


@kernel
def call_for_party(view, hidden, log, slot, moment, player):
    """Call a slot's power, then the table's; stop at a fault (AFTER_DISCARD: or the age's end)."""
    hidden.call.answer = 0
    reason = call_power(view, hidden, log, slot, moment, player)
    for i in range(view.table_powers):
        if reason != NO_FAULT or (moment == AFTER_DISCARD and view.age_over):
            break
        reason = call_power(view, hidden, log, MAX_SLOTS + i, moment, player)
    return reason


@kernel
def call_powers(view, hidden, log, moment, player):
    """Call all custom powers that are called at a moment: the clans' by slot, then the table's."""
    for place in range(POWER_PLACES):
        if place < MAX_SLOTS and view.home[place] != place:
            continue
        reason = call_power(view, hidden, log, place, moment, player)
        if reason != NO_FAULT:
            return reason
    return np.int64(NO_FAULT)


@kernel
def call_after_turn(view, hidden, log, player, recruited):
    """Call the custom powers that act after a recruit, then those that act at a turn's end."""
    reason = np.int64(NO_FAULT)
    if recruited:
        reason = call_powers(view, hidden, log, AFTER_RECRUIT, player)
    if reason == NO_FAULT and not view.age_over:
        reason = call_powers(view, hidden, log, TURN_END, player)
    return reason


@kernel
def call_for_all_players(view, hidden, log, moment):
    """Call the powers of this moment for every player in turn, from the age's first player on."""
    for i in range(view.players if (view.moments >> moment) & 1 else 0):
        player = (view.first_player + i) % view.players
        reason = call_powers(view, hidden, log, moment, player)
        if reason != NO_FAULT:
            return reason
    return NO_FAULT


@kernel
def write_action(log, call, action, player, first, second):
    """Write a custom power's action to the trace, and count it."""
    call.acts += 1
    append(log, ACT, call.moment, call.slot, call.player, action, player, first, second)
