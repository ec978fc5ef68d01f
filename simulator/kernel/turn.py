"""A turn: recruit one card, or play a party (rules: "A turn"; rulings R1, R3, R9, R22)."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import bit, copies, count, lowest
from ethnos_sim.simulator.game.records import (
    FROM_DECK,
    FROM_POOL,
    NONE,
    PARTY,
    TEN_WILD,
    TURN,
    UNANSWERED,
)
from ethnos_sim.simulator.kernel import asking, events
from ethnos_sim.simulator.kernel.bruno import give_to_bruno, play_column
from ethnos_sim.simulator.kernel.card_moves import (
    POOL,
    draw_card,
    draw_cards,
    put_in_hand,
    show_in_hand,
    stop_age,
    take_from_pool,
)
from ethnos_sim.simulator.kernel.deal import set_up_age
from ethnos_sim.simulator.kernel.faults import HAND_FULL, NO_FAULT, NOT_IN_POOL
from ethnos_sim.simulator.kernel.moments import call_after_turn
from ethnos_sim.simulator.kernel.party import play_parties


@kernel
def recruit_card(view, hidden, player, log):
    """Recruit: take the card in `hidden.move` from the pool, or draw a card from the deck."""
    if view.hand_cards[player] >= view.rules.hand_limit:
        return asking.note_fault(hidden, player, HAND_FULL)
    hidden.dragons_met = 0
    from_deck = hidden.move.kind == FROM_DECK
    if from_deck:
        card = draw_card(view, hidden, player)
    else:
        card = np.int64(hidden.move.choice)
        in_range = card >= 0 and card < 64
        if not in_range or copies(view.pool_once, view.pool_twice, card) == 0:
            return asking.note_fault(hidden, player, NOT_IN_POOL)
        take_from_pool(view, bit(card))
        show_in_hand(view, player, bit(card))
    if card != NONE:
        put_in_hand(view, hidden, player, bit(card))
    if events.is_recording(log):
        events.append(log, events.RECRUIT, player, from_deck, card, hidden.dragons_met)
    hidden.call.card = card
    return NO_FAULT


@kernel
def has_only_wild_cards(view, hidden, player):
    """Whether a player's hand is full and has only wild cards (R3)."""
    full = view.hand_cards[player] >= view.rules.hand_limit
    return full and hidden.hands_once[player] & ~view.wild_cards == np.uint64(0)


@kernel
def pass_or_win(view, hidden, player, log):
    """Let a player with a full hand of wild cards pass, or win if the rules allow (R3)."""
    if view.rules.ten_wild_wins:
        reason, wins = asking.ask_yes_or_no(view, hidden, player, TEN_WILD, view.hand_cards[player])
        if reason != NO_FAULT:
            return reason
        if wins:
            hidden.ten_wild_winner = player
            view.age_over = 1
            once, twice = hidden.hands_once[player], hidden.hands_twice[player]
            events.clear_party_event(hidden.event)
            events.write_party(log, player, once, twice, lowest(once), hidden.event)
            events.append(log, 0, 0, 0, 0, 0)  # nothing is kept, discarded or drawn
            return NO_FAULT
    events.append(log, events.PASS, player)
    if nobody_can_play(view, hidden):
        stop_age(view, hidden, player)
    return NO_FAULT


@kernel
def nobody_can_play(view, hidden):
    """Whether all hands are full of wild cards, so that the age must end (R30); never in solo."""
    for player in range(view.hands):
        if not has_only_wild_cards(view, hidden, player):
            return False
    return not view.solo


@kernel
def refill_pool(view, hidden, player, minimum, log):
    """Refill the pool to its full size; draw at least `minimum` cards (R9; solo, R23).

    `player` counts as the player who draws these cards and any dragon among them.
    """
    missing = max(view.rules.pool_refill - count(view.pool_once, view.pool_twice), minimum)
    if missing > 0:
        events.append(log, events.REFILL, player)
        draw_cards(view, hidden, player, missing, POOL, log)


@kernel
def open_age(view, hidden, log):
    """Deal an age, and fill the pool before its first turn if the pool is refilled (R28)."""
    set_up_age(view, hidden)
    if events.is_recording(log):
        events.write_age(log, view, hidden)
    if view.rules.pool_refill:
        refill_pool(view, hidden, np.int64(view.player), 0, log)


@kernel
def end_solo_turn(view, hidden, move_kind, log):
    """End a solo turn: give Bruno a card, refill the pool, play a column (R22, R23, R26)."""
    reason = np.int64(NO_FAULT)
    if not view.age_over:
        reason = give_to_bruno(view, hidden, move_kind, log)
    if reason == NO_FAULT and not view.age_over:
        refill_pool(view, hidden, 0, 0 if move_kind == PARTY else 1, log)
    if reason == NO_FAULT and not view.age_over:
        reason = play_column(view, hidden, log)
    return reason


@kernel
def show_last_move(view, move, player):
    """Write a player's last move into the view; of a turn with several parties, the first party."""
    view.last_kind[player] = move.kind
    view.last_card[player] = NONE
    view.last_size[player] = 0
    if move.kind == FROM_POOL:
        view.last_card[player] = move.choice
    elif move.kind == PARTY:
        view.last_card[player] = move.leader
        view.last_size[player] = count(move.once, move.twice)


@kernel
def carry_out_move(view, hidden, player, log):
    """Carry out the move in `hidden.move`: a recruit or a party; return a fault or NO_FAULT."""
    kind = hidden.move.kind
    show_last_move(view, hidden.move, player)
    if kind == FROM_DECK or kind == FROM_POOL:
        return recruit_card(view, hidden, player, log)
    if kind == PARTY:
        return play_parties(view, hidden, player, log)
    return asking.note_wrong_kind(hidden, player)


@kernel
def end_turn(view, hidden, player, move_kind, log):
    """End a turn: call custom powers, refill the pool or end a solo turn, go to the next player.

    `move_kind` is the kind of the turn's move.
    """
    reason = np.int64(NO_FAULT)
    if view.moments and not view.age_over:
        recruited = move_kind == FROM_DECK or move_kind == FROM_POOL
        reason = call_after_turn(view, hidden, log, player, recruited)
        if reason != NO_FAULT:
            return reason
    if view.solo:
        reason = end_solo_turn(view, hidden, move_kind, log)
    elif view.rules.pool_refill and not view.age_over:
        refill_pool(view, hidden, player, 0, log)
    view.player = (player + 1) % view.hands
    return reason


@kernel
def take_turn(view, hidden, log):
    """Play one turn of the player whose turn it is."""
    player = np.int64(view.player)
    kind = np.int64(UNANSWERED)
    view.turns += 1
    hidden.result.decisions += 1
    if has_only_wild_cards(view, hidden, player):
        reason = pass_or_win(view, hidden, player, log)
    else:
        asking.ask_player(view, hidden, player, TURN, 0, 0, 0)
        kind = np.int64(hidden.move.kind)
        reason = carry_out_move(view, hidden, player, log)
    return reason if reason != NO_FAULT else end_turn(view, hidden, player, kind, log)
