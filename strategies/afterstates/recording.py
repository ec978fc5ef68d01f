"""A player that records positions for training a net: `teacher`.

It plays by the net at the start of its weight array, and appends rows to the log after it. In some
turns it tries every move in imagined games. There the net plays on for everybody until the player's
second turn after the move, and values the best move of that turn. The position after each move is
recorded with the mean of these values, and with the net's own value. This is expert iteration
(Anthony, Tian, Barber 2017, "Thinking fast and slow with deep learning and tree search").
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import kernel, uncounted
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.afterstates.ahead import NEVER, come_to
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, MOVES_ROOM, PLACES, move_at
from ethnos_sim.strategies.afterstates.outcomes import outcome
from ethnos_sim.strategies.afterstates.values import HOLDING, ROOM, best_of, put_after, value_moves
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.net.inputs import (
    put_columns,
    put_game,
    put_moment,
    put_own,
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
from ethnos_sim.strategies.net.quantised import INPUT_STEPS, OUTPUT_ONE, quantised
from ethnos_sim.strategies.net.regions import KINDS_SET, SET, VALUED, VALUES
from ethnos_sim.strategies.net.shared import KEPT_ROOM, SHARED_ROOM, keep_nothing, place_of
from ethnos_sim.strategies.net.vectors import (
    COLUMN_STEP,
    VALUE_BITS,
    floats_on_stack,
    numbers_on_stack,
    whole_at,
)
from ethnos_sim.strategies.toolkit import random_chance
from ethnos_sim.strategies.toolkit.forward import copy_game, guess, imagined_games
from ethnos_sim.strategies.weights import aligned, log_at

#: The indices of a row: the player, whether the move is the first one of its turn (the moves of a
#: turn are neighbours), the chance to win and the margin by looking ahead, the net's own outputs,
#: and where the inputs of the position begin.
PLAYER, FIRST, WIN, MARGIN, OWN_WIN, OWN_MARGIN, ROW_INPUTS = range(7)
ROW = ROW_INPUTS + INPUTS

#: The index of the log, after the net's weights. The log begins with the number of its rows.
LOG = WEIGHTS_SIZE // 2

#: The index of the log's first row.
LOG_ROWS = LOG + 1


@kernel
def room_in(log, rows):
    """Reserve `rows` rows of a log and return where they start; -1 if the log has no room."""
    row = LOG_ROWS + np.int64(log[LOG]) * ROW
    if row + rows * ROW > log.size:
        return np.int64(-1)
    log[LOG] += float(rows)
    return row


@uncounted
def write_inputs(view, shared, after, hand, pool, inputs, first):
    """Write all inputs of the position after a move to `inputs`, starting at `first`."""
    listed = numbers_on_stack(ROOM)
    holding = numbers_on_stack(HOLDING)
    for i in range(INPUTS):
        inputs[first + i] = 0.0
    used = put_game(view, shared, listed, 0)
    used = put_table(view, shared, listed, used)
    used = put_score(view, shared, after, listed, used)
    used = put_own(view, shared, after, listed, used)
    used = put_columns(view, shared, after, listed, used)
    used = put_after(view, shared, hand, pool, after.unknown, listed, used, holding)
    for k in range(used):
        i = (listed[k] >> VALUE_BITS) // TABLE_UNITS
        inputs[first + i] += np.float32(INPUT_STEPS[i]) * np.int16(listed[k])
    for region in range(REGIONS):
        row = first + TABLE_INPUTS + region * REGION_INPUTS
        used = put_moment(view, listed, 0)
        for k in range(used):
            i = (listed[k] >> VALUE_BITS) // REGION_UNITS
            inputs[row + i] = np.float32(INPUT_STEPS[TABLE_INPUTS + i]) * np.int16(listed[k])
        inputs[row + holding[2 * region]] = 1.0
        inputs[row + holding[2 * region + 1]] = 1.0
        place = place_of(region, 0, 0)
        if region == after.region:
            place = place_of(region, after.placed, after.coin)
        for kind in range(KINDS_SET):
            inputs[row + whole_at(shared, place + SET + COLUMN_STEP * kind)] = 1.0
        for k in range(VALUES):
            value = whole_at(shared, place + VALUED + COLUMN_STEP * k)
            inputs[row + PRESENT + k] = np.float32(INPUT_STEPS[TABLE_INPUTS + PRESENT + k]) * value


@kernel
def try_moves(view, weights, kept, rng, moves, guesses, turns, wins, margins):
    """Compute the mean chance to win and the mean margin some turns after each move."""
    games = imagined_games(view, rng, 2)
    for number in range(moves[0]):
        wins[number] = 0.0
        margins[number] = 0.0
    for _ in range(guesses):
        guess(view, rng, games[0])
        for number in range(moves[0]):
            copy_game(games[1], games[0])
            move = move_at(moves, 1 + PLACES * number)
            win, margin = come_to(games[1], move, turns, weights, kept)
            if win == NEVER:
                return False
            wins[number] += win / guesses
            margins[number] += margin / guesses
    return True


@kernel
def note_moves(view, shared, hand, log, moves, wins, margins, outputs):
    """Append a row for every move to the log, if all rows fit.

    `wins` and `margins` come from looking ahead, the two arrays of `outputs` from the net.
    """
    row = room_in(log, moves[0])
    for number in range(moves[0] if row >= 0 else 0):
        log[row + PLAYER] = view.player
        log[row + FIRST] = number == 0
        log[row + WIN] = wins[number]
        log[row + MARGIN] = margins[number]
        log[row + OWN_WIN] = outputs[0][number] / OUTPUT_ONE
        log[row + OWN_MARGIN] = outputs[1][number] / OUTPUT_ONE
        after, held, pool = outcome(view, shared, hand, moves, number)
        write_inputs(view, shared, after, held, pool, log, row + ROW_INPUTS)
        row += ROW


@strategy(
    Parameter("part", 0.2, 0, 1, "of its turns that it looks ahead in"),
    Parameter("guesses", 12, 1, 100, "guesses at the hidden cards"),
    Parameter("rounds", 2, 0, 30, "turns of each player after the move, within the age"),
    policy="learned",
    weights="learned.npz",
    quantise=quantised,
)
def teacher(view, parameters, weights, rng):
    """Plays by its net, and notes the values that looking ahead gives to its moves."""
    shared = floats_on_stack(SHARED_ROOM)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    moves = numbers_on_stack(MOVES_ROOM)
    kept = numbers_on_stack(KEPT_ROOM)
    keep_nothing(kept)
    hand = value_moves(view, weights, kept, shared, moves, wins, margins, False)
    best = best_of(moves, wins, margins)
    if moves[0] > 1 and random_chance(rng, parameters.part):
        guesses = np.int64(parameters.guesses)
        turns = np.int64(parameters.rounds) * np.int64(view.hands)
        chances = floats_on_stack(MOST_MOVES)
        leads = floats_on_stack(MOST_MOVES)
        if try_moves(view, weights, kept, rng, moves, guesses, turns, chances, leads):
            log = log_at(rng.weights[1], rng.weights_size[1])
            note_moves(view, shared, hand, log, moves, chances, leads, (wins, margins))
    return move_at(moves, 1 + PLACES * best)


def room_for(net: np.ndarray, rows: int) -> Any:
    """The quantised weights of a net, followed by an empty log of `rows` rows (float32)."""
    array = aligned(np.zeros(LOG_ROWS + rows * ROW, np.float32))
    array[:LOG].view(np.int16)[:] = quantised(net)
    return array


def rows_of(array: np.ndarray) -> np.ndarray:
    """The rows of a log (shape (rows, ROW)), as a view of the array."""
    used = int(array[LOG])
    return array[LOG_ROWS : LOG_ROWS + used * ROW].reshape(used, ROW)
