"""The outcome of each move: the changed columns, and the hand and the pool after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, copies, count, difference, popcount, union
from ethnos_sim.simulator.game.records import DRAW, FROM_DECK, FROM_POOL, NONE, PARTY, REGIONS
from ethnos_sim.simulator.kernel.card_moves import members_of
from ethnos_sim.simulator.kernel.powers import reach
from ethnos_sim.strategies.afterstates.candidates import PLACES, keep_group, largest_group
from ethnos_sim.strategies.net.hand import counted, with_card
from ethnos_sim.strategies.net.shared import (
    GAINS,
    NEEDED,
    home_of,
    next_coin,
    points_of,
    share_coined,
    strength_of,
)


class After(NamedTuple):
    """What a move changes besides the hand: the acting player's columns, and pending decisions.

    slot            the home of the party's clan, or -1
    points          party points of the age
    banked          how much prestige the move adds for certain
    region          the region of the party's marker or coin, or -1
    placed          whether a marker is placed
    coin            the coin's value
    sea, settled, token, largest_size, largest_holder
                    the player's columns after the move: for each power, of the party's clan if it
                    has the power, else of the first clan with the power (`home_of`)
    extra           markers still to be placed
    second          whether a second party may follow
    unknown         cards drawn from the deck
    party           whether the move plays a party
    """

    slot: int
    points: float
    banked: float
    region: int
    placed: int
    coin: int
    sea: int
    settled: int
    token: int
    largest_size: int
    largest_holder: int
    extra: int
    second: int
    unknown: int
    party: int


@uncounted
def columns_after(view, slot, region, drawn, laid):
    """The acting player's columns before a party changes them.

    `slot` is the home of the party's clan, or -1. If the party is laid and only its marker is
    missing, `region` is the marker's region; otherwise it is -1. `drawn` is the number of cards
    drawn from the deck, and `laid` says whether a party has been laid already.
    """
    player = view.player
    largest = home_of(view, slot, powers.LARGEST_TOKEN)
    board = home_of(view, slot, powers.SETTLEMENT_BOARD)
    return After(
        slot,
        float(view.party_points[player]),
        0.0,
        np.int64(region),
        np.int64(region != NONE),
        np.int64(0),
        np.int64(view.sea[home_of(view, slot, powers.SEA_TRACK), player]),
        popcount(np.uint64(view.settlements[board, player])),
        np.int64(view.token_sum[player]),
        np.int64(view.largest_size[largest]),
        np.int64(view.largest_holder[largest]),
        np.int64(0),
        np.int64(0),
        np.int64(drawn),
        np.int64(laid),
    )


@uncounted
def region_for(view, shared, power, color, strength):
    """The region of a party's marker, by the numbers in `shared`; -1 if it places no marker.

    A power that places its marker anywhere takes the region with the highest gain.
    """
    if view.supply[view.player] <= 0:
        return np.int64(NONE)
    if power != powers.ANY_REGION:
        return np.int64(color) if strength >= shared[NEEDED + color] else np.int64(NONE)
    best = np.int64(NONE)
    for region in range(REGIONS):
        if strength >= shared[NEEDED + region]:
            if best == NONE or shared[GAINS + region] > shared[GAINS + best]:
                best = np.int64(region)
    return best


@uncounted
def sea_after(view, slot, space, far):
    """The space after a move of `far` spaces from `space` at sea, and the markers it brings."""
    sea = min(space + far, np.int64(view.rules.sea_last_space[slot]))
    markers = np.int64(0)
    for i in range(view.rules.sea_symbols_count[slot]):
        symbol = view.rules.sea_symbols[slot, i]
        markers += (symbol > space) & (symbol <= sea)
    if not view.rules.sea_each_symbol[slot]:
        markers = min(markers, np.int64(1))
    return sea, markers


@uncounted
def highest_token(view, slot, far):
    """The highest free tie-break token with a value of at most `far`; 0 if there is none."""
    highest = np.int64(0)
    for i in range(view.rules.tie_break_tokens_count[slot]):
        value = np.int64(view.rules.tie_break_tokens[slot, i])
        if view.token_owner[slot, i] == NONE and value <= far:
            highest = max(highest, value)
    return highest


@uncounted
def after_party(view, shared, leader, once, twice):
    """The player's columns after a party that uses its power in full; `outcome` adds the hand."""
    player = np.int64(view.player)
    color = leader % REGIONS
    slot = np.int64(view.home[leader // REGIONS])
    power = np.int64(view.power[slot])
    size = count(once, twice)
    before = columns_after(view, slot, NONE, 0, False)
    gained = points_of(view, slot, members_of(view, once, twice))
    banked = gained
    region = region_for(view, shared, power, color, strength_of(view, slot, size))
    placed = np.int64(region != NONE)
    if view.rules.needs_marker[slot] and not placed:
        power = np.int64(NONE)
    far = np.int64(reach(view, slot, size))
    coin = np.int64(0)
    if power == powers.COINS and next_coin(view, slot) > 0:
        coin = next_coin(view, slot)
        region = np.int64(color)
        share_coined(view, shared, coin)
    sea = before.sea
    extra = np.int64(0)
    if power == powers.SEA_TRACK:
        sea, extra = sea_after(view, slot, sea, far)
    settled = before.settled
    if power == powers.SETTLEMENT_BOARD and (view.settlements[slot, player] >> color) & 1 == 0:
        more = float(view.rules.settlement[slot, settled + 1])
        banked += more - view.rules.settlement[slot, settled]
        settled += 1
    largest_size = before.largest_size
    largest_holder = before.largest_holder
    if power == powers.LARGEST_TOKEN and size >= largest_size + view.rules.largest_margin[slot]:
        banked += view.rules.largest_on_take[slot]
        if largest_holder != player:
            banked += view.rules.largest_age[slot, view.age - 1]
        largest_size = np.int64(size)
        largest_holder = player
    token = before.token
    if power == powers.TIE_BREAK_TOKENS:
        token += highest_token(view, slot, far)
    drawn = np.int64(0)
    if power == powers.DRAWS_CARDS:
        drawn = min(far, np.int64(view.rules.hand_limit))
    follows = power == powers.SECOND_PARTY and view.rules.follow_ups[slot] > 0
    return After(
        slot,
        before.points + gained,
        banked,
        region,
        placed,
        coin,
        sea,
        settled,
        token,
        largest_size,
        largest_holder,
        extra,
        np.int64(follows),
        drawn,
        np.int64(1),
    )


@uncounted
def pool_without(view, card):
    """The pool's planes without one copy of a card."""
    plane = ONE << np.uint64(card)
    if copies(view.pool_once, view.pool_twice, card) == 2:
        return view.pool_once, view.pool_twice & ~plane
    return view.pool_once & ~plane, view.pool_twice


@uncounted
def recruits(view, moves, number):
    """Whether a move takes a card, and so changes only the hand and the pool."""
    kind = moves[1 + PLACES * number]
    return kind == FROM_POOL or (kind == FROM_DECK and view.decision != DRAW)


@uncounted
def after_recruit(view, hand, moves, number):
    """The hand and the pool's planes after a recruit, and how many cards it draws from the deck."""
    place = 1 + PLACES * number
    if moves[place] == FROM_DECK:
        return hand, (view.pool_once, view.pool_twice), np.int64(1)
    card = moves[place + 2]
    return with_card(view, hand, card), pool_without(view, card), np.int64(0)


@uncounted
def outcome(view, shared, hand, moves, number):
    """The columns, the hand, and the planes of the pool after a move."""
    place = 1 + PLACES * number
    kind = moves[place]
    once = np.uint64(moves[place + 3])
    twice = np.uint64(moves[place + 4])
    none = np.uint64(0)
    if recruits(view, moves, number):
        held, pool, drawn = after_recruit(view, hand, moves, number)
        return columns_after(view, NONE, NONE, drawn, False), held, pool
    if kind == FROM_DECK:
        after = columns_after(view, NONE, NONE, np.int64(view.limit), True)
        return after, hand, (view.pool_once, view.pool_twice)
    if kind == PARTY:
        leader = moves[place + 1]
        after = after_party(view, shared, leader, once, twice)
        left = difference(view.hand_once, view.hand_twice, once, twice)
        slot = leader // REGIONS
        if after.second:
            return after, counted(view, left[0], left[1]), (view.pool_once, view.pool_twice)
        kept = (none, none)
        keeps = view.power[slot] == powers.KEEPS_CARDS
        if view.rules.needs_marker[slot] and not after.placed:
            keeps = False
        if keeps and left[0] != none:
            group = largest_group(view, left[0], left[1])
            most = np.int64(reach(view, slot, count(once, twice)))
            kept = keep_group(left[0], left[1], group, view.wild_cards, most)
    else:  # the last party is laid; `once` and `twice` are the kept cards
        after = columns_after(view, NONE, moves[place + 1], 0, True)
        left = view.hand_once, view.hand_twice
        kept = (once, twice)
    gone = difference(left[0], left[1], kept[0], kept[1])
    pool = union(view.pool_once, view.pool_twice, gone[0], gone[1])
    return after, counted(view, kept[0], kept[1]), pool
