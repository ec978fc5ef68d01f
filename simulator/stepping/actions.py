"""The action space: every legal answer to every question is one numbered action, or several.

Cards have the same numbers as in the view, `6 * slot + color`. A party of all cards of the leader's
clan or color, with all wild cards or none, is one action. Any other party takes several actions:
the leader alone, one card after another, and "no" to end the party. Cards to keep are also selected
one by one. If two actions mean the same, only one is legal.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, count, difference, lowest, union
from ethnos_sim.simulator.game.records import (
    ANSWERED_BY,
    CARDS,
    CHOICE,
    DECLINE,
    FROM_DECK,
    FROM_POOL,
    KEEP,
    MAX_SLOTS,
    PARTY,
    REGIONS,
    SECOND_PARTY,
    TURN,
)

MAX_CARDS = MAX_SLOTS * REGIONS
MAX_CHOICES = MAX_SLOTS

FROM_THE_DECK = 0
NO = 1
YES = 2
FIRST_CHOICE = 3
FIRST_CARD = FIRST_CHOICE + MAX_CHOICES
LEAD_CLAN = FIRST_CARD + MAX_CARDS
LEAD_COLOR = LEAD_CLAN + MAX_CARDS
LEAD_CLAN_TAME = LEAD_COLOR + MAX_CARDS
LEAD_COLOR_TAME = LEAD_CLAN_TAME + MAX_CARDS
LEAD_ALONE = LEAD_COLOR_TAME + MAX_CARDS
ACTIONS = LEAD_ALONE + MAX_CARDS
"""The number of actions; the constants above are the first actions of the blocks."""

BLOCKS = (
    (FROM_THE_DECK, 1, "draw from the deck"),
    (NO, 1, "no; or end the selection of cards"),
    (YES, 1, "yes; keep the whole hand"),
    (FIRST_CHOICE, MAX_CHOICES, "choose region, tie-break token or slot i"),
    (FIRST_CARD, MAX_CARDS, "take card i, or select it; or choose option i of a power"),
    (LEAD_CLAN, MAX_CARDS, "card i leads all cards of its clan in hand, with all wild cards"),
    (LEAD_COLOR, MAX_CARDS, "card i leads all cards of its color in hand, with all wild cards"),
    (LEAD_CLAN_TAME, MAX_CARDS, "card i leads all cards of its clan in hand, no wild cards"),
    (LEAD_COLOR_TAME, MAX_CARDS, "card i leads all cards of its color in hand, no wild cards"),
    (LEAD_ALONE, MAX_CARDS, "card i leads a party that is then built card by card"),
)
"""The blocks of the action space: first action, number of actions, meaning of the i-th action."""

SELECTION_DTYPE = np.dtype(
    [("open", "i1"), ("leader", "i1"), ("once", "u8"), ("twice", "u8")], align=True
)
"""The cards selected so far for a party or to keep; `open` is 1 once the selection has begun."""

#: Masks of the questions that are answered by one of `view.options`, or by an offered card.
OPTION_QUESTIONS, CARD_QUESTIONS = (
    sum(1 << number for number, kind in enumerate(ANSWERED_BY.values()) if kind == asked)
    for asked in ("option", "card")
)


@kernel
def leader_group(view, leader, by_color, with_wild):
    """The cards in hand of a leader's clan, or color if `by_color`; `with_wild` adds wild cards."""
    mask = view.color_cards[leader % REGIONS] if by_color else view.clan_cards[leader // REGIONS]
    mask = mask | view.wild_cards if with_wild else mask & ~view.wild_cards
    return view.hand_once & mask, view.hand_twice & mask


@kernel
def cards_of_action(view, action):
    """The cards of the party that an action of the blocks LEAD_CLAN to LEAD_COLOR_TAME plays."""
    by_color = (LEAD_COLOR <= action < LEAD_CLAN_TAME) or action >= LEAD_COLOR_TAME
    return leader_group(view, (action - LEAD_CLAN) % MAX_CARDS, by_color, action < LEAD_CLAN_TAME)


@kernel
def append_card_actions(legal_actions, total, plane, first_action):
    """Append an action for each card of a bit mask; return the new `total` of legal actions."""
    while plane != np.uint64(0):
        legal_actions[total] = first_action + lowest(plane)
        total += 1
        plane &= plane - ONE
    return total


@kernel
def append_party_actions(view, legal_actions, total):
    """Append the actions that begin a party; return the new `total` of legal actions."""
    wild = view.hand_once & view.wild_cards != np.uint64(0)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        clan = leader_group(view, leader, False, False)
        color = leader_group(view, leader, True, False)
        for block in range(4 if wild else 2):
            by_color = block % 2 == 1
            group = leader_group(view, leader, by_color, block < 2)
            fits = count(group[0], group[1]) <= view.rules.party_limit
            if fits and (clan != color or not by_color):
                legal_actions[total] = LEAD_CLAN + block * MAX_CARDS + leader
                total += 1
        if wild or max(count(clan[0], clan[1]), count(color[0], color[1])) > 1:
            legal_actions[total] = LEAD_ALONE + leader
            total += 1
    return total


@kernel
def joining_cards(view, selection):
    """The cards in hand that may join the selected party."""
    if count(selection.once, selection.twice) >= view.rules.party_limit:
        return np.uint64(0)
    left = difference(view.hand_once, view.hand_twice, selection.once, selection.twice)[0]
    leader = np.int64(selection.leader)
    members = selection.once & ~view.wild_cards
    allowed = view.wild_cards
    if members & ~view.clan_cards[leader // REGIONS] == np.uint64(0):
        allowed |= view.clan_cards[leader // REGIONS]
    if members & ~view.color_cards[leader % REGIONS] == np.uint64(0):
        allowed |= view.color_cards[leader % REGIONS]
    return left & allowed


@kernel
def cards_to_keep(view, selection):
    """The cards in hand that may still be selected to be kept."""
    if count(selection.once, selection.twice) >= view.limit:
        return np.uint64(0)
    return difference(view.hand_once, view.hand_twice, selection.once, selection.twice)[0]


@kernel
def list_actions(view, selection, legal_actions):
    """Write the legal actions for the open question into `legal_actions`; return their number."""
    decision = view.decision
    total = 0
    full = view.hand_cards[view.player] >= view.rules.hand_limit
    if decision == TURN and not selection.open and not full:
        legal_actions[0] = FROM_THE_DECK
        total = append_card_actions(legal_actions, 1, view.pool_once, FIRST_CARD)
    if decision == TURN or decision == SECOND_PARTY:
        if selection.open:
            legal_actions[0] = NO
            return append_card_actions(legal_actions, 1, joining_cards(view, selection), FIRST_CARD)
        total = append_party_actions(view, legal_actions, total)
        if decision == SECOND_PARTY:
            legal_actions[total] = NO
            total += 1
        return total
    if decision == KEEP:
        legal_actions[0] = NO
        total = 1
        if selection.once == np.uint64(0) and view.hand_cards[view.player] <= view.limit:
            legal_actions[1] = YES
            total = 2
        return append_card_actions(legal_actions, total, cards_to_keep(view, selection), FIRST_CARD)
    if (CARD_QUESTIONS >> decision) & 1:
        total = append_card_actions(legal_actions, 0, view.offered_once, FIRST_CARD)
    elif (OPTION_QUESTIONS >> decision) & 1:
        total = append_card_actions(legal_actions, 0, view.options, FIRST_CHOICE)
    else:
        legal_actions[0] = NO
        legal_actions[1] = YES
        return 2
    if view.may_decline:
        legal_actions[total] = NO
        total += 1
    return total


@kernel
def answer_with_party(move, leader, once, twice):
    """Write a party to `move`; return True, because the answer is complete."""
    move.kind = PARTY
    move.leader = leader
    move.once = once
    move.twice = twice
    return True


@kernel
def add_card(selection, action):
    """Add a card to the selection; return False, because the answer is not complete."""
    selection.once, selection.twice = union(
        selection.once, selection.twice, bit(action - FIRST_CARD), np.uint64(0)
    )
    return False


@kernel
def build_party(view, selection, move, action):
    """Play a whole party, or select its next card; return whether the answer is complete."""
    if selection.open:
        if action == NO:
            return answer_with_party(move, selection.leader, selection.once, selection.twice)
        return add_card(selection, action)
    leader = (action - LEAD_CLAN) % MAX_CARDS
    if action >= LEAD_ALONE:
        selection.open = 1
        selection.leader = leader
        selection.once = bit(leader)
        return False
    once, twice = cards_of_action(view, action)
    return answer_with_party(move, leader, once, twice)


@kernel
def select_kept_cards(view, selection, move, action):
    """Select a card to keep, or end the selection; return whether the answer is complete."""
    if action >= FIRST_CARD:
        selection.open = 1
        return add_card(selection, action)
    move.kind = CARDS
    move.once = selection.once if action == NO else view.hand_once
    move.twice = selection.twice if action == NO else view.hand_twice
    return True


@kernel
def clear_selection(selection):
    """Empty the selection."""
    selection.open = 0
    selection.once = np.uint64(0)
    selection.twice = np.uint64(0)


@kernel
def take_action(view, selection, move, action):
    """Carry out a legal action; return whether it completes the answer in `move`."""
    decision = view.decision
    if decision == KEEP:
        return select_kept_cards(view, selection, move, action)
    if selection.open or action >= LEAD_CLAN:
        return build_party(view, selection, move, action)
    if action == FROM_THE_DECK:
        move.kind = FROM_DECK
    elif action == NO:
        move.kind = DECLINE
    elif action == YES:
        move.kind = CHOICE
        move.choice = lowest(view.options)
    elif action < FIRST_CARD:
        move.kind = CHOICE
        move.choice = action - FIRST_CHOICE
    else:
        move.kind = FROM_POOL if decision == TURN else CHOICE
        move.choice = action - FIRST_CARD
    return True
