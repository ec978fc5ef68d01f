"""The net's outputs for the position after every move, from sums that all moves share."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.strategies.afterstates.candidates import (
    MOST_MOVES,
    MOVES_SIZE,
    collect_moves,
    drop_poor_parties,
)
from ethnos_sim.strategies.afterstates.outcomes import (
    base_effects,
    is_recruit,
    move_outcome,
    recruit_outcome,
)
from ethnos_sim.strategies.net.facts import (
    FACTS_SIZE,
    SUMS,
    SUMS_DONE,
    compute_facts,
    gift_after,
    region_index,
)
from ethnos_sim.strategies.net.hand import count_hand, put_hand
from ethnos_sim.strategies.net.inputs import (
    changes_columns,
    put,
    put_clock,
    put_columns,
    put_common,
    put_game_constants,
    put_player,
    put_score,
    put_table,
)
from ethnos_sim.strategies.net.layers import (
    SUMS_SIZE,
    net_outputs,
    set_common_sums,
    set_region_sums,
    set_table_sums,
)
from ethnos_sim.strategies.net.layout import (
    FIRST_UNITS,
    MARGIN_WEIGHT,
    POOL,
    TABLE_BIAS,
    TABLE_ROWS,
    TABLE_UNITS,
)
from ethnos_sim.strategies.net.quantisation import MANY, OUTPUT_ONE
from ethnos_sim.strategies.net.vectors import (
    floats_on_stack,
    numbers_on_stack,
    shorts_on_stack,
    sum_inputs,
)

#: The weight of the margin in a move's value, as a whole number.
MARGIN_FACTOR = int(MARGIN_WEIGHT)

#: The number of inputs for which a list has room.
LIST_SIZE = 256

#: The number of the hand's inputs, two for each region.
HAND_INPUTS_SIZE = 2 * REGIONS


@uncounted
def put_hand_and_pool(view, facts, hand, pool, drawn, inputs, end, hand_inputs):
    """Append the inputs of hand, pool and clock after a move; `pool` is two bit masks."""
    if drawn > 0:
        end = put_clock(view, inputs, end, 0.0, -1)
        end = put_clock(view, inputs, end, float(drawn), 1)
    end = put(inputs, end, POOL + 3, min(gift_after(view, facts, pool[0]), MANY))
    return put_hand(view, facts, hand, drawn, pool[0], pool[1], inputs, end, hand_inputs)


@uncounted
def prepare_sums(view, weights, memory, facts, table_sums, column_sums, own_sums):
    """Compute the first layer's sums that all moves of a decision share.

    `table_sums` gets the sums of the inputs that no move changes, and the regions' sums.
    `column_sums` gets the table's sums plus the player's columns (`put_columns`). `own_sums` gets
    `column_sums` plus the player's score, points and markers.
    """
    inputs = numbers_on_stack(LIST_SIZE)
    end = put_common(view, inputs, 0)
    set_common_sums(table_sums, weights, inputs, end)
    for region in range(REGIONS):
        index = region_index(region, 0, 0)
        set_region_sums(table_sums, table_sums, weights, region, facts, index)
    if memory[SUMS_DONE] == 0:
        end = put_game_constants(view, facts, inputs, 0)
        sum_inputs(memory, SUMS, TABLE_UNITS, weights, TABLE_BIAS, weights, TABLE_ROWS, inputs, end)
        memory[SUMS_DONE] = 1
    end = put_table(view, facts, inputs, 0)
    set_table_sums(table_sums, memory, SUMS, weights, inputs, end)
    now = base_effects(view, NONE, NONE, 0, False)
    end = put_columns(view, facts, now, inputs, 0)
    set_table_sums(column_sums, table_sums, 0, weights, inputs, end)
    end = put_score(view, facts, now, inputs, 0)
    end = put_player(view, facts, now, inputs, end)
    set_table_sums(own_sums, column_sums, 0, weights, inputs, end)


@uncounted
def recruit_outputs(view, weights, facts, table_sums, own_sums, hand, pool, drawn):
    """The net's outputs after a recruit, which changes only the hand and the pool.

    `table_sums` and `own_sums` come from `prepare_sums`.
    """
    sums = shorts_on_stack(TABLE_UNITS)
    inputs = numbers_on_stack(LIST_SIZE)
    hand_inputs = numbers_on_stack(HAND_INPUTS_SIZE)
    end = put_hand_and_pool(view, facts, hand, pool, drawn, inputs, 0, hand_inputs)
    set_table_sums(sums, own_sums, 0, weights, inputs, end)
    return net_outputs(sums, table_sums, hand_inputs, weights)


@uncounted
def party_outputs(view, weights, facts, table_sums, column_sums, effects, hand, pool):
    """The net's outputs after a party, or its marker's placing, from the sums of `prepare_sums`."""
    sums = shorts_on_stack(FIRST_UNITS)
    inputs = numbers_on_stack(LIST_SIZE)
    hand_inputs = numbers_on_stack(HAND_INPUTS_SIZE)
    end = put_score(view, facts, effects, inputs, 0)
    end = put_player(view, facts, effects, inputs, end)
    end = put_hand_and_pool(view, facts, hand, pool, effects.drawn, inputs, end, hand_inputs)
    for i in range(TABLE_UNITS, FIRST_UNITS):
        sums[i] = table_sums[i]
    if changes_columns(view, effects.slot):
        end = put_columns(view, facts, effects, inputs, end)
        set_table_sums(sums, table_sums, 0, weights, inputs, end)
    else:
        set_table_sums(sums, column_sums, 0, weights, inputs, end)
    if effects.region != NONE:
        index = region_index(effects.region, effects.placed, effects.coin)
        set_region_sums(sums, table_sums, weights, effects.region, facts, index)
    return net_outputs(sums, sums, hand_inputs, weights)


@uncounted
def evaluate_moves(view, weights, memory, facts, hand, moves, wins, margins):
    """Write the net's outputs for every move to `wins` (logits) and `margins`."""
    table_sums = shorts_on_stack(SUMS_SIZE)
    column_sums = shorts_on_stack(TABLE_UNITS)
    own_sums = shorts_on_stack(TABLE_UNITS)
    prepare_sums(view, weights, memory, facts, table_sums, column_sums, own_sums)
    for number in range(moves[0]):
        if is_recruit(view, moves, number):
            held, pool, drawn = recruit_outcome(view, hand, moves, number)
            value = recruit_outputs(view, weights, facts, table_sums, own_sums, held, pool, drawn)
        else:
            effects, held, pool = move_outcome(view, facts, hand, moves, number)
            value = party_outputs(
                view, weights, facts, table_sums, column_sums, effects, held, pool
            )
        wins[number], margins[number] = value


