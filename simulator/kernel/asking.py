"""Asking a player: the one place where the game calls a strategy.

A strategy is compiled separately and called by the address of its machine code, so all line-ups use
the same compiled engine (a call costs about 3 ns). If `hidden.positions` has the address of a
buffer, questions and answers are written there as training data.
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
from ethnos_sim.simulator.kernel.memory import copy_record, record_at


@intrinsic
def call_strategy(typing_context, address, view, move, own):
    """Call the function at an address with three records, passed as pointers."""
    signature = types.void(types.int64, view, move, own)

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        function_type = ir.FunctionType(ir.VoidType(), [pointer] * 3)
        function = builder.inttoptr(arguments[0], function_type.as_pointer())
        builder.call(function, [builder.bitcast(a, pointer) for a in arguments[1:]])
        return context.get_dummy_value()

    return signature, generate


@kernel
def barred(view, own):
    """The cards that a player may not lead in this age."""
    if own.free_ages >> view.age & 1:
        return np.uint64(0)
    return own.never_leads


@kernel
def leaders(view, hidden, player):
    """The cards in a hand that may lead: not wild (R4), and allowed by the player's restrictions.

    A restriction is lifted if a full hand would otherwise have no legal move.
    """
    own = hidden.own[player]
    free = hidden.hands_once[player] & ~view.wild_cards
    allowed = free & ~barred(view, own)
    full = view.hand_cards[player] >= view.rules.hand_limit
    return free if full and allowed == np.uint64(0) else allowed


@kernel
def put_question(view, hidden, player, decision, options, limit, may_decline):
    """Write a question and the player's hand into the view."""
    view.player = player
    view.decision = decision
    view.options = np.uint64(options)
    view.limit = limit
    view.may_decline = may_decline
    view.hand_once = hidden.hands_once[player]
    view.hand_twice = hidden.hands_twice[player]
    view.leaders = leaders(view, hidden, player)
    view.may_lead = view.all_cards & ~view.wild_cards & ~barred(view, hidden.own[player])


POSITION_SIZE = POSITION_DTYPE.itemsize


_log_at = record_at(POSITION_LOG)
_position_at = record_at(POSITION)


@kernel
def note_position(view, hidden):
    """Record a position: the question in the view, all hands, and the answer in `hidden.move`."""
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
def consult(view, move, own):
    """Let a player's code answer the question in the view with a move."""
    move.kind = UNANSWERED
    call_strategy(own.addresses[view.decision], view, move, own)


@kernel
def ask(view, hidden, player, decision, options, limit, may_decline):
    """Put a question to a player and write the answer to `hidden.move`."""
    put_question(view, hidden, player, decision, options, limit, may_decline)
    consult(view, hidden.move, hidden.own[player])
    if hidden.positions != 0:
        note_position(view, hidden)


@kernel
def fault(hidden, player, reason):
    """Note a player's illegal answer; return `reason`, so that callers can pass it on."""
    hidden.fault_reason = reason
    hidden.fault_seat = player
    return reason


@kernel
def wrong_kind(hidden, player):
    """Note an answer whose kind does not fit the question; return this fault."""
    return fault(hidden, player, NO_ANSWER if hidden.move.kind == UNANSWERED else WRONG_KIND)


@kernel
def chosen(hidden, player, among, may_decline, wrong):
    """Check the answer in `hidden.move`: return (fault, choice), with choice NONE for "no".

    `wrong` is the fault of a choice that is not in the mask `among`.
    """
    kind = hidden.move.kind
    choice = np.int64(hidden.move.choice)
    if kind == DECLINE:
        return NO_FAULT if may_decline else fault(hidden, player, MUST_CHOOSE), np.int64(NONE)
    if kind != CHOICE:
        return wrong_kind(hidden, player), np.int64(NONE)
    if choice < 0 or choice >= 64 or among & bit(choice) == ZERO:
        return fault(hidden, player, wrong), np.int64(NONE)
    return NO_FAULT, choice


@kernel
def choose(view, hidden, player, decision, options, limit, may_decline, wrong):
    """Let a player choose from the mask `options`; return (fault, choice) as `chosen` does.

    A single option that may not be declined is taken without asking.
    """
    if not may_decline and options & (options - ONE) == ZERO:
        return NO_FAULT, lowest(options)
    ask(view, hidden, player, decision, options, limit, may_decline)
    return chosen(hidden, player, options, may_decline, wrong)


@kernel
def agrees(view, hidden, player, decision, limit):
    """Ask a player for a yes or a no: (fault, answer)."""
    reason, choice = choose(view, hidden, player, decision, ONE, limit, 1, WRONG_KIND)
    return reason, choice != NONE
