"""A player that notes what looking ahead makes of its moves, so that a net can learn to see it.

It plays by a net. Of some turns it tries every move in imagined games in which the net plays on for
everybody until the player's next turn is over, values what comes by the net again, and notes each
move's position with the mean of those values: expert iteration (Anthony, Tian, Barber 2017,
"Thinking fast and slow with deep learning and tree search"), by rows of the same kind as
`recording` has.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import put_question
from ethnos_sim.simulator.records import TURN
from ethnos_sim.strategies.afterstates.candidates import (
    MOST_MOVES,
    MOVES_ROOM,
    PLACES,
    move_at,
)
from ethnos_sim.strategies.afterstates.layout import MARGIN_SCALE
from ethnos_sim.strategies.afterstates.recording import (
    BY_CHANCE,
    ROW,
    note,
    room_in,
)
from ethnos_sim.strategies.afterstates.shared import SHARED_ROOM
from ethnos_sim.strategies.afterstates.values import (
    best_of,
    chance_of_logit,
    outputs_now,
    value_moves,
)
from ethnos_sim.strategies.afterstates.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import random_chance
from ethnos_sim.strategies.toolkit.chances import begin_next_age
from ethnos_sim.strategies.toolkit.forward import (
    copy_game,
    guess,
    imagined_games,
    make_move,
    play_on,
)
from ethnos_sim.strategies.weights import log_at

#: The place of a row that is 1 for the first move of a decision: all moves of one stand together.
FIRST = BY_CHANCE


@kernel
def final(view, player):
    """A game's result for a player: the part of the win by prestige alone, and the margin."""
    best = -1e9
    equal = 1.0
    own = float(view.prestige[player])
    for rival in range(view.players):
        if rival != player:
            best = max(best, float(view.prestige[rival]))
            equal += view.prestige[rival] == own
    win = 1.0 / equal if own >= best else 0.0
    return win, (own - best) / MARGIN_SCALE


@kernel
def try_moves(view, weights, rng, moves, guesses, wins, margins):
    """The mean chance to win and margin after each move and a turn of everybody's."""
    games = imagined_games(view, rng, 2)
    player = np.int64(view.player)
    for number in range(moves[0]):
        wins[number] = 0.0
        margins[number] = 0.0
    for _ in range(guesses):
        guess(view, rng, games[0])
        for number in range(moves[0]):
            copy_game(games[1], games[0])
            table = games[1].open
            if not make_move(games[1], move_at(moves, 1 + PLACES * number)):
                return False
            if not play_on(games[1], np.int64(view.hands)):
                return False
            if table.age_over and table.age == table.ages:
                win, margin = final(table, player)
            else:
                if table.age_over:
                    begin_next_age(table, games[1].hidden)
                put_question(table, games[1].hidden, player, TURN, 0, 0, 0)
                logit, margin = outputs_now(table, weights)
                win = chance_of_logit(logit)
            wins[number] += win / guesses
            margins[number] += margin / guesses
    return True


@kernel
def note_moves(view, shared, hand, log, moves, wins, margins):
    """Append a row for every move to the log, if there is room for all."""
    row = room_in(log, moves[0])
    for number in range(moves[0] if row >= 0 else 0):
        note(
            view, shared, hand, moves, number, log, row, number == 0, wins[number], margins[number]
        )
        row += ROW


@strategy(
    Parameter("part", 0.2, 0, 1, "of its turns that it looks ahead in"),
    Parameter("guesses", 8, 1, 100, "guesses at the hidden cards"),
    looks_at_rivals=True,
    looks_ahead=True,
    policy="learned",
    weights="learned.npz",
)
def teacher(view, parameters, weights, rng):
    """Plays by its net and notes what looking ahead makes of its moves."""
    shared = floats_on_stack(SHARED_ROOM)
    wins = floats_on_stack(MOST_MOVES)
    margins = floats_on_stack(MOST_MOVES)
    moves = numbers_on_stack(MOVES_ROOM)
    hand = value_moves(view, weights, shared, moves, wins, margins, False)
    best = best_of(moves, wins, margins)
    if moves[0] > 1 and random_chance(rng, parameters.part):
        guesses = np.int64(parameters.guesses)
        if try_moves(view, weights, rng, moves, guesses, wins, margins):
            log = log_at(rng.weights[1], rng.weights_size[1])
            note_moves(view, shared, hand, log, moves, wins, margins)
    return move_at(moves, 1 + PLACES * best)
