"""The moves worth trying for a question.

In an array of moves, a move has five numbers: kind, leader, card, and two bit masks of cards.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.cards import ONE, bit, count, lowest, popcount
from ethnos_sim.simulator.game.power_numbers import KEEPS_CARDS, SECOND_PARTY
from ethnos_sim.simulator.game.records import (
    DECLINE,
    DRAW,
    FROM_DECK,
    FROM_POOL,
    KEEP,
    NONE,
    PARTY,
    REGIONS,
    TURN,
)
from ethnos_sim.simulator.game.records import SECOND_PARTY as ASK_SECOND_PARTY
from ethnos_sim.simulator.kernel.card_moves import scored_size
from ethnos_sim.strategies.net.facts import marker_strength, points_scored, power_worth
from ethnos_sim.strategies.net.hand import clan_count, color_count, marker_worth
from ethnos_sim.strategies.net.vectors import floats_on_stack
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, party_of
from ethnos_sim.strategies.toolkit.moves import Move
from ethnos_sim.strategies.toolkit.position import hand_is_full

#: How many numbers a move has in an array of moves.
MOVE_SIZE = 5

#: The most moves that fit into an array of moves.
MOST_MOVES = 128

#: The length of an array of moves.
MOVES_SIZE = 1 + MOST_MOVES * MOVE_SIZE

#: The number of pool cards that are tried if the pool has more, apart from ties.
RECRUITS = 5

#: A player who can recruit skips parties whose `gain_over_waiting` is at most 0, or is this much
#: below the best party's. In 70,000 turns, 1.4 % of the best moves were such parties.
LARGEST_GAP = 5.0


@uncounted
def append_move(moves, kind, leader, card, once, twice):
    """Append a move to an array of moves, whose first number counts the moves."""
    number = moves[0]
    start = 1 + MOVE_SIZE * number
    moves[start] = kind
    moves[start + 1] = leader
    moves[start + 2] = card
    moves[start + 3] = np.int64(once)
    moves[start + 4] = np.int64(twice)
    moves[0] = number + 1


@uncounted
def move_at(moves, number):
    """The move with a number (from 0) in an array of moves."""
    start = 1 + MOVE_SIZE * number
    once = np.uint64(moves[start + 3])
    twice = np.uint64(moves[start + 4])
    return Move(moves[start], moves[start + 1], moves[start + 2], once, twice)


@uncounted
def collect_parties(view, moves):
    """Append, for every leader, the party of its larger group and all wild cards.

    A leader's groups are its clan and its color. Both are tried if they are equally large. If the
    leader's power keeps the rest of the hand in play, both are tried with and without wild cards.
    """
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        power = np.int64(view.power[leader // REGIONS])
        clan = view.clan_cards[leader // REGIONS]
        color = view.color_cards[leader % REGIONS] & ~view.wild_cards
        clan_count = cards_in_hand(view, clan)
        color_count = cards_in_hand(view, color)
        stays = power == SECOND_PARTY or power == KEEPS_CARDS
        for by_color in range(2):
            mask = color if by_color else clan
            fewer = color_count < clan_count if by_color else clan_count < color_count
            if fewer and not stays:
                continue
            if by_color and color_count == clan_count and color_count == 1:
                continue
            for bare in range(2):
                if bare and not (stays and wild > 0):
                    continue
                party = mask if bare else mask | view.wild_cards
                cards = party_of(view, leader, view.hand_once & party, view.hand_twice & party)
                append_move(moves, PARTY, leader, 0, cards.once, cards.twice)


@uncounted
def gain_over_waiting(view, facts, leader, once, twice):
    """An estimate of how much more prestige a party is worth than waiting.

    It is the party's prestige plus twice its marker's worth, less a cost for each card that is
    played or discarded, plus a bonus for each age to come. The factors are fitted to a net.
    """
    slot = leader // REGIONS
    power = np.int64(view.power[slot])
    color = leader - slot * REGIONS
    size = count(once, twice)
    rest = np.int64(view.hand_cards[view.player]) - size
    brings = points_scored(view, slot, scored_size(view, once, twice))
    brings += power_worth(facts, slot, color, size)
    brings += 2.0 * marker_worth(facts, power, color, marker_strength(view, slot, size))
    return brings - 0.5 * size - 1.5 * rest + 2.5 * (view.ages - view.age)


@uncounted
def drop_poor_parties(view, facts, moves):
    """Drop parties of little `gain_over_waiting` from a turn's moves, if the player can recruit."""
    if view.decision != TURN or hand_is_full(view):
        return
    gains = floats_on_stack(MOST_MOVES)
    best = -1e9
    for number in range(moves[0]):
        place = 1 + MOVE_SIZE * number
        if moves[place] == PARTY:
            once = np.uint64(moves[place + 3])
            twice = np.uint64(moves[place + 4])
            gains[number] = gain_over_waiting(view, facts, moves[place + 1], once, twice)
            best = max(best, float(gains[number]))
    least = max(0.0, best - LARGEST_GAP)
    kept = 0
    for number in range(moves[0]):
        place = 1 + MOVE_SIZE * number
        if moves[place] != PARTY or gains[number] > least:
            if kept < number:
                for i in range(MOVE_SIZE):
                    moves[1 + MOVE_SIZE * kept + i] = moves[place + i]
            kept += 1
    moves[0] = kept