@uncounted
def collect_valued_moves(view, weights, memory, facts, moves, wins, margins, value_single):
    """Collect the moves for the open question and the net's outputs for them; return the hand.

    `memory` is the player's memory (its indices are in `net.facts`). If there is a single move, its
    outputs are computed only if `value_single` is set.
    """
    hand = count_hand(view, view.hand_once, view.hand_twice)
    collect_moves(view, hand, moves)
    if value_single or moves[0] > 1:
        compute_facts(view, weights, memory, facts)
        drop_poor_parties(view, facts, moves)
        if value_single or moves[0] > 1:
            evaluate_moves(view, weights, memory, facts, hand, moves, wins, margins)
    return hand


@uncounted
def best_move_number(moves, wins, margins):
    """The number of the move with the highest value (the win's logit plus the weighted margin)."""
    best = 0
    most = wins[0] + MARGIN_FACTOR * margins[0]
    for number in range(1, moves[0]):
        value = wins[number] + MARGIN_FACTOR * margins[number]
        if value > most:
            most = value
            best = number
    return best


@uncounted
def present_outputs(view, weights, memory):
    """The net's outputs for the present position, in which the acting player has no open question.

    In imagined games this is after the player's turn or at the start of an age. If the hand is
    empty, a party was just played. `memory` is the player's memory (indices: `net.facts`).
    """
    facts = floats_on_stack(FACTS_SIZE)
    table_sums = shorts_on_stack(SUMS_SIZE)
    column_sums = shorts_on_stack(TABLE_UNITS)
    own_sums = shorts_on_stack(TABLE_UNITS)
    compute_facts(view, weights, memory, facts)
    prepare_sums(view, weights, memory, facts, table_sums, column_sums, own_sums)
    hand = count_hand(view, view.hand_once, view.hand_twice)
    pool = (view.pool_once, view.pool_twice)
    if view.hand_once != np.uint64(0):
        return recruit_outputs(view, weights, facts, table_sums, own_sums, hand, pool, 0)
    effects = base_effects(view, NONE, NONE, 0, True)
    return party_outputs(view, weights, facts, table_sums, column_sums, effects, hand, pool)


@uncounted
def best_move_outputs(view, weights, memory):
    """The net's outputs after the best move of the acting player's turn.

    `memory` is the player's memory (its indices are in `net.facts`).
    """
    facts = floats_on_stack(FACTS_SIZE)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    moves = numbers_on_stack(MOVES_SIZE)
    collect_valued_moves(view, weights, memory, facts, moves, wins, margins, True)
    if moves[0] == 0:  # a full hand of cards that may not lead
        return present_outputs(view, weights, memory)
    best = best_move_number(moves, wins, margins)
    return wins[best], margins[best]


@uncounted
def portable_exp(exponent):
    """The exponential function to about twelve digits, the same on every machine.

    Functions of libraries differ between machines in the last digit. This function sums the series
    for the exponent divided by 1024, and squares the sum ten times.
    """
    part = min(max(float(exponent), -80.0), 80.0) / 1024.0
    power = 1.0
    for term in range(8, 0, -1):
        power = 1.0 + power * part / term
    for _ in range(10):
        power *= power
    return power


@uncounted
def win_chance(logit):
    """The chance to win, from the net's first output: a logit, of which OUTPUT_ONE means 1."""
    return 1.0 / (1.0 + portable_exp(-logit / OUTPUT_ONE))
