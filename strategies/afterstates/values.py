"""The value of the position after each move: the net on top of sums that the moves share."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.strategies.afterstates.candidates import (
    MOST_MOVES,
    MOVES_ROOM,
    collect,
    drop_poor_parties,
)
from ethnos_sim.strategies.afterstates.outcomes import (
    after_recruit,
    columns_after,
    outcome,
    recruits,
)
from ethnos_sim.strategies.net.hand import counted, put_hand
from ethnos_sim.strategies.net.inputs import (
    has_columns,
    put,
    put_clock,
    put_columns,
    put_game,
    put_moment,
    put_own,
    put_score,
    put_table,
)
from ethnos_sim.strategies.net.layers import (
    SUMS_ROOM,
    add_region,
    add_table,
    begin_common,
    outputs,
)
from ethnos_sim.strategies.net.layout import (
    FIRST_UNITS,
    MARGIN_WEIGHT,
    POOL,
    TABLE_BIAS,
    TABLE_ROWS,
    TABLE_UNITS,
)
from ethnos_sim.strategies.net.quantised import (
    MANY,
    OUTPUT_ONE,
)
from ethnos_sim.strategies.net.shared import (
    KEPT_SUMS,
    SHARED_ROOM,
    SUMS_KEPT,
    gift_after,
    place_of,
    share_numbers,
)
from ethnos_sim.strategies.net.vectors import (
    add_listed,
    floats_on_stack,
    numbers_on_stack,
    shorts_on_stack,
)

#: The weight of the margin in a move's value.
MARGINS = int(MARGIN_WEIGHT)

#: Room in a list of inputs.
ROOM = 256

#: Room for the hand's inputs, two for each region.
HOLDING = 2 * REGIONS


@uncounted
def put_after(view, shared, hand, pool, unknown, listed, used, holding):
    """Append the inputs of the hand, the pool (two planes), the clock and the gift after a move."""
    if unknown > 0:
        used = put_clock(view, listed, used, 0.0, -1)
        used = put_clock(view, listed, used, float(unknown), 1)
    used = put(listed, used, POOL + 3, min(gift_after(view, shared, pool[0]), MANY))
    return put_hand(view, shared, hand, unknown, pool[0], pool[1], listed, used, holding)


@uncounted
def prepare(view, weights, kept, shared, table_sums, column_sums, own_sums):
    """Compute the first layer's sums that all moves of a decision share.

    `table_sums` gets the sums of the inputs that no move changes, and the regions' sums.
    `column_sums` gets the table's sums with the player's columns (`put_columns`) added. `own_sums`
    gets `column_sums` with the player's score, points and markers added.
    """
    listed = numbers_on_stack(ROOM)
    used = put_moment(view, listed, 0)
    begin_common(table_sums, weights, listed, used)
    for region in range(REGIONS):
        place = place_of(region, 0, 0)
        add_region(table_sums, table_sums, weights, region, shared, place)
    if kept[KEPT_SUMS] == 0:
        used = put_game(view, shared, listed, 0)
        add_listed(
            kept, SUMS_KEPT, TABLE_UNITS, weights, TABLE_BIAS, weights, TABLE_ROWS, listed, used
        )
        kept[KEPT_SUMS] = 1
    used = put_table(view, shared, listed, 0)
    add_table(table_sums, kept, SUMS_KEPT, weights, listed, used)
    now = columns_after(view, NONE, NONE, 0, False)
    used = put_columns(view, shared, now, listed, 0)
    add_table(column_sums, table_sums, 0, weights, listed, used)
    used = put_score(view, shared, now, listed, 0)
    used = put_own(view, shared, now, listed, used)
    add_table(own_sums, column_sums, 0, weights, listed, used)


@uncounted
def value_beside(view, weights, shared, table_sums, own_sums, hand, pool, unknown):
    """The net's outputs for a move that changes only the hand and the pool.

    `table_sums` and `own_sums` come from `prepare`.
    """
    sums = shorts_on_stack(TABLE_UNITS)
    listed = numbers_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    used = put_after(view, shared, hand, pool, unknown, listed, 0, holding)
    add_table(sums, own_sums, 0, weights, listed, used)
    return outputs(sums, table_sums, holding, weights)


@uncounted
def value_of(view, weights, shared, table_sums, column_sums, after, hand, pool):
    """The net's outputs for the position after a party, from the sums of `prepare`."""
    sums = shorts_on_stack(FIRST_UNITS)
    listed = numbers_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    used = put_score(view, shared, after, listed, 0)
    used = put_own(view, shared, after, listed, used)
    used = put_after(view, shared, hand, pool, after.unknown, listed, used, holding)
    for i in range(TABLE_UNITS, FIRST_UNITS):
        sums[i] = table_sums[i]
    if has_columns(view, after.slot):
        used = put_columns(view, shared, after, listed, used)
        add_table(sums, table_sums, 0, weights, listed, used)
    else:
        add_table(sums, column_sums, 0, weights, listed, used)
    if after.region != NONE:
        place = place_of(after.region, after.placed, after.coin)
        add_region(sums, table_sums, weights, after.region, shared, place)
    return outputs(sums, sums, holding, weights)


