"""What each move leads to, and the value of that."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import bit, count, difference, union
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.records import (
    FROM_DECK,
    FROM_POOL,
    MAX_PLAYERS,
    NONE,
    PARTY,
    REGIONS,
)
from ethnos_sim.strategies.afterstates.candidates import PLACES, keep_group, largest_group
from ethnos_sim.strategies.afterstates.hand import put_hand
from ethnos_sim.strategies.afterstates.inputs import (
    ANY_REGION,
    COINS,
    DRAWS_CARDS,
    FIRM,
    FIRM_LATER,
    GAINS,
    KEEPS_CARDS,
    LARGEST_TOKEN,
    LATER,
    NEEDED,
    NO_MARKER,
    ONE_CARD_FEWER,
    REGION_AWARDS,
    SCORES_LARGER,
    SEA_TRACK,
    SECOND_PARTY,
    SETTLEMENT_BOARD,
    SHARED,
    TIE_BREAK_TOKENS,
    After,
    gift_after,
    pool_without,
    put_clock,
    put_own,
    put_region,
    put_region_gain,
    put_score,
    put_table,
    share_new_awards,
    share_numbers,
    unchanged,
)
from ethnos_sim.strategies.afterstates.layout import (
    FIRST_UNITS,
    INPUTS,
    MARGIN_WEIGHT,
    POOL,
    REGION_INPUTS,
    TABLE_INPUTS,
)
from ethnos_sim.strategies.afterstates.net import (
    add_region,
    add_table,
    begin,
    begin_region,
    begin_table,
    copy_sums,
    outputs,
    put,
)
from ethnos_sim.strategies.afterstates.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.toolkit.prospects import firmness, marker_prospect_from

#: Room for the numbers that all moves share, and behind them one region's new awards.
SHARED_ROOM = SHARED + MAX_PLAYERS

#: Room in a list of inputs.
ROOM = 128

#: Room for the inputs of the hand, two a region.
HOLDING = 2 * REGIONS


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
    coin_color = np.int64(NONE)
    coin = np.int64(0)
    slot = slot_of(view, power)
    if power == COINS and view.coins_used[slot] < view.rules.coins_count[slot]:
        coin_color = np.int64(color)
        coin = np.int64(view.rules.coins[slot, view.coins_used[slot]])
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
        coin_color,
        coin,
        sea,
        settled,
        token,
        largest_size,
        largest_holder,
        extra,
        np.int64(power == SECOND_PARTY and region != NONE),
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
        before.coin_color,
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
def put_region_after(view, shared, after, region, index, values):
    """A region after a move, the hand apart."""
    player = view.player
    placed = region == after.region
    own = np.int64(view.markers[region, player]) + placed
    coins = float(view.coins_on_region[region])
    if region == after.coin_color:
        coins += after.coin
    award = float(shared[REGION_AWARDS + region * MAX_PLAYERS + player])
    gain = float(shared[GAINS + region])
    if placed:
        award = float(shared[SHARED + player])
        firm = firmness(view, FIRM)
        gain = marker_prospect_from(view, region, own, firm, FIRM_LATER, LATER)
    put_region(view, region, own, coins, index, values)
    put_region_gain(award, gain, index, values)


@kernel
def put_after(view, shared, after, cards, index, values, holding):
    """The hand and the pool after a move (`cards`: their planes), the clock, the gift to others."""
    if after.cards > 0.0:
        put_clock(view, index, values, 0.0, -1.0)
        put_clock(view, index, values, after.cards, 1.0)
    once, twice, pool_once, pool_twice = cards
    put(index, values, POOL + 3, gift_after(view, shared, pool_once) / 5.0)
    unknown = after.unknown
    put_hand(view, shared, once, twice, unknown, pool_once, pool_twice, index, values, holding)


@kernel
def value_of(view, weights, shared, table_sums, own_sums, after, cards):
    """The net's outputs for the position after a move, from sums that the moves share.

    `table_sums` holds what no move changes and the regions, `own_sums` the player's columns too.
    """
    sums = floats_on_stack(FIRST_UNITS)
    index = numbers_on_stack(ROOM)
    values = floats_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    begin(index)
    if after.party:
        copy_sums(sums, table_sums)
        share_new_awards(view, shared, after)
        for region in range(REGIONS):
            if region == after.region or region == after.coin_color:
                begin_region(sums, weights, region)
                put_region_after(view, shared, after, region, index, values)
                add_region(sums, weights, region, index, values)
                begin(index)
        put_score(view, shared, after, index, values)
        put_own(view, after, index, values)
    else:
        copy_sums(sums, own_sums)
    put_after(view, shared, after, cards, index, values, holding)
    add_table(sums, weights, index, values)
    index[0] = 2
    values[1] = 1.0
    values[2] = 1.0
    for region in range(REGIONS):
        index[1] = holding[2 * region]
        index[2] = holding[2 * region + 1]
        add_region(sums, weights, region, index, values)
    return outputs(sums, weights)


@kernel
def write_inputs(view, shared, after, cards, inputs, first):
    """All inputs of the position after a move, written to `inputs` from `first` on."""
    index = numbers_on_stack(ROOM)
    values = floats_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    for i in range(INPUTS):
        inputs[first + i] = 0.0
    begin(index)
    share_new_awards(view, shared, after)
    put_table(view, index, values)
    put_score(view, shared, after, index, values)
    put_own(view, after, index, values)
    put_after(view, shared, after, cards, index, values, holding)
    for k in range(1, index[0] + 1):
        inputs[first + index[k]] += values[k]
    for region in range(REGIONS):
        begin(index)
        put_region_after(view, shared, after, region, index, values)
        put(index, values, holding[2 * region], 1.0)
        put(index, values, holding[2 * region + 1], 1.0)
        for k in range(1, index[0] + 1):
            inputs[first + TABLE_INPUTS + region * REGION_INPUTS + index[k]] += values[k]


@kernel
def prepare(view, weights, shared, table_sums, own_sums):
    """Work out what all moves of a decision share."""
    index = numbers_on_stack(ROOM)
    values = floats_on_stack(ROOM)
    share_numbers(view, shared)
    now = unchanged(view)
    for region in range(REGIONS):
        begin(index)
        begin_region(table_sums, weights, region)
        put_region_after(view, shared, now, region, index, values)
        add_region(table_sums, weights, region, index, values)
    begin(index)
    begin_table(table_sums, weights)
    put_table(view, index, values)
    add_table(table_sums, weights, index, values)
    copy_sums(own_sums, table_sums)
    begin(index)
    put_score(view, shared, now, index, values)
    put_own(view, now, index, values)
    add_table(own_sums, weights, index, values)


@kernel
def outcome(view, shared, moves, number):
    """Where a move leads: what changes, and the planes of the hand and of the pool."""
    place = 1 + PLACES * number
    kind = moves[place]
    once = np.uint64(moves[place + 3])
    twice = np.uint64(moves[place + 4])
    none = np.uint64(0)
    if kind == FROM_POOL:
        card = moves[place + 2]
        pool_once, pool_twice = pool_without(view, card)
        held = union(view.hand_once, view.hand_twice, bit(card), none)
        return unchanged(view), (held[0], held[1], pool_once, pool_twice)
    if kind == FROM_DECK:
        cards = (view.hand_once, view.hand_twice, view.pool_once, view.pool_twice)
        return drawn_after(view), cards
    if kind == PARTY:
        leader = moves[place + 1]
        after = after_party(view, shared, leader, once, twice)
        left = difference(view.hand_once, view.hand_twice, once, twice)
        power = view.power[leader // REGIONS]
        if after.second:
            return after, (left[0], left[1], view.pool_once, view.pool_twice)
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
    return after, (kept[0], kept[1], pool[0], pool[1])


@kernel
def drawn_after(view):
    """A card drawn from the deck."""
    now = unchanged(view)
    return After(
        now.points,
        now.banked,
        now.region,
        now.coin_color,
        now.coin,
        now.sea,
        now.settled,
        now.token,
        now.largest_size,
        now.largest_holder,
        now.extra,
        now.second,
        np.int64(1),
        1.0,
        now.party,
    )


@kernel
def evaluate(view, weights, shared, moves, wins, margins):
    """The net's outputs for every move."""
    table_sums = floats_on_stack(FIRST_UNITS)
    own_sums = floats_on_stack(FIRST_UNITS)
    prepare(view, weights, shared, table_sums, own_sums)
    for number in range(moves[0]):
        after, cards = outcome(view, shared, moves, number)
        win, margin = value_of(view, weights, shared, table_sums, own_sums, after, cards)
        wins[number] = win
        margins[number] = margin


@kernel
def best_of(moves, wins, margins):
    """The number of the move of most value: the win's logit and part of the margin."""
    best = 0
    most = wins[0] + MARGIN_WEIGHT * margins[0]
    for number in range(1, moves[0]):
        value = wins[number] + MARGIN_WEIGHT * margins[number]
        if value > most:
            most = value
            best = number
    return best
