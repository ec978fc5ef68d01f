"""The action space: every legal answer to every question, as one number or several.

Cards have the same numbers as in the view, `6 * slot + color`. A party of all cards of the leader's
clan or color, with all wild cards or none, is one action. Any other party takes several actions:
the leader alone, one card after another, and "no" to end it. Kept cards are named one by one in the
same way. If two actions mean the same, only one is legal.
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
"""How many actions there are."""

BLOCKS = (
    (FROM_THE_DECK, 1, "draw from the deck"),
    (NO, 1, "no; or end naming a party or the cards to keep"),
    (YES, 1, "yes; keep the whole hand"),
    (FIRST_CHOICE, MAX_CHOICES, "choose region, tie-break token or slot i"),
    (FIRST_CARD, MAX_CARDS, "take card i, or name it; or choose option i of a power"),
    (LEAD_CLAN, MAX_CARDS, "card i leads all cards of its clan in hand, with all wild cards"),
    (LEAD_COLOR, MAX_CARDS, "card i leads all cards of its color in hand, with all wild cards"),
    (LEAD_CLAN_TAME, MAX_CARDS, "card i leads all cards of its clan in hand, no wild cards"),
    (LEAD_COLOR_TAME, MAX_CARDS, "card i leads all cards of its color in hand, no wild cards"),
    (LEAD_ALONE, MAX_CARDS, "card i leads a party that is then built card by card"),
)
"""The blocks of the action space: first action, number of actions, meaning of the i-th action."""

BUILDING_DTYPE = np.dtype(
    [("open", "i1"), ("leader", "i1"), ("once", "u8"), ("twice", "u8")], align=True
)
"""A party (or kept cards) in the making: whether it was begun, its leader, and its cards so far."""

#: Masks of questions: CHOOSES are answered by an option, OFFERS by an offered card.
CHOOSES, OFFERS = (
    sum(1 << number for number, kind in enumerate(ANSWERED_BY.values()) if kind == asked)
    for asked in ("option", "card")
)


@kernel
def group_of(view, leader, by_color, wild):
    """The hand's cards of a leader's color (`by_color`) or clan, with wild cards if `wild`."""
    mask = view.color_cards[leader % REGIONS] if by_color else view.clan_cards[leader // REGIONS]
    mask = mask | view.wild_cards if wild else mask & ~view.wild_cards
    return view.hand_once & mask, view.hand_twice & mask


@kernel
def group_led(view, action):
    """The cards of the group that an action leads."""
    by_color = (LEAD_COLOR <= action < LEAD_CLAN_TAME) or action >= LEAD_COLOR_TAME
    return group_of(view, (action - LEAD_CLAN) % MAX_CARDS, by_color, action < LEAD_CLAN_TAME)


@kernel
def put_cards(legal, number, plane, first):
    """Append an action for each card of a plane; return the new number of actions."""
    while plane != np.uint64(0):
        legal[number] = first + lowest(plane)
        number += 1
        plane &= plane - ONE
    return number


@kernel
def put_parties(view, legal, number):
    """Append the actions that lead a party; return the new number of actions."""
    wild = view.hand_once & view.wild_cards != np.uint64(0)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        clan = group_of(view, leader, False, False)
        color = group_of(view, leader, True, False)
        for block in range(4 if wild else 2):
            by_color = block % 2 == 1
            group = group_of(view, leader, by_color, block < 2)
            fits = count(group[0], group[1]) <= view.rules.party_limit
            if fits and (clan != color or not by_color):
                legal[number] = LEAD_CLAN + block * MAX_CARDS + leader
                number += 1
        if wild or max(count(clan[0], clan[1]), count(color[0], color[1])) > 1:
            legal[number] = LEAD_ALONE + leader
            number += 1
    return number


@kernel
def addable(view, building):
    """The cards of the hand that may join the party that is being built."""
    if count(building.once, building.twice) >= view.rules.party_limit:
        return np.uint64(0)
    left = difference(view.hand_once, view.hand_twice, building.once, building.twice)[0]
    leader = np.int64(building.leader)
    members = building.once & ~view.wild_cards
    allowed = view.wild_cards
    if members & ~view.clan_cards[leader // REGIONS] == np.uint64(0):
        allowed |= view.clan_cards[leader // REGIONS]
    if members & ~view.color_cards[leader % REGIONS] == np.uint64(0):
        allowed |= view.color_cards[leader % REGIONS]
    return left & allowed


@kernel
def keepable(view, building):
    """The cards of the hand that may still be kept."""
    if count(building.once, building.twice) >= view.limit:
        return np.uint64(0)
    return difference(view.hand_once, view.hand_twice, building.once, building.twice)[0]


@kernel
def list_legal(view, building, legal):
    """Write the legal actions for the open question into `legal`; return their number."""
    decision = view.decision
    number = 0
    full = view.hand_cards[view.player] >= view.rules.hand_limit
    if decision == TURN and not building.open and not full:
        legal[0] = FROM_THE_DECK
        number = put_cards(legal, 1, view.pool_once, FIRST_CARD)
    if decision == TURN or decision == SECOND_PARTY:
        if building.open:
            legal[0] = NO
            return put_cards(legal, 1, addable(view, building), FIRST_CARD)
        number = put_parties(view, legal, number)
        if decision == SECOND_PARTY:
            legal[number] = NO
            number += 1
        return number
    if decision == KEEP:
        legal[0] = NO
        number = 1
        if building.once == np.uint64(0) and view.hand_cards[view.player] <= view.limit:
            legal[1] = YES
            number = 2
        return put_cards(legal, number, keepable(view, building), FIRST_CARD)
    if (OFFERS >> decision) & 1:
        number = put_cards(legal, 0, view.offered_once, FIRST_CARD)
    elif (CHOOSES >> decision) & 1:
        number = put_cards(legal, 0, view.options, FIRST_CHOICE)
    else:
        legal[0] = NO
        legal[1] = YES
        return 2
    if view.may_decline:
        legal[number] = NO
        number += 1
    return number


@kernel
def answer_party(move, leader, once, twice):
    """Answer with a party."""
    move.kind = PARTY
    move.leader = leader
    move.once = once
    move.twice = twice
    return True


@kernel
def add_card(building, action):
    """Add a card to the party or kept cards; return False, as the answer is not complete."""
    building.once, building.twice = union(
        building.once, building.twice, bit(action - FIRST_CARD), np.uint64(0)
    )
    return False


@kernel
def name_party(view, building, move, action):
    """Lead or build a party; return whether the answer in `move` is complete."""
    if building.open:
        if action == NO:
            return answer_party(move, building.leader, building.once, building.twice)
        return add_card(building, action)
    leader = (action - LEAD_CLAN) % MAX_CARDS
    if action >= LEAD_ALONE:
        building.open = 1
        building.leader = leader
        building.once = bit(leader)
        return False
    once, twice = group_led(view, action)
    return answer_party(move, leader, once, twice)


@kernel
def name_kept(view, building, move, action):
    """Name cards to keep; return whether the answer in `move` is complete."""
    if action >= FIRST_CARD:
        building.open = 1
        return add_card(building, action)
    move.kind = CARDS
    move.once = building.once if action == NO else view.hand_once
    move.twice = building.twice if action == NO else view.hand_twice
    return True


@kernel
def clear(building):
    """Forget the party or kept cards in the making."""
    building.open = 0
    building.once = np.uint64(0)
    building.twice = np.uint64(0)


@kernel
def take_action(view, building, move, action):
    """Turn a legal action into the answer in `move`; return whether the answer is complete."""
    decision = view.decision
    if decision == KEEP:
        return name_kept(view, building, move, action)
    if building.open or action >= LEAD_CLAN:
        return name_party(view, building, move, action)
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
