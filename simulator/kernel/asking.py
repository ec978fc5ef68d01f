"""Ask players: only this module calls strategies.

A strategy is compiled separately and called by the address of its machine code, so all line-ups use
the same compiled engine (a call costs about 3 ns). If `hidden.positions` is the address of a
buffer, questions and answers are recorded there as training data.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, ZERO, bit, lowest
from ethnos_sim.simulator.game.records import (
    CHOICE,
    DECLINE,
    MAX_PLAYERS,
    NONE,
    POSITION,
    POSITION_DTYPE,
    POSITION_LOG,
    UNANSWERED,
)
from ethnos_sim.simulator.kernel.faults import MUST_CHOOSE, NO_ANSWER, NO_FAULT, WRONG_KIND
from ethnos_sim.simulator.kernel.memory import copy_record, record_loader


@intrinsic
def call_by_address(typing_context, address, view, move, private):
    """Call code at an address: a strategy, or a custom power (its arguments: view, hidden, log)."""
    signature = types.void(types.int64, view, move, private)

    def generate_code(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        function_type = ir.FunctionType(ir.VoidType(), [pointer] * 3)
        function = builder.inttoptr(arguments[0], function_type.as_pointer())
        builder.call(function, [builder.bitcast(a, pointer) for a in arguments[1:]])
        return context.get_dummy_value()

    return signature, generate_code


@kernel
def barred_cards(view, private):
    """The cards that a player's restriction forbids to lead in this age."""
    if private.free_ages >> view.age & 1:
        return np.uint64(0)
    return private.never_leads


@kernel
def possible_leaders(view, hidden, player):
    """The cards in hand that may lead: not wild (R4), and allowed by the player's restriction.

    The restriction is ignored if a player with a full hand would otherwise have no legal move.
    """
    own = hidden.own[player]
    free = hidden.hands_once[player] & ~view.wild_cards
    allowed = free & ~barred_cards(view, own)
    full = view.hand_cards[player] >= view.rules.hand_limit
    return free if full and allowed == np.uint64(0) else allowed


@kernel
def write_question(view, hidden, player, decision, options, limit, may_decline):
    """Write a question and the player's hand into the view."""
    view.player = player
    view.decision = decision
    view.options = np.uint64(options)
    view.limit = limit
    view.may_decline = may_decline
    view.hand_once = hidden.hands_once[player]
    view.hand_twice = hidden.hands_twice[player]
    view.leaders = possible_leaders(view, hidden, player)
    view.may_lead = view.all_cards & ~view.wild_cards & ~barred_cards(view, hidden.own[player])


POSITION_SIZE = POSITION_DTYPE.itemsize
_log_at = record_loader(POSITION_LOG)
_position_at = record_loader(POSITION)


@kernel
def record_position(view, hidden):
    """Add a position to the buffer: the view with its question, all hands, and the answer."""
    log = _log_at(hidden.positions)
    if log.used >= log.room:
        return
    position = _position_at(log.address + log.used * POSITION_SIZE)
    log.used += 1
    position.game = hidden.result.game
    copy_record(position.open, view)
    copy_record(position.move, hidden.move)
    for player in range(MAX_PLAYERS):
        position.hands_once[player] = hidden.hands_once[player]
        position.hands_twice[player] = hidden.hands_twice[player]


@kernel
def consult_strategy(view, move, private):
    """Call a player's strategy to answer the question in the view; it writes `move`."""
    move.kind = UNANSWERED
    call_by_address(private.addresses[view.decision], view, move, private)


@kernel
def ask_player(view, hidden, player, decision, options, limit, may_decline):
    """Put a question to a player and write the answer to `hidden.move`."""
    write_question(view, hidden, player, decision, options, limit, may_decline)
    consult_strategy(view, hidden.move, hidden.own[player])
    if hidden.positions != 0:
        record_position(view, hidden)


@kernel
def note_fault(hidden, player, reason):
    """Write down who answered illegally and why; return `reason`, for the caller to return."""
    hidden.fault_reason = reason
    hidden.fault_seat = player
    return reason


@kernel
def note_wrong_kind(hidden, player):
    """Note the fault of an answer that is missing or of the wrong kind, and return the fault."""
    return note_fault(hidden, player, NO_ANSWER if hidden.move.kind == UNANSWERED else WRONG_KIND)


@kernel
def checked_choice(hidden, player, options, may_decline, fault_of_choice):
    """Check the choice in `hidden.move`: return (fault, choice); the choice is NONE for "no".

    The fault of a choice that is not in the mask `options` is `fault_of_choice`.
    """
    kind = hidden.move.kind
    choice = np.int64(hidden.move.choice)
    if kind == DECLINE:
        return NO_FAULT if may_decline else note_fault(hidden, player, MUST_CHOOSE), np.int64(NONE)
    if kind != CHOICE:
        return note_wrong_kind(hidden, player), np.int64(NONE)
    if choice < 0 or choice >= 64 or options & bit(choice) == ZERO:
        return note_fault(hidden, player, fault_of_choice), np.int64(NONE)
    return NO_FAULT, choice


@kernel
def ask_choice(view, hidden, player, decision, options, limit, may_decline, fault_of_choice):
    """Let a player choose from the mask `options`; return (fault, choice) as `checked_choice` does.

    The player is not asked if there is only one option, which may not be declined.
    """
    if not may_decline and options & (options - ONE) == ZERO:
        return NO_FAULT, lowest(options)
    ask_player(view, hidden, player, decision, options, limit, may_decline)
    return checked_choice(hidden, player, options, may_decline, fault_of_choice)


@kernel
def ask_yes_or_no(view, hidden, player, decision, limit):
    """Ask a player a yes-or-no question; return (fault, whether the answer is yes)."""
    reason, choice = ask_choice(view, hidden, player, decision, ONE, limit, 1, WRONG_KIND)
    return reason, choice != NONE
