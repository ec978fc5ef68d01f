"""A player that records positions for training a net: `teacher`.

Its weight array has a net, by which it plays, and then a log, to which it appends rows. In some
turns it tries every move in imagined games. There the net plays on for everybody until the player's
second turn after the move, and values the best move of that turn. A row has the position after a
move, the mean of these values, and the net's own value of the position. This is expert iteration
(Anthony, Tian, Barber 2017, "Thinking fast and slow with deep learning and tree search").
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import kernel, uncounted
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, MOVES_SIZE, move_at
from ethnos_sim.strategies.afterstates.outcomes import move_outcome
from ethnos_sim.strategies.afterstates.rollouts import NO_ANSWER, play_out
from ethnos_sim.strategies.afterstates.values import (
    HAND_INPUTS_SIZE,
    LIST_SIZE,
    best_move_number,
    collect_valued_moves,
    put_hand_and_pool,
)
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.net.facts import FACTS_SIZE, MEMORY_SIZE, clear_memory, region_index
from ethnos_sim.strategies.net.inputs import (
    put_columns,
    put_common,
    put_game_constants,
    put_player,
    put_score,
    put_table,
)
from ethnos_sim.strategies.net.layout import (
    INPUTS,
    PRESENT,
    REGION_INPUTS,
    REGION_UNITS,
    TABLE_INPUTS,
    TABLE_UNITS,
    WEIGHTS_SIZE,
)
from ethnos_sim.strategies.net.quantisation import INPUT_STEPS, OUTPUT_ONE, quantise
from ethnos_sim.strategies.net.regions import KINDS_SET, SET, VALUED, VALUES
from ethnos_sim.strategies.net.vectors import (
    COLUMN_STEP,
    VALUE_BITS,
    floats_on_stack,
    load_whole,
    numbers_on_stack,
)
from ethnos_sim.strategies.toolkit import random_chance
from ethnos_sim.strategies.toolkit.forward import copy_game, guess, imagined_games
from ethnos_sim.strategies.weights import aligned_copy, log_at

#: The indices of a row: the player, whether the row begins a turn (the moves of a turn have
#: consecutive rows), the chance to win and the margin by looking ahead, the net's own outputs, and
#: where the inputs of the position begin.
PLAYER, FIRST, WIN, MARGIN, OWN_WIN, OWN_MARGIN, ROW_INPUTS = range(7)
ROW = ROW_INPUTS + INPUTS

#: The index after the net's weights where the log begins. The number there counts the log's rows.
LOG = WEIGHTS_SIZE // 2

#: The index of the log's first row.
LOG_ROWS = LOG + 1


@kernel
def reserve_rows(log, row_count):
    """Reserve `row_count` rows in a log; return the index of the first row, or -1 without room."""
    row = LOG_ROWS + np.int64(log[LOG]) * ROW
    if row + row_count * ROW > log.size:
        return np.int64(-1)
    log[LOG] += float(row_count)
    return row


@uncounted
def write_inputs(view, facts, effects, hand, pool, log, start):
    """Write all inputs of the position after a move to `log`, starting at `start`."""
    inputs = numbers_on_stack(LIST_SIZE)
    hand_inputs = numbers_on_stack(HAND_INPUTS_SIZE)
    for i in range(INPUTS):
        log[start + i] = 0.0
    end = put_game_constants(view, facts, inputs, 0)
    end = put_table(view, facts, inputs, end)
    end = put_score(view, facts, effects, inputs, end)
    end = put_player(view, facts, effects, inputs, end)
    end = put_columns(view, facts, effects, inputs, end)
    end = put_hand_and_pool(view, facts, hand, pool, effects.drawn, inputs, end, hand_inputs)
    for k in range(end):
        i = (inputs[k] >> VALUE_BITS) // TABLE_UNITS
        log[start + i] += np.float32(INPUT_STEPS[i]) * np.int16(inputs[k])
    for region in range(REGIONS):
        row = start + TABLE_INPUTS + region * REGION_INPUTS
        end = put_common(view, inputs, 0)
        for k in range(end):
            i = (inputs[k] >> VALUE_BITS) // REGION_UNITS
            log[row + i] = np.float32(INPUT_STEPS[TABLE_INPUTS + i]) * np.int16(inputs[k])
        log[row + hand_inputs[2 * region]] = 1.0
        log[row + hand_inputs[2 * region + 1]] = 1.0
        index = region_index(region, 0, 0)
        if region == effects.region:
            index = region_index(region, effects.placed, effects.coin)
        for kind in range(KINDS_SET):
            log[row + load_whole(facts, index + SET + COLUMN_STEP * kind)] = 1.0
        for k in range(VALUES):
            value = load_whole(facts, index + VALUED + COLUMN_STEP * k)
            log[row + PRESENT + k] = np.float32(INPUT_STEPS[TABLE_INPUTS + PRESENT + k]) * value


@kernel
def look_ahead(view, weights, memory, rng, moves, guesses, turns, wins, margins):
    """Write the mean results of rollouts of every move to `wins` (chances) and `margins`.

    It returns False if the policy gave no legal answer.
    """
    games = imagined_games(view, rng, 2)
    for number in range(moves[0]):
        wins[number] = 0.0
        margins[number] = 0.0
    for _ in range(guesses):
        guess(view, rng, games[0])
        for number in range(moves[0]):
            copy_game(games[1], games[0])
            move = move_at(moves, number)
            win, margin = play_out(games[1], move, turns, weights, memory)
            if win == NO_ANSWER:
                return False
            wins[number] += win / guesses
            margins[number] += margin / guesses
    return True


@kernel
def log_moves(view, facts, hand, log, moves, wins, margins, outputs):
    """Append a row for every move to the log, unless it has no room for all of them.

    `wins` and `margins` come from looking ahead, the two arrays of `outputs` from the net.
    """
    row = reserve_rows(log, moves[0])
    for number in range(moves[0] if row >= 0 else 0):
        log[row + PLAYER] = view.player
        log[row + FIRST] = number == 0
        log[row + WIN] = wins[number]
        log[row + MARGIN] = margins[number]
        log[row + OWN_WIN] = outputs[0][number] / OUTPUT_ONE
        log[row + OWN_MARGIN] = outputs[1][number] / OUTPUT_ONE
        effects, held, pool = move_outcome(view, facts, hand, moves, number)
        write_inputs(view, facts, effects, held, pool, log, row + ROW_INPUTS)
        row += ROW


@strategy(
    Parameter("share", 0.2, 0, 1, "share of its turns in which it looks ahead"),
    Parameter("guesses", 12, 1, 100, "guesses at the hidden cards"),
    Parameter("rounds", 2, 0, 30, "turns of each player after the move, within the age"),
    policy="learned",
    weights="learned.npz",
    quantise=quantise,
)
def teacher(view, parameters, weights, rng):
    """Plays by its net, and logs the values that looking ahead gives to its moves."""
    facts = floats_on_stack(FACTS_SIZE)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    moves = numbers_on_stack(MOVES_SIZE)
    memory = numbers_on_stack(MEMORY_SIZE)
    clear_memory(memory)
    hand = collect_valued_moves(view, weights, memory, facts, moves, wins, margins, False)
    best = best_move_number(moves, wins, margins)
    if moves[0] > 1 and random_chance(rng, parameters.share):
        guesses = np.int64(parameters.guesses)
        turns = np.int64(parameters.rounds) * np.int64(view.hands)
        chances = floats_on_stack(MOST_MOVES)
        leads = floats_on_stack(MOST_MOVES)
        if look_ahead(view, weights, memory, rng, moves, guesses, turns, chances, leads):
            log = log_at(rng.weights[1], rng.weights_size[1])
            log_moves(view, facts, hand, log, moves, chances, leads, (wins, margins))
    return move_at(moves, best)


def weights_and_log(net: np.ndarray, row_count: int) -> Any:
    """The quantised weights of a net, followed by an empty log of `row_count` rows (float32)."""
    array = aligned_copy(np.zeros(LOG_ROWS + row_count * ROW, np.float32))
    array[:LOG].view(np.int16)[:] = quantise(net)
    return array


def logged_rows(array: np.ndarray) -> np.ndarray:
    """The log's rows in a weight array, as a NumPy view of the array (shape (rows, ROW))."""
    rows = int(array[LOG])
    return array[LOG_ROWS : LOG_ROWS + rows * ROW].reshape(rows, ROW)
