"""Look-ahead: imagine the hidden cards, try the best moves, make the move that wins most."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import UNANSWERED
from ethnos_sim.strategies.afterstates.candidates import MOVES_SIZE, move_at
from ethnos_sim.strategies.afterstates.rollouts import (
    NO_ANSWER,
    net_values,
    play_out,
    shifted_chance,
)
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.net.facts import MEMORY_SIZE, clear_memory
from ethnos_sim.strategies.net.layout import WEIGHTS_SIZE
from ethnos_sim.strategies.net.quantisation import quantise
from ethnos_sim.strategies.net.vectors import numbers_on_stack
from ethnos_sim.strategies.toolkit import Move, copy_game, guess, imagined_games

#: How many guesses are made before a move may be dropped.
FIRST_LOOK = 4

#: The net's own value of a move counts as this many guesses: their mean errs about as much.
OWN_GUESSES = 8

#: The usual standard deviation, over guesses, of the difference between two moves' chances to win.
#: It counts as one more guess, because the deviation over a few guesses is often too small.
USUAL_LUCK = 0.05

#: A move is not tried if the net's chance to win after it is this much below the best move's.
HOPELESS = 0.05


@kernel
def sort_moves(values, order, length):
    """Sort the first `length` moves of `order` by value, best first; ties keep their order."""
    for i in range(1, length):
        index = i
        while index > 0 and values[order[index]] > values[order[index - 1]]:
            move = order[index]
            order[index] = order[index - 1]
            order[index - 1] = move
            index -= 1


@kernel
def moves_to_try(values, most):
    """The numbers of at most `most` moves with the highest values, the best move first."""
    order = np.arange(values.size)
    sort_moves(values, order, order.size)
    length = 1
    while length < min(most, order.size) and values[order[length]] >= values[order[0]] - HOPELESS:
        length += 1
    return order[:length]


@kernel
def keep_contenders(means, totals, squares, order, length, guesses, doubt, indifference):
    """Drop moves of `order` that are unlikely to beat its first move; return how many are kept.

    A move is dropped if even `doubt` standard errors of luck would not bring it `indifference`
    ahead of the first move (an indifference zone; Kim and Nelson 2001). `totals`
    and `squares` are the sums of `add_guess`. The moves that are kept come first in `order`.
    """
    kept = 1
    best = order[0]
    for i in range(1, length):
        move = order[i]
        gap = (totals[best] - totals[move]) / guesses
        squared = squares[best, move] - guesses * gap * gap
        variance = (USUAL_LUCK * USUAL_LUCK + squared) / guesses
        to_make_up = means[best] - means[move] + indifference
        if to_make_up * to_make_up * (OWN_GUESSES + guesses) <= doubt * doubt * variance:
            order[kept] = move
            kept += 1
    return kept


@kernel
def add_guess(totals, squares, values, order, length):
    """Add the moves' values on one guess to `totals`, squared gaps between moves to `squares`."""
    for i in range(length):
        totals[order[i]] += values[order[i]]
        for j in range(i):
            gap = values[order[i]] - values[order[j]]
            squares[order[i], order[j]] += gap * gap
            squares[order[j], order[i]] += gap * gap


@strategy(
    Parameter("moves", 4, 2, 20, "largest number of moves that it tries"),
    Parameter("samples", 40, 1, 500, "largest number of guesses at the hidden cards"),
    Parameter("rounds", 2, 0, 30, "turns that each player takes after the move, within the age"),
    Parameter("doubt", 2, 0, 10, "a move is dropped if it is this many standard errors behind"),
    Parameter(
        "indifference",
        0.012,
        0,
        1,
        "difference between moves, in chances to win, that is too small to matter",
    ),
    policy="learned",
    weights="learned.npz",
    weights_size=WEIGHTS_SIZE,
    quantise=quantise,
)
def lookahead(view, parameters, weights, rng):
    """Tries its best moves in imagined games, and makes the move that wins most of them.

    It guesses hidden cards that agree with everything that it has seen, and makes a move. Then a
    fast policy plays on for everybody until the player's second turn, and the net of
    `learned` values the best move there. The net also chooses the moves to try, and its value of a
    move counts as eight guesses. Every move is tried on the same guesses, so that luck cancels in
    the differences. A move is dropped once it is unlikely to be better than the best move by a
    difference that matters (an indifference zone; Kim and Nelson 2001). Bridge programs also play
    by Monte Carlo determinization (Ginsberg 2001).

    Bad at: bluff and secrets. In an imagined game all players play as if all cards were open. So
    it never values hiding or finding out cards, and it expects every rival to play as its fast
    policy would.
    """
    none = np.uint64(0)
    moves = numbers_on_stack(MOVES_SIZE)
    memory = numbers_on_stack(MEMORY_SIZE)
    clear_memory(memory)
    values = net_values(view, weights, moves, memory)
    order = moves_to_try(values, int(parameters.moves))
    left = order.size
    means = np.zeros(values.size)
    imagined = np.zeros(values.size)
    totals = np.zeros(values.size)
    squares = np.zeros((values.size, values.size))
    games = imagined_games(view, rng, 2)
    turns = int(parameters.rounds) * np.int64(view.hands)
    guesses = 0
    while left > 1 and guesses < parameters.samples:
        guess(view, rng, games[0])
        for i in range(left):
            copy_game(games[1], games[0])
            move = move_at(moves, order[i])
            chance, margin = play_out(games[1], move, turns, weights, memory)
            if chance == NO_ANSWER:  # the policy gave no legal answer, which stops the batch
                return Move(np.int64(UNANSWERED), np.int64(0), np.int64(0), none, none)
            imagined[order[i]] = shifted_chance(chance, margin)
        add_guess(totals, squares, imagined, order, left)
        guesses += 1
        for i in range(left):
            number = order[i]
            means[number] = OWN_GUESSES * values[number] + totals[number]
            means[number] /= OWN_GUESSES + guesses
        sort_moves(means, order, left)
        if guesses >= FIRST_LOOK:
            left = keep_contenders(
                means,
                totals,
                squares,
                order,
                left,
                guesses,
                parameters.doubt,
                parameters.indifference,
            )
    return move_at(moves, order[0])