@uncounted
def evaluate(view, weights, kept, shared, hand, moves, wins, margins):
    """The net's outputs for every move, from the numbers that all moves share."""
    table_sums = shorts_on_stack(SUMS_ROOM)
    column_sums = shorts_on_stack(TABLE_UNITS)
    own_sums = shorts_on_stack(TABLE_UNITS)
    prepare(view, weights, kept, shared, table_sums, column_sums, own_sums)
    for number in range(moves[0]):
        if recruits(view, moves, number):
            held, pool, drawn = after_recruit(view, hand, moves, number)
            value = value_beside(view, weights, shared, table_sums, own_sums, held, pool, drawn)
        else:
            after, held, pool = outcome(view, shared, hand, moves, number)
            value = value_of(view, weights, shared, table_sums, column_sums, after, held, pool)
        wins[number], margins[number] = value


@uncounted
def value_moves(view, weights, kept, shared, moves, wins, margins, alone):
    """Collect the moves for the open question, with the net's outputs; return the hand.

    `kept` has the player's numbers of the game (`shared.KEPT_PARTS`). A single move is valued only
    if `alone` is set.
    """
    hand = counted(view, view.hand_once, view.hand_twice)
    collect(view, hand, moves)
    if alone or moves[0] > 1:
        share_numbers(view, weights, kept, shared)
        drop_poor_parties(view, shared, moves)
        if alone or moves[0] > 1:
            evaluate(view, weights, kept, shared, hand, moves, wins, margins)
    return hand


@uncounted
def best_of(moves, wins, margins):
    """The number of the move with the highest value (the win's logit plus the weighted margin)."""
    best = 0
    most = wins[0] + MARGINS * margins[0]
    for number in range(1, moves[0]):
        value = wins[number] + MARGINS * margins[number]
        if value > most:
            most = value
            best = number
    return best


@uncounted
def outputs_now(view, weights, kept):
    """The net's outputs for the acting player between two turns.

    Imagined games use it after the player's turn or at the start of an age. If the hand is empty, a
    party was just played. `kept` has the player's numbers of the game (`shared.KEPT_PARTS`).
    """
    shared = floats_on_stack(SHARED_ROOM)
    table_sums = shorts_on_stack(SUMS_ROOM)
    column_sums = shorts_on_stack(TABLE_UNITS)
    own_sums = shorts_on_stack(TABLE_UNITS)
    share_numbers(view, weights, kept, shared)
    prepare(view, weights, kept, shared, table_sums, column_sums, own_sums)
    hand = counted(view, view.hand_once, view.hand_twice)
    pool = (view.pool_once, view.pool_twice)
    if view.hand_once != np.uint64(0):
        return value_beside(view, weights, shared, table_sums, own_sums, hand, pool, 0)
    after = columns_after(view, NONE, NONE, 0, True)
    return value_of(view, weights, shared, table_sums, column_sums, after, hand, pool)


@uncounted
def outputs_of_best(view, weights, kept):
    """The net's outputs for the best move of the acting player's turn.

    `kept` has the player's numbers of the game (`shared.KEPT_PARTS`).
    """
    shared = floats_on_stack(SHARED_ROOM)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    moves = numbers_on_stack(MOVES_ROOM)
    value_moves(view, weights, kept, shared, moves, wins, margins, True)
    if moves[0] == 0:  # a full hand of cards that may not lead
        return outputs_now(view, weights, kept)
    best = best_of(moves, wins, margins)
    return wins[best], margins[best]


@uncounted
def exponential(value):
    """The exponential function to about twelve digits, by sums and products alone.

    The exponential functions of libraries differ between machines in the last digit. A series is
    taken of the value divided by 1024, and its result is squared ten times.
    """
    part = min(max(float(value), -80.0), 80.0) / 1024.0
    power = 1.0
    for term in range(8, 0, -1):
        power = 1.0 + power * part / term
    for _ in range(10):
        power *= power
    return power


@uncounted
def chance_of_win(win):
    """The chance to win, from the net's output."""
    return 1.0 / (1.0 + exponential(-win / OUTPUT_ONE))
