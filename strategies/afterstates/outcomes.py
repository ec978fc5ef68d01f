"""What each move leads to: what changes beside the hand, and the hand and the pool after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.cards import ONE, copies, count, difference, popcount, union
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.power_numbers import (
    ANY_REGION,
    COINS,
    DRAWS_CARDS,
    KEEPS_CARDS,
    LARGEST_TOKEN,
    NO_MARKER,
    ONE_CARD_FEWER,
    SCORES_LARGER,
    SEA_TRACK,
    SECOND_PARTY,
    SETTLEMENT_BOARD,
    TIE_BREAK_TOKENS,
)
from ethnos_sim.simulator.records import DRAW, FROM_DECK, FROM_POOL, NONE, PARTY, REGIONS
from ethnos_sim.strategies.afterstates.candidates import PLACES, keep_group, largest_group
from ethnos_sim.strategies.afterstates.hand import counted, with_card
from ethnos_sim.strategies.afterstates.shared import GAINS, NEEDED, next_coin


class After(NamedTuple):
    """What a move changes beside the hand: the acting player's columns, and what is pending.

    points: party points of the age; banked: prestige sure to come, more than before; region: where
    its marker or coin goes, or -1; placed: whether a marker does; coin: the coin's worth; sea,
    settled, token, largest_size, largest_holder: its columns after the move; extra: markers still
    to be placed; second: whether a second party may follow; unknown: cards drawn; cards: the
    clock's cards gone; party: whether it is a party.
    """

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
    cards: float
    party: int


@kernel
def unchanged(view):
    """The acting player's columns as they are."""
    player = view.player
    return After(
        float(view.party_points[player]),
        0.0,
        np.int64(NONE),
        np.int64(0),
        np.int64(0),
        np.int64(view.sea[slot_of(view, SEA_TRACK), player]),
        popcount(np.uint64(view.settlements[slot_of(view, SETTLEMENT_BOARD), player])),
        np.int64(view.token_sum[player]),
        np.int64(view.largest_size[slot_of(view, LARGEST_TOKEN)]),
        np.int64(view.largest_holder[slot_of(view, LARGEST_TOKEN)]),
        np.int64(0),
        np.int64(0),
        np.int64(0),
        0.0,
        np.int64(0),
    )


@kernel
def region_for(view, shared, power, color, strength):
    """The region where a party would place its marker, the one of most gain of several; or -1."""
    if power == NO_MARKER or view.supply[view.player] <= 0:
        return np.int64(NONE)
    if power != ANY_REGION:
        return np.int64(color) if strength >= shared[NEEDED + color] else np.int64(NONE)
    best = np.int64(NONE)
    for region in range(REGIONS):
        if strength >= shared[NEEDED + region]:
            if best == NONE or shared[GAINS + region] > shared[GAINS + best]:
                best = np.int64(region)
    return best


