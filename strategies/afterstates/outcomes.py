"""The outcome of a move: its `Effects`, and the hand and the pool after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, copies, count, difference, popcount, union
from ethnos_sim.simulator.game.records import DRAW, FROM_DECK, FROM_POOL, NONE, PARTY, REGIONS
from ethnos_sim.simulator.kernel.card_moves import scored_size
from ethnos_sim.simulator.kernel.powers import power_amount
from ethnos_sim.strategies.afterstates.candidates import cards_to_keep, largest_group, move_at
from ethnos_sim.strategies.net.facts import (
    GAINS,
    NEEDED,
    home_of_power,
    marker_strength,
    next_coin,
    points_scored,
    write_coined_regions,
)
from ethnos_sim.strategies.net.hand import count_hand, hand_with_card


class Effects(NamedTuple):
    """The effects of a move besides the hand and the pool, for the acting player.

    slot            the home slot of the party's clan, or -1
    points          party points of this age after the move
    banked          prestige that the move adds for certain
    region          the region of the party's marker or coin, or -1
    placed          whether a marker is placed
    coin            the coin's value
    sea, settled, token, largest_size, largest_holder
                    the player's progress with powers after the move: with the power of the party's
                    clan, or else of the first clan that has such a power (`home_of_power`)
    extra_markers   markers still to be placed
    second_party    whether a second party may follow
    drawn           the number of cards drawn from the deck
    party_played    whether the move plays a party
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
    extra_markers: int
    second_party: int
    drawn: int
    party_played: int


@uncounted
def base_effects(view, slot, region, drawn, party_played):
    """The effects of a move without a party: the player's present progress with every power.

    `slot` is the home slot of a party's clan, or -1. `region` is the region of a marker that the
    move places, or -1. `drawn` is the number of cards drawn from the deck, and `party_played` says
    whether a party was played before.
    """
    player = view.player
    largest = home_of_power(view, slot, powers.LARGEST_TOKEN)
    board = home_of_power(view, slot, powers.SETTLEMENT_BOARD)
    return Effects(
        slot,
        float(view.party_points[player]),
        0.0,
        np.int64(region),
        np.int64(region != NONE),
        np.int64(0),
        np.int64(view.sea[home_of_power(view, slot, powers.SEA_TRACK), player]),
        popcount(np.uint64(view.settlements[board, player])),
        np.int64(view.token_sum[player]),
        np.int64(view.largest_size[largest]),
        np.int64(view.largest_holder[largest]),
        np.int64(0),
        np.int64(0),
        np.int64(drawn),
        np.int64(party_played),
    )


@uncounted
def marker_region(view, facts, power, color, strength):
    """The region where a party of this `marker_strength` places its marker; -1 if it places none.

    A power that may place the marker anywhere chooses the region with the highest gain.
    """
    if view.supply[view.player] <= 0:
        return np.int64(NONE)
    if power != powers.ANY_REGION:
        return np.int64(color) if strength >= facts[NEEDED + color] else np.int64(NONE)
    best = np.int64(NONE)
    for region in range(REGIONS):
        if strength >= facts[NEEDED + region]:
            if best == NONE or facts[GAINS + region] > facts[GAINS + best]:
                best = np.int64(region)
    return best


@uncounted
def sea_after_move(view, slot, space, spaces):
    """The space at sea after a move of `spaces` from `space`, and the markers that it brings."""
    sea = min(space + spaces, np.int64(view.rules.sea_last_space[slot]))
    markers = np.int64(0)
    for i in range(view.rules.sea_symbols_count[slot]):
        symbol = view.rules.sea_symbols[slot, i]
        markers += (symbol > space) & (symbol <= sea)
    if not view.rules.sea_each_symbol[slot]:
        markers = min(markers, np.int64(1))
    return sea, markers


@uncounted
def highest_free_token(view, slot, limit):
    """The highest value, `limit` at most, of a free tie-break token; 0 if there is none."""
    highest = np.int64(0)
    for i in range(view.rules.tie_break_tokens_count[slot]):
        value = np.int64(view.rules.tie_break_tokens[slot, i])
        if view.token_owner[slot, i] == NONE and value <= limit:
            highest = max(highest, value)
    return highest


