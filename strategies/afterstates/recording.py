"""Two players that record positions for training a net: `recorder` and `teacher`.

Both play by the net at the start of their weight array, and append rows to the log after it.
`recorder` records the positions after its moves, some of which are random; training labels them
with the games' results. `teacher` tries every move of some turns in imagined games. There the net
plays on for everybody until the player's second turn after the move, and values the best move of
that turn. The position after each move is recorded with the mean of these values. This is expert
iteration (Anthony, Tian, Barber 2017, "Thinking fast and slow with deep learning and tree search").
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import FROM_DECK
from ethnos_sim.strategies.afterstates.ahead import NEVER, come_to
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, MOVES_ROOM, PLACES, move_at
from ethnos_sim.strategies.afterstates.layout import INPUTS, WEIGHTS_SIZE
from ethnos_sim.strategies.afterstates.outcomes import outcome
from ethnos_sim.strategies.afterstates.quantised import OUTPUT_ONE, quantised
from ethnos_sim.strategies.afterstates.shared import KEPT_ROOM, SHARED_ROOM, keep_nothing
from ethnos_sim.strategies.afterstates.values import best_of, value_moves, write_inputs
from ethnos_sim.strategies.afterstates.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import Cards, random_below, random_chance
from ethnos_sim.strategies.toolkit.forward import copy_game, guess, imagined_games
from ethnos_sim.strategies.weights import aligned, log_at

#: The places in a row: the player and the turn, whether the move was random, the net's outputs for
#: the move made and for the best move, and where the inputs of the position begin.
PLAYER, TURN, BY_CHANCE, WIN, MARGIN, BEST_WIN, BEST_MARGIN, ROW_INPUTS = range(8)
ROW = ROW_INPUTS + INPUTS

#: The place in a teacher's row that holds 1 for the first move of a decision. The rows of one
#: decision are consecutive.
FIRST = BY_CHANCE

#: The place of the log after the net's weights. The log begins with the number of its rows.
LOG = WEIGHTS_SIZE // 2

#: The place of the log's first row.
LOG_ROWS = LOG + 1


@kernel
def room_in(log, rows):
    """Reserve `rows` rows of a log and return where they start; -1 if the log has no room."""
    row = LOG_ROWS + np.int64(log[LOG]) * ROW
    if row + rows * ROW > log.size:
        return np.int64(-1)
    log[LOG] += float(rows)
    return row


@kernel
def note(view, shared, hand, moves, number, log, row, mark, win, margin):
    """Write the position after a move to a row of a log, and the row's mark, win and margin."""
    log[row + BY_CHANCE] = mark
    log[row + WIN] = win
    log[row + MARGIN] = margin
    after, held, pool = outcome(view, shared, hand, moves, number)
    write_inputs(view, shared, after, held, pool, log, row + ROW_INPUTS)


@kernel
def decide(view, weights, rng, moves, chance):
    """Choose a move, record the position after it, and return its place in the moves."""
    shared = floats_on_stack(SHARED_ROOM)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    kept = numbers_on_stack(KEPT_ROOM)
    keep_nothing(kept)
    hand = value_moves(view, weights, kept, shared, moves, wins, margins, True)
    best = best_of(moves, wins, margins)
    chosen = best
    if moves[0] > 1 and random_chance(rng, chance):
        chosen = random_below(rng, moves[0])
    log = log_at(rng.weights[0], rng.weights_size[0])
    row = room_in(log, 1)
    if row >= 0:
        log[row + PLAYER] = view.player
        log[row + TURN] = view.turns
        log[row + BEST_WIN] = wins[best] / OUTPUT_ONE
        log[row + BEST_MARGIN] = margins[best] / OUTPUT_ONE
        win, margin = wins[chosen] / OUTPUT_ONE, margins[chosen] / OUTPUT_ONE
        note(view, shared, hand, moves, chosen, log, row, chosen != best, win, margin)
    return 1 + PLACES * chosen


@kernel
def decided_move(view, weights, rng, chance):
    """Choose a move for `turn` or `second_party`, and record the position after it."""
    moves = numbers_on_stack(MOVES_ROOM)
    return move_at(moves, decide(view, weights, rng, moves, chance))


@strategy(
    Parameter("chance", 0.0, 0, 1, "probability of a random move"),
    looks_at_rivals=True,
    weights="learned.npz",
    quantise=quantised,
)
def recorder(view, parameters, weights, rng):
    """Plays by its net and notes every position."""
    return decided_move(view, weights, rng, parameters.chance)


@recorder.second_party
def _another(view, parameters, weights, rng):
    return decided_move(view, weights, rng, parameters.chance)


@recorder.region
@recorder.sea_region
def _where(view, parameters, weights, rng):
    moves = numbers_on_stack(MOVES_ROOM)
    return moves[1 + decide(view, weights, rng, moves, parameters.chance)]


@recorder.keep
def _kept(view, parameters, weights, rng):
    moves = numbers_on_stack(MOVES_ROOM)
    place = decide(view, weights, rng, moves, parameters.chance)
    return Cards(np.uint64(moves[place + 3]), np.uint64(moves[place + 4]))


@recorder.draw
def _drawn(view, parameters, weights, rng):
    moves = numbers_on_stack(MOVES_ROOM)
    return moves[decide(view, weights, rng, moves, parameters.chance)] == FROM_DECK


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
def note_moves(view, shared, hand, log, moves, wins, margins):
    """Append a row for every move to the log, if all rows fit."""
    row = room_in(log, moves[0])
    for number in range(moves[0] if row >= 0 else 0):
        win, margin = wins[number], margins[number]
        note(view, shared, hand, moves, number, log, row, number == 0, win, margin)
        row += ROW


@strategy(
    Parameter("part", 0.2, 0, 1, "of its turns that it looks ahead in"),
    Parameter("guesses", 12, 1, 100, "guesses at the hidden cards"),
    Parameter("rounds", 2, 0, 30, "turns of each player after the move, within the age"),
    looks_at_rivals=True,
    looks_ahead=True,
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
            note_moves(view, shared, hand, log, moves, chances, leads)
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