@kernel
def after_party(view, shared, leader, once, twice):
    """What a party leads to, its power used in full; the rest of the hand comes apart."""
    player = np.int64(view.player)
    color = leader % REGIONS
    power = np.int64(view.power[leader // REGIONS])
    size = count(once, twice)
    members = size - count(once & view.wild_cards, twice & view.wild_cards)
    before = unchanged(view)
    gained = float(view.rules.party_points[min(members + (power == SCORES_LARGER), 6)])
    banked = gained
    region = region_for(view, shared, power, color, size + (power == ONE_CARD_FEWER))
    placed = np.int64(region != NONE)
    slot = slot_of(view, power)
    coin = next_coin(view) if power == COINS else np.int64(0)
    if coin > 0:
        region = np.int64(color)
    sea = before.sea
    extra = np.int64(0)
    if power == SEA_TRACK:
        sea = min(before.sea + size, np.int64(view.rules.sea_last_space[slot]))
        for i in range(view.rules.sea_symbols_count[slot]):
            symbol = view.rules.sea_symbols[slot, i]
            extra += (symbol > before.sea) & (symbol <= sea)
    settled = before.settled
    if power == SETTLEMENT_BOARD and (view.settlements[slot, player] >> color) & 1 == 0:
        more = float(view.rules.settlement[slot, settled + 1])
        banked += more - view.rules.settlement[slot, settled]
        settled += 1
    largest_size = before.largest_size
    largest_holder = before.largest_holder
    if power == LARGEST_TOKEN and size > largest_size:
        banked += view.rules.largest_on_take[slot]
        if largest_holder != player:
            banked += view.rules.largest_age[slot, view.age - 1]
        largest_size = np.int64(size)
        largest_holder = player
    token = before.token
    if power == TIE_BREAK_TOKENS:
        highest = np.int64(0)
        for i in range(view.rules.tie_break_tokens_count[slot]):
            value = np.int64(view.rules.tie_break_tokens[slot, i])
            if view.token_owner[slot, i] == NONE and value <= size:
                highest = max(highest, value)
        token += highest
    drawn = np.int64(size) if power == DRAWS_CARDS else np.int64(0)
    return After(
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
        placed * (power == SECOND_PARTY),
        drawn,
        float(drawn),
        np.int64(1),
    )


@kernel
def marker_after(view, region):
    """A marker in a region, or none (-1), as all that is left to do of a party already laid."""
    before = unchanged(view)
    return After(
        before.points,
        before.banked,
        np.int64(region),
        np.int64(region != NONE),
        before.coin,
        before.sea,
        before.settled,
        before.token,
        before.largest_size,
        before.largest_holder,
        before.extra,
        before.second,
        before.unknown,
        before.cards,
        np.int64(1),
    )


@kernel
def drawn_after(view):
    """A card drawn from the deck in a turn, or those that a power offers after a party."""
    now = unchanged(view)
    by_power = view.decision == DRAW
    drawn = np.int64(view.limit) if by_power else np.int64(1)
    return After(
        now.points,
        now.banked,
        now.region,
        now.placed,
        now.coin,
        now.sea,
        now.settled,
        now.token,
        now.largest_size,
        now.largest_holder,
        now.extra,
        now.second,
        drawn,
        float(drawn),
        np.int64(by_power),
    )


@kernel
def pool_without(view, card):
    """The pool's planes without one copy of a card."""
    plane = ONE << np.uint64(card)
    if copies(view.pool_once, view.pool_twice, card) == 2:
        return view.pool_once, view.pool_twice & ~plane
    return view.pool_once & ~plane, view.pool_twice


@kernel
def outcome(view, shared, hand, moves, number):
    """Where a move leads: what changes, the hand, and the planes of the pool."""
    place = 1 + PLACES * number
    kind = moves[place]
    once = np.uint64(moves[place + 3])
    twice = np.uint64(moves[place + 4])
    none = np.uint64(0)
    if kind == FROM_POOL:
        card = moves[place + 2]
        return unchanged(view), with_card(view, hand, card), pool_without(view, card)
    if kind == FROM_DECK:
        return drawn_after(view), hand, (view.pool_once, view.pool_twice)
    if kind == PARTY:
        leader = moves[place + 1]
        after = after_party(view, shared, leader, once, twice)
        left = difference(view.hand_once, view.hand_twice, once, twice)
        power = view.power[leader // REGIONS]
        if after.second:
            return after, counted(view, left[0], left[1]), (view.pool_once, view.pool_twice)
        kept = (none, none)
        if power == KEEPS_CARDS and left[0] != none:
            group = largest_group(view, left[0], left[1])
            size = count(once, twice)
            kept = keep_group(left[0], left[1], group, view.wild_cards, size)
    else:  # the rest of a hand, after its last party: `once` and `twice` are kept
        after = marker_after(view, moves[place + 1])
        left = view.hand_once, view.hand_twice
        kept = (once, twice)
    gone = difference(left[0], left[1], kept[0], kept[1])
    pool = union(view.pool_once, view.pool_twice, gone[0], gone[1])
    return after, counted(view, kept[0], kept[1]), pool
