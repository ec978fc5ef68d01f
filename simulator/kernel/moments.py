"""Custom powers: the moments of a turn and of an age's end at which they are called.

For a clan with a custom power, the view has the address of the power's machine code, and a bit for
each moment at which the power is called. For a printed power both are 0. The code is called by
address, as a strategy is, so the engine is compiled only once. `simulator.custom_powers` makes this
code.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import AFTER_RECRUIT, TURN_END
from ethnos_sim.simulator.kernel.asking import call_strategy, fault
from ethnos_sim.simulator.kernel.events import write
from ethnos_sim.simulator.kernel.faults import NO_FAULT, POWER_FAILED
from ethnos_sim.simulator.kernel.memory import address_of

#: A custom power's actions in the trace, each with a player and two more numbers.
DREW, TOOK, DISCARDED, GAVE, PLACED, MOVED, REMOVED, PAID, GOT_TOKEN = range(9)
REMEMBERED, CHOSE, COUNTS_AS, SCORES_AS, SAILED, SETTLED, LAID_COIN, TOOK_LARGEST = range(9, 17)

#: The number of the event in a trace for one action of a custom power (other events: `events`).
ACT = 11

#: How many numbers this event has.
ACT_LENGTH = 8

#: The most actions of custom powers in one game; a trace has room for them.
MOST_ACTS = 10_000


@kernel
def call_power(view, hidden, log, slot, moment, player):
    """Call the power of a slot's clan if it has this moment; return a fault or NO_FAULT."""
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
    """Ask a slot's power at a moment: return (fault, answer).

    If the power has no function for this moment, the answer is `usual`.
    """
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
    """Call the custom powers that act after a recruit, and the powers that act after every turn."""
    reason = np.int64(NO_FAULT)
    if recruited:
        reason = call_powers(view, hidden, log, AFTER_RECRUIT, player)
    if reason == NO_FAULT and not view.age_over:
        reason = call_powers(view, hidden, log, TURN_END, player)
    return reason


@kernel
def call_for_all(view, hidden, log, moment):
    """Call each power with this moment once for every player, from the age's first player on."""
    for i in range(view.players if (view.moments >> moment) & 1 else 0):
        player = (view.first_player + i) % view.players
        reason = call_powers(view, hidden, log, moment, player)
        if reason != NO_FAULT:
            return reason
    return NO_FAULT


@kernel
def write_act(log, call, kind, player, first, second):
    """Write a custom power's action to the trace, and count it."""
    call.acts += 1
    write(log, ACT, call.moment, call.slot, call.player, kind, player, first, second)
