"""The value of what each move leads to, from sums that the moves share."""

from __future__ import annotations

import math

import numpy as np

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.records import MAX_PLAYERS, NONE, REGIONS
from ethnos_sim.strategies.afterstates.hand import put_hand
from ethnos_sim.strategies.afterstates.inputs import (
    put_clock,
    put_moment,
    put_own,
    put_region,
    put_region_gain,
    put_score,
    put_table,
)
from ethnos_sim.strategies.afterstates.layout import (
    FIRST_UNITS,
    INPUTS,
    MARGIN_WEIGHT,
    POOL,
    REGION_INPUTS,
    TABLE_INPUTS,
    TABLE_UNITS,
)
from ethnos_sim.strategies.afterstates.net import (
    SUMS_ROOM,
    add_region,
    add_region_pair,
    add_table,
    begin_common,
    begin_table,
    outputs,
    put,
)
from ethnos_sim.strategies.afterstates.outcomes import marker_after, outcome, unchanged
from ethnos_sim.strategies.afterstates.shared import (
    FIRM,
    FIRM_LATER,
    GAINS,
    LATER,
    REGION_AWARDS,
    SHARED,
    SHARED_ROOM,
    gift_after,
    share_new_awards,
    share_numbers,
)
from ethnos_sim.strategies.afterstates.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.toolkit.prospects import firmness, marker_prospect_from

#: Room in a list of inputs.
ROOM = 128

#: Room for the inputs of the hand, two a region.
HOLDING = 2 * REGIONS


@kernel
def put_region_after(view, shared, after, region, index, values, used):
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
    used = put_region(view, region, own, coins, index, values, used)
    used = put_region_gain(award, gain, index, values, used)
    return used


@kernel
def put_after(view, shared, after, cards, index, values, used, holding):
    """The hand and the pool after a move (`cards`: their planes), the clock, the gift to others."""
    if after.cards > 0.0:
        used = put_clock(view, index, values, used, 0.0, -1.0)
        used = put_clock(view, index, values, used, after.cards, 1.0)
    once, twice, pool_once, pool_twice = cards
    used = put(index, values, used, POOL + 3, gift_after(view, shared, pool_once) / 5.0)
    unknown = after.unknown
    used = put_hand(
        view, shared, once, twice, unknown, pool_once, pool_twice, index, values, used, holding
    )
    return used


@kernel
def prepare(view, weights, shared, table_sums, own_sums):
    """The sums that all moves of a decision share, from the numbers that they do."""
    index = numbers_on_stack(ROOM)
    values = floats_on_stack(ROOM)
    now = unchanged(view)
    used = put_moment(view, index, values, 0)
    begin_common(table_sums, weights, index, values, used)
    for region in range(REGIONS):
        used = put_region_after(view, shared, now, region, index, values, 0)
        add_region(table_sums, table_sums, weights, region, index, values, used)
    used = put_table(view, index, values, 0)
    begin_table(table_sums, weights, index, values, used)
    used = put_score(view, shared, now, index, values, 0)
    used = put_own(view, now, index, values, used)
    add_table(own_sums, table_sums, weights, index, values, used)


@kernel
def value_of(view, weights, shared, table_sums, own_sums, after, cards):
    """The net's outputs for the position after a move, from sums that the moves share.

    `table_sums` holds what no move changes and the regions, `own_sums` the table's with the
    player's columns too.
    """
    sums = floats_on_stack(FIRST_UNITS)
    index = numbers_on_stack(ROOM)
    values = floats_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    used = 0
    begin = own_sums
    if after.party:
        begin = table_sums
        share_new_awards(view, shared, after)
        used = put_score(view, shared, after, index, values, 0)
        used = put_own(view, after, index, values, used)
    used = put_after(view, shared, after, cards, index, values, used, holding)
    add_table(sums, begin, weights, index, values, used)
    for region in range(REGIONS):
        one, other = holding[2 * region], holding[2 * region + 1]
        if region == after.region or region == after.coin_color:
            used = put_region_after(view, shared, after, region, index, values, 0)
            used = put(index, values, used, one, 1.0)
            used = put(index, values, used, other, 1.0)
            add_region(sums, table_sums, weights, region, index, values, used)
        else:
            add_region_pair(sums, table_sums, weights, region, one, other)
    return outputs(sums, weights)


@kernel
def evaluate(view, weights, shared, moves, wins, margins):
    """The net's outputs for every move, from the numbers that all moves share."""
    table_sums = floats_on_stack(SUMS_ROOM)
    own_sums = floats_on_stack(TABLE_UNITS)
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


@kernel
def chance_now(view, weights):
    """The acting player's chance to win between two turns, as the net sees it.

    Made for imagined games, after a turn of the player's own or when an age begins. An empty hand
    stands for a party just played.
    """
    shared = floats_on_stack(SHARED_ROOM)
    table_sums = floats_on_stack(SUMS_ROOM)
    own_sums = floats_on_stack(TABLE_UNITS)
    share_numbers(view, shared)
    prepare(view, weights, shared, table_sums, own_sums)
    after = unchanged(view)
    if view.hand_once == np.uint64(0):
        after = marker_after(view, NONE)
    cards = (view.hand_once, view.hand_twice, view.pool_once, view.pool_twice)
    win, _ = value_of(view, weights, shared, table_sums, own_sums, after, cards)
    return 1.0 / (1.0 + math.exp(-win))


@kernel
def write_inputs(view, shared, after, cards, inputs, first):
    """All inputs of the position after a move, written to `inputs` from `first` on."""
    index = numbers_on_stack(ROOM)
    values = floats_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    for i in range(INPUTS):
        inputs[first + i] = 0.0
    share_new_awards(view, shared, after)
    used = put_table(view, index, values, 0)
    used = put_score(view, shared, after, index, values, used)
    used = put_own(view, after, index, values, used)
    used = put_after(view, shared, after, cards, index, values, used, holding)
    for k in range(used):
        inputs[first + index[k]] += values[k]
    for region in range(REGIONS):
        used = put_moment(view, index, values, 0)
        used = put_region_after(view, shared, after, region, index, values, used)
        used = put(index, values, used, holding[2 * region], 1.0)
        used = put(index, values, used, holding[2 * region + 1], 1.0)
        for k in range(used):
            inputs[first + TABLE_INPUTS + region * REGION_INPUTS + index[k]] += values[k]
