"""Imagined games for players that look ahead: guess the hidden cards, try a move, play on.

Hidden cards are sampled so that they agree with everything the player has seen (determinisation;
Cowling, Powley, Whitehouse 2012). Guesses read the view and the player's private record alone, so
they cannot depend on the real deck or a rival's hand.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, copies, count, lowest, union
from ethnos_sim.simulator.game.randomness import mix, next_state
from ethnos_sim.simulator.game.records import DRAGON, HIDDEN_DTYPE, NONE, OWN_DTYPE
from ethnos_sim.simulator.kernel.deal import shuffle, unseen_set
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.memory import address_of, copy_bytes, copy_record
from ethnos_sim.simulator.kernel.turn import carry_out_move, end_turn, take_turn

#: The offset and size in bytes of the block of a hidden record that changes during play: all
#: fields from `next_card` on.
PROGRESS_OFFSET = HIDDEN_DTYPE.fields["next_card"][1]  # type: ignore[index]
PROGRESS_BYTES = HIDDEN_DTYPE.itemsize - PROGRESS_OFFSET

#: The offset and size in bytes of a private record's block that changes: its stream and memory.
PRIVATE_OFFSET = OWN_DTYPE.fields["random_state"][1]  # type: ignore[index]
PRIVATE_BYTES = 8 + OWN_DTYPE["memory"].itemsize


@kernel
def write_copies(order, once, twice):
    """Write all cards of a set to the start of `order`, and return their number."""
    total = 0
    while once != np.uint64(0):
        card = lowest(once)
        for _ in range(copies(once, twice, card)):
            order[total] = card
            total += 1
        once &= once - ONE
    return total


@kernel
def guess_hidden_cards(view, private, hidden):
    """Fill a hidden record with a guess of the rivals' unknown cards and of the deck.

    Every arrangement of the unseen cards is equally likely, with the remaining dragons anywhere in
    the part of the deck that has dragons. `private` is the acting player's record, whose random
    stream is used.
    """
    order = hidden.deal.order[view.age - 1]
    once, twice = unseen_set(view)
    total = write_copies(order, once, twice)
    state = shuffle(order, 0, total, mix(next_state(private.random_state)))
    private.random_state = next_state(private.random_state)
    for player in range(view.hands):
        if player == view.player:
            hidden.hands_once[player] = view.hand_once
            hidden.hands_twice[player] = view.hand_twice
            continue
        hand_once = view.known_once[player]
        hand_twice = view.known_twice[player]
        for _ in range(view.hand_cards[player] - count(hand_once, hand_twice)):
            total -= 1
            hand_once, hand_twice = union(hand_once, hand_twice, bit(order[total]), np.uint64(0))
        hidden.hands_once[player] = hand_once
        hidden.hands_twice[player] = hand_twice
    dragons = view.rules.dragons - view.dragons_seen
    for i in range(dragons):
        order[total + i] = DRAGON
    total += dragons
    part = np.int64(view.rules.dragons_part[view.age - 1])
    shuffle(order, total - min(total, part), total, state)
    hidden.next_card = 0
    hidden.ten_wild_winner = NONE
    if view.moments:  # custom powers get a fresh random stream, and their actions count from 0
        private.random_state = next_state(private.random_state)
        hidden.call.random_state = mix(private.random_state)
        hidden.call.action_count = 0


@kernel
def copy_policy_to_seats(view, private, hidden):
    """Let the policy of the imagining player answer for everybody.

    Other players get no restriction, because the imagining player does not know it.
    """
    for player in range(view.hands):
        seat = hidden.own[player]
        copy_record(seat, private)
        for decision in range(private.addresses.size):
            seat.addresses[decision] = private.policy_addresses[decision]
        if player != view.player:
            seat.never_leads = np.uint64(0)
            seat.free_ages = 0


@kernel
def reset_seats(view, private, hidden):
    """Give every seat a fresh random stream and an empty memory."""
    for player in range(view.hands):
        seat = hidden.own[player]
        private.random_state = next_state(private.random_state)
        seat.random_state = mix(private.random_state)
        for i in range(seat.memory.size):
            seat.memory[i] = 0


@kernel
def copy_progress(target, source, players):
    """Copy the fields of a hidden record that change during play; its other fields must be equal.

    Of its private records, only those of the first `players` players are copied.
    """
    for player in range(players):
        seat, model = address_of(target.own[player]), address_of(source.own[player])
        copy_bytes(seat + PRIVATE_OFFSET, model + PRIVATE_OFFSET, PRIVATE_BYTES)
    to, origin = address_of(target) + PROGRESS_OFFSET, address_of(source) + PROGRESS_OFFSET
    copy_bytes(to, origin, PROGRESS_BYTES)


@kernel
def copy_deck(target, source, age):
    """Copy the order of an age's deck from one hidden record to another."""
    order = target.deal.order[age - 1]
    dealt = source.deal.order[age - 1]
    for i in range(order.size):
        order[i] = dealt[i]


@kernel
def play_move(view, hidden, log):
    """Carry out `hidden.move` for the player whose turn it is, and end the turn."""
    player = np.int64(view.player)
    kind = np.int64(hidden.move.kind)
    reason = carry_out_move(view, hidden, player, log)
    if reason == NO_FAULT:
        reason = end_turn(view, hidden, player, kind, log)
    return reason


@kernel
def take_turns(view, hidden, turns, log):
    """Play `turns` turns, or fewer if the age ends; return a fault or NO_FAULT."""
    reason = np.int64(NO_FAULT)
    while reason == NO_FAULT and turns > 0 and not view.age_over:
        reason = take_turn(view, hidden, log)
        turns -= 1
    return reason
