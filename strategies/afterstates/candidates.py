"""The moves worth trying for a question.

A move takes five numbers of an array: kind, leader, card, and the two planes of a party.
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
from ethnos_sim.simulator.kernel.card_moves import members_of
from ethnos_sim.strategies.net.hand import marker_of, of_clan, of_color
from ethnos_sim.strategies.net.shared import points_of, power_worth, strength_of
from ethnos_sim.strategies.net.vectors import floats_on_stack
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, party_of
from ethnos_sim.strategies.toolkit.moves import Move
from ethnos_sim.strategies.toolkit.position import hand_is_full

#: How many numbers a move takes in the array of moves.
PLACES = 5

#: The most moves that fit into the array of moves.
MOST_MOVES = 128

#: The length of the array of moves.
MOVES_ROOM = 1 + MOST_MOVES * PLACES

#: About how many cards of a pool are tried, if the pool has more.
RECRUITS = 5

#: If a card can be taken, a party is skipped when its promise is negative, or more than this below
#: the best promise. In 70,000 turns, 1.4 % of the best moves were parties that are skipped.
LESS = 5.0


@uncounted
def append(moves, kind, leader, card, once, twice):
    """Append a move to an array of moves, whose first number is their count."""
    used = moves[0]
    place = 1 + PLACES * used
    moves[place] = kind
    moves[place + 1] = leader
    moves[place + 2] = card
    moves[place + 3] = np.int64(once)
    moves[place + 4] = np.int64(twice)
    moves[0] = used + 1


@uncounted
def move_at(moves, place):
    """The move stored at an index of an array of moves."""
    once = np.uint64(moves[place + 3])
    twice = np.uint64(moves[place + 4])
    return Move(moves[place], moves[place + 1], moves[place + 2], once, twice)


@uncounted
def collect_parties(view, moves):
    """Append, for every leader, the party of its larger group and all wild cards.

    A leader's groups are its clan and its color. Both are tried if they have the same number of
    cards, or if the rest of the hand stays in play. In the latter case, parties without wild cards
    are tried too.
    """
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        power = np.int64(view.power[leader // REGIONS])
        clan = view.clan_cards[leader // REGIONS]
        color = view.color_cards[leader % REGIONS] & ~view.wild_cards
        of_clan = cards_in_hand(view, clan)
        of_color = cards_in_hand(view, color)
        stays = power == SECOND_PARTY or power == KEEPS_CARDS
        for by_color in range(2):
            mask = color if by_color else clan
            fewer = of_color < of_clan if by_color else of_clan < of_color
            if fewer and not stays:
                continue
            if by_color and of_color == of_clan and of_color == 1:
                continue
            for bare in range(2):
                if bare and not (stays and wild > 0):
                    continue
                party = mask if bare else mask | view.wild_cards
                laid = party_of(view, leader, view.hand_once & party, view.hand_twice & party)
                append(moves, PARTY, leader, 0, laid.once, laid.twice)


@uncounted
def promise(view, shared, leader, once, twice):
    """Estimate how much more prestige a party is worth than waiting.

    The estimate adds the party's prestige and twice its marker's worth, subtracts for the cards
    that are played and discarded, and is higher in earlier ages. Its numbers are fitted to a net's
    values.
    """
    slot = leader // REGIONS
    power = np.int64(view.power[slot])
    color = leader - slot * REGIONS
    size = count(once, twice)
    rest = np.int64(view.hand_cards[view.player]) - size
    brings = points_of(view, slot, members_of(view, once, twice))
    brings += power_worth(shared, slot, color, size)
    brings += 2.0 * marker_of(shared, power, color, strength_of(view, slot, size))
    return brings - 0.5 * size - 1.5 * rest + 2.5 * (view.ages - view.age)


@uncounted
def drop_poor_parties(view, shared, moves):
    """Drop the parties of least promise from a turn's moves, if there are cards to take.

    Moves that take from the deck or the pool come first.
    """
    if view.decision != TURN or hand_is_full(view):
        return
    promises = floats_on_stack(MOST_MOVES)
    best = -1e9
    for number in range(moves[0]):
        place = 1 + PLACES * number
        if moves[place] == PARTY:
            once = np.uint64(moves[place + 3])
            twice = np.uint64(moves[place + 4])
            promises[number] = promise(view, shared, moves[place + 1], once, twice)
            best = max(best, float(promises[number]))
    least = max(0.0, best - LESS)
    kept = 0
    for number in range(moves[0]):
        place = 1 + PLACES * number
        if moves[place] != PARTY or promises[number] > least:
            if kept < number:
                for i in range(PLACES):
                    moves[1 + PLACES * kept + i] = moves[place + i]
            kept += 1
    moves[0] = kept


@uncounted
def companions(view, hand, card):
    """How many cards in hand share a card's clan, plus how many share its color."""
    slot = card // REGIONS
    return of_clan(hand, view.home[slot]) + of_color(hand, card - slot * REGIONS)


@uncounted
def collect_recruits(view, hand, moves):
    """Append the deck, the pool's wild cards, and the pool's cards with most companions in hand.

    From a pool of more than RECRUITS cards, the best RECRUITS are tried, and all cards that are as
    good as the last of them. A card without companions is tried only if the hand has fewer than two
    cards.
    """
    none = np.uint64(0)
    append(moves, FROM_DECK, 0, 0, none, none)
    fewest = np.int64(hand.cards > 1)
    least = fewest
    if popcount(view.pool_once) > RECRUITS:
        counts = np.uint64(0)  # counts of cards by their number of companions, 8 bits each
        left = view.pool_once & ~view.wild_cards
        while left != none:
            card = lowest(left)
            left &= left - ONE
            counts += ONE << np.uint64(8 * min(companions(view, hand, card), 7))
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
        if least == 0 or wild or companions(view, hand, card) >= least:
            append(moves, FROM_POOL, 0, card, none, none)


@uncounted
def keep_group(once, twice, group, wild_cards, limit):
    """Choose at most `limit` cards: first wild cards, then cards of a group, then any others."""
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
def append_kept(view, moves, group):
    """Append the answer that keeps wild cards first, and then cards of a group."""
    limit = np.int64(view.limit)
    kept = keep_group(view.hand_once, view.hand_twice, group, view.wild_cards, limit)
    append(moves, DECLINE, NONE, 0, kept[0], kept[1])


@uncounted
def largest_group(view, once, twice):
    """The mask of the largest group (a clan that may lead, or a color) among a set of cards."""
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
def collect(view, hand, moves):
    """Collect the possible answers to the open question.

    For `turn` and `second_party` the answers are moves. For other questions, a move's leader holds
    the region, and its planes hold the cards that are kept.
    """
    moves[0] = 0
    none = np.uint64(0)
    if view.decision == TURN:
        if not hand_is_full(view):
            collect_recruits(view, hand, moves)
        collect_parties(view, moves)
        return
    if view.decision == ASK_SECOND_PARTY:
        append(moves, DECLINE, NONE, 0, none, none)
        collect_parties(view, moves)
        return
    if view.decision == KEEP:
        for i in range(REGIONS + view.slots):
            mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
            if view.hand_once & mask & ~view.wild_cards != none:
                append_kept(view, moves, mask)
        if moves[0] == 0:
            append_kept(view, moves, none)
        return
    if view.decision == DRAW:
        append(moves, FROM_DECK, NONE, 0, none, none)
        append(moves, DECLINE, NONE, 0, view.hand_once, view.hand_twice)
        return
    options = view.options
    while options != none:
        append(moves, DECLINE, lowest(options), 0, none, none)
        options &= options - ONE
