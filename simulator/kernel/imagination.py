"""Imagined games for players that look ahead: guess the hidden cards, try a move, play on.

Hidden cards are sampled so that they agree with everything the player has seen (determinisation;
Cowling, Powley, Whitehouse 2012). The only input is the view, so nothing here can read the real
deck or a rival's hand.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, copies, count, lowest, union
from ethnos_sim.simulator.game.randomness import mix, next_state
from ethnos_sim.simulator.game.records import DRAGON, HIDDEN_DTYPE, NONE, OWN_DTYPE
from ethnos_sim.simulator.kernel.deal import shuffle, unseen_planes
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.memory import address_of, copy_bytes, copy_record
from ethnos_sim.simulator.kernel.turn import carry_out, end_turn, take_turn

#: The part of a hidden record that changes during play, by offset and size in bytes: all fields
#: from `next_card` on.
COURSE = HIDDEN_DTYPE.fields["next_card"][1]  # type: ignore[index]
COURSE_BYTES = HIDDEN_DTYPE.itemsize - COURSE

#: The part of a private record that changes during play: the random stream, then the memory.
PRIVATE = OWN_DTYPE.fields["random_state"][1]  # type: ignore[index]
PRIVATE_BYTES = 8 + OWN_DTYPE["memory"].itemsize


@kernel
def lay_out(order, once, twice):
    """Write the cards of a set to the start of `order`, one by one; return their number."""
    total = 0
    while once != np.uint64(0):
        card = lowest(once)
        for _ in range(copies(once, twice, card)):
            order[total] = card
            total += 1
        once &= once - ONE
    return total


@kernel
def imagine(view, own, hidden):
    """Fill a hidden record with a guess of the rivals' unknown cards and of the deck.

    Every arrangement of the unseen cards is equally likely; dragons not yet seen lie anywhere in
    the rest of the deck's bottom half. `own` is the acting player's private record, whose random
    stream is used.
    """
    order = hidden.deal.order[view.age - 1]
    once, twice = unseen_planes(view)
    total = lay_out(order, once, twice)
    state = shuffle(order, 0, total, mix(next_state(own.random_state)))
    own.random_state = next_state(own.random_state)
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
    if view.moments:  # custom powers get a fresh random stream, and their acts are counted from 0
        own.random_state = next_state(own.random_state)
        hidden.call.random_state = mix(own.random_state)
        hidden.call.acts = 0


@kernel
def seat_policies(view, own, hidden):
    """Let the policy of the imagining player answer for everybody.

    Only the imagining player keeps its restriction, as it does not know other players'
    restrictions.
    """
    for player in range(view.hands):
        seat = hidden.own[player]
        copy_record(seat, own)
        for decision in range(own.addresses.size):
            seat.addresses[decision] = own.policy_addresses[decision]
        if player != view.player:
            seat.never_leads = np.uint64(0)
            seat.free_ages = 0


@kernel
def begin_streams(view, own, hidden):
    """Give every seat a fresh random stream and an empty memory."""
    for player in range(view.hands):
        seat = hidden.own[player]
        own.random_state = next_state(own.random_state)
        seat.random_state = mix(own.random_state)
        for i in range(seat.memory.size):
            seat.memory[i] = 0


@kernel
def copy_course(target, source, players):
    """Copy the parts of a hidden record and of some private records that change during play.

    The seats of the target must be filled already.
    """
    for player in range(players):
        seat, model = address_of(target.own[player]), address_of(source.own[player])
        copy_bytes(seat + PRIVATE, model + PRIVATE, PRIVATE_BYTES)
    copy_bytes(address_of(target) + COURSE, address_of(source) + COURSE, COURSE_BYTES)


@kernel
def copy_deck(target, source, age):
    """Copy the guessed deck of an age."""
    order = target.deal.order[age - 1]
    dealt = source.deal.order[age - 1]
    for i in range(order.size):
        order[i] = dealt[i]


@kernel
def move_on(view, hidden, log):
    """Carry out `hidden.move` for the player whose turn it is."""
    player = np.int64(view.player)
    kind = np.int64(hidden.move.kind)
    reason = carry_out(view, hidden, player, log)
    if reason == NO_FAULT:
        reason = end_turn(view, hidden, player, kind, log)
    return reason


@kernel
def take_turns(view, hidden, turns, log):
    """Play a number of turns, fewer if the age ends."""
    reason = np.int64(NO_FAULT)
    while reason == NO_FAULT and turns > 0 and not view.age_over:
        reason = take_turn(view, hidden, log)
        turns -= 1
    return reason