@uncounted
def party_effects(view, facts, leader, once, twice):
    """The effects of playing a party, if its leader's power is used in full."""
    player = np.int64(view.player)
    color = leader % REGIONS
    slot = np.int64(view.home[leader // REGIONS])
    power = np.int64(view.power[slot])
    size = count(once, twice)
    before = base_effects(view, slot, NONE, 0, False)
    gained = points_scored(view, slot, scored_size(view, once, twice))
    banked = gained
    region = marker_region(view, facts, power, color, marker_strength(view, slot, size))
    placed = np.int64(region != NONE)
    if view.rules.needs_marker[slot] and not placed:
        power = np.int64(NONE)
    limit = np.int64(power_amount(view, slot, size))
    coin = np.int64(0)
    if power == powers.COINS and next_coin(view, slot) > 0:
        coin = next_coin(view, slot)
        region = np.int64(color)
        write_coined_regions(view, facts, coin)
    sea = before.sea
    extra_markers = np.int64(0)
    if power == powers.SEA_TRACK:
        sea, extra_markers = sea_after_move(view, slot, sea, limit)
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
        token += highest_free_token(view, slot, limit)
    drawn = np.int64(0)
    if power == powers.DRAWS_CARDS:
        drawn = min(limit, np.int64(view.rules.hand_limit))
    follows = power == powers.SECOND_PARTY and view.rules.follow_ups[slot] > 0
    return Effects(
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
        extra_markers,
        np.int64(follows),
        drawn,
        np.int64(1),
    )


@uncounted
def pool_without(view, card):
    """The pool without one copy of a card, as two bit masks."""
    plane = ONE << np.uint64(card)
    if copies(view.pool_once, view.pool_twice, card) == 2:
        return view.pool_once, view.pool_twice & ~plane
    return view.pool_once & ~plane, view.pool_twice


@uncounted
def is_recruit(view, moves, number):
    """Whether a move recruits a card, and so changes only the hand and the pool."""
    kind = move_at(moves, number).kind
    return kind == FROM_POOL or (kind == FROM_DECK and view.decision != DRAW)


@uncounted
def recruit_outcome(view, hand, moves, number):
    """The hand and the pool after a recruit, and how many cards it draws from the deck."""
    move = move_at(moves, number)
    if move.kind == FROM_DECK:
        return hand, (view.pool_once, view.pool_twice), np.int64(1)
    held = hand_with_card(view, hand, move.choice)
    return held, pool_without(view, move.choice), np.int64(0)


@uncounted
def move_outcome(view, facts, hand, moves, number):
    """The effects of a move, and the hand and the pool (two bit masks) after it."""
    move = move_at(moves, number)
    kind, leader, once, twice = move.kind, move.leader, move.once, move.twice
    none = np.uint64(0)
    if is_recruit(view, moves, number):
        held, pool, drawn = recruit_outcome(view, hand, moves, number)
        return base_effects(view, NONE, NONE, drawn, False), held, pool
    if kind == FROM_DECK:
        effects = base_effects(view, NONE, NONE, np.int64(view.limit), True)
        return effects, hand, (view.pool_once, view.pool_twice)
    if kind == PARTY:
        effects = party_effects(view, facts, leader, once, twice)
        left = difference(view.hand_once, view.hand_twice, once, twice)
        slot = leader // REGIONS
        if effects.second_party:
            return effects, count_hand(view, left[0], left[1]), (view.pool_once, view.pool_twice)
        kept = (none, none)
        keeps = view.power[slot] == powers.KEEPS_CARDS
        if view.rules.needs_marker[slot] and not effects.placed:
            keeps = False
        if keeps and left[0] != none:
            group = largest_group(view, left[0], left[1])
            most = np.int64(power_amount(view, slot, count(once, twice)))
            kept = cards_to_keep(left[0], left[1], group, view.wild_cards, most)
    else:  # a party was played; the move has its marker's region, and the cards that are kept
        effects = base_effects(view, NONE, leader, 0, True)
        left = view.hand_once, view.hand_twice
        kept = (once, twice)
    gone = difference(left[0], left[1], kept[0], kept[1])
    pool = union(view.pool_once, view.pool_twice, gone[0], gone[1])
    return effects, count_hand(view, kept[0], kept[1]), pool
