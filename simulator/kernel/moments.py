"""Custom powers: the moments of a turn and of an age's end at which they are called.

A clan whose power is written in Python has the address of its machine code in the view, and bits of
the moments that it has functions for; a printed power has neither. The code is called as a strategy
is, so the engine is compiled once (`simulator.custom_powers` tells what is behind the address).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.kernel.asking import call_strategy, fault
from ethnos_sim.simulator.kernel.events import write
from ethnos_sim.simulator.kernel.faults import NO_FAULT, POWER_FAILED
from ethnos_sim.simulator.kernel.memory import address_of
from ethnos_sim.simulator.records import AFTER_RECRUIT, TURN_END

#: What a custom power did, for the trace, each with a player and two numbers more.
DREW, TOOK, DISCARDED, GAVE, PLACED, MOVED, REMOVED, PAID, GOT_TOKEN = range(9)
REMEMBERED, CHOSE, COUNTS_AS, SCORES_AS, SAILED, SETTLED, LAID_COIN, TOOK_LARGEST = range(9, 17)

#: The event of a trace that says one thing a custom power did (`events` has the others), and how
#: many numbers it takes.
ACT = 11
ACT_LENGTH = 8

#: How much custom powers may do in one game; a trace has room for all of it.
MOST_ACTS = 10_000


@kernel
def call_power(view, hidden, log, slot, moment, player):
    """Call the custom power of a slot's clan where it has this moment; a fault or NO_FAULT."""
    if (view.power_moments[slot] >> moment) & 1 == 0:
        return NO_FAULT
    call = hidden.call
    call.moment = moment
    call.slot = slot
    call.player = player
    call.done = 0
    view.slot = slot
    view.rest = address_of(hidden)
    view.log = address_of(log)
    hidden.fault_reason = NO_FAULT
    call_strategy(view.power_code[slot], view, hidden, log)
    if hidden.fault_reason == NO_FAULT and not call.done:
        return fault(hidden, player, POWER_FAILED)
    return hidden.fault_reason


@kernel
def ask_power(view, hidden, log, slot, moment, player, usual):
    """What a slot's power answers at a moment, the usual number where it has no say."""
    hidden.call.answer = usual
    reason = call_power(view, hidden, log, slot, moment, player)
    return reason, hidden.call.answer


@kernel
def call_powers(view, hidden, log, moment, player):
    """Call all custom powers in play that have a moment."""
    for slot in range(view.slots):
        reason = call_power(view, hidden, log, slot, moment, player)
        if reason != NO_FAULT:
            return reason
    return NO_FAULT


@kernel
def call_after_turn(view, hidden, log, player, recruited):
    """Call the custom powers that follow a recruit, and those that follow every turn."""
    reason = np.int64(NO_FAULT)
    if recruited:
        reason = call_powers(view, hidden, log, AFTER_RECRUIT, player)
    if reason == NO_FAULT and not view.age_over:
        reason = call_powers(view, hidden, log, TURN_END, player)
    return reason


@kernel
def call_for_all(view, hidden, log, moment):
    """Call custom powers that have a moment for every player, from the age's first player on."""
    for i in range(view.players if (view.moments >> moment) & 1 else 0):
        player = (view.first_player + i) % view.players
        reason = call_powers(view, hidden, log, moment, player)
        if reason != NO_FAULT:
            return reason
    return NO_FAULT


@kernel
def write_act(log, call, kind, player, first, second):
    """Note for the trace what a custom power did, and count it."""
    call.acts += 1
    write(log, ACT, call.moment, call.slot, call.player, kind, player, first, second)