@uncounted
def companion_count(view, hand, card):
    """The number of cards in hand of a card's clan, plus the number of cards of its color."""
    slot = card // REGIONS
    return clan_count(hand, view.home[slot]) + color_count(hand, card - slot * REGIONS)


@uncounted
def collect_recruits(view, hand, moves):
    """Append a draw, the pool's wild cards, and the pool cards with most companions in hand.

    From a pool of more than RECRUITS cards, the best RECRUITS are tried, and all cards that are as
    good as the last of these. Cards without companions are tried only if the hand has fewer than
    two cards.
    """
    none = np.uint64(0)
    append_move(moves, FROM_DECK, 0, 0, none, none)
    fewest = np.int64(hand.cards > 1)
    least = fewest
    if popcount(view.pool_once) > RECRUITS:
        counts = np.uint64(0)  # counts of cards by their number of companions, 8 bits each
        left = view.pool_once & ~view.wild_cards
        while left != none:
            card = lowest(left)
            left &= left - ONE
            counts += ONE << np.uint64(8 * min(companion_count(view, hand, card), 7))
        least = np.int64(7)
        kept = np.int64(counts >> np.uint64(56))
        while kept < RECRUITS and least > fewest:
            least -= 1
            kept += np.int64((counts >> np.uint64(8 * least)) & np.uint64(255))
    left = view.pool_once
    while left != none:
        card = lowest(left)
        left &= left - ONE
        wild = bit(card) & view.wild_cards != none
        if least == 0 or wild or companion_count(view, hand, card) >= least:
            append_move(moves, FROM_POOL, 0, card, none, none)


@uncounted
def cards_to_keep(once, twice, group, wild_cards, limit):
    """At most `limit` cards to keep, as bit masks: first wild cards, then a group, then others."""
    kept_once = np.uint64(0)
    kept_twice = np.uint64(0)
    left = limit
    for part in range(3):
        mask = wild_cards
        if part == 1:
            mask = group & ~wild_cards
        elif part == 2:
            mask = ~group & ~wild_cards
        cards = once & mask
        while cards != np.uint64(0) and left > 0:
            plane = bit(lowest(cards))
            cards &= cards - ONE
            kept_once |= plane
            left -= 1
            if twice & plane != np.uint64(0) and left > 0:
                kept_twice |= plane
                left -= 1
    return kept_once, kept_twice


@uncounted
def append_keep_answer(view, moves, group):
    """Append the answer to `keep` that prefers wild cards, and then cards of a group."""
    limit = np.int64(view.limit)
    kept = cards_to_keep(view.hand_once, view.hand_twice, group, view.wild_cards, limit)
    append_move(moves, DECLINE, NONE, 0, kept[0], kept[1])


@uncounted
def largest_group(view, once, twice):
    """The mask of the largest group in a set of cards: a color, or a clan that may lead."""
    best = np.uint64(0)
    most = np.int64(-1)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        if i >= REGIONS and mask & view.may_lead == np.uint64(0):
            continue
        mask &= ~view.wild_cards
        held = count(once & mask, twice & mask)
        if held > most:
            most = held
            best = mask
    return best


@uncounted
def collect_moves(view, hand, moves):
    """Fill the array `moves` with the answers to the open question that are worth trying.

    An answer to `region` or `sea_region` is a move with the region as its leader; an answer to
    `keep` is a move whose bit masks are the cards to keep.
    """
    moves[0] = 0
    none = np.uint64(0)
    if view.decision == TURN:
        if not hand_is_full(view):
            collect_recruits(view, hand, moves)
        collect_parties(view, moves)
        return
    if view.decision == ASK_SECOND_PARTY:
        append_move(moves, DECLINE, NONE, 0, none, none)
        collect_parties(view, moves)
        return
    if view.decision == KEEP:
        for i in range(REGIONS + view.slots):
            mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
            if view.hand_once & mask & ~view.wild_cards != none:
                append_keep_answer(view, moves, mask)
        if moves[0] == 0:
            append_keep_answer(view, moves, none)
        return
    if view.decision == DRAW:
        append_move(moves, FROM_DECK, NONE, 0, none, none)
        append_move(moves, DECLINE, NONE, 0, view.hand_once, view.hand_twice)
        return
    options = view.options
    while options != none:
        append_move(moves, DECLINE, lowest(options), 0, none, none)
        options &= options - ONE
