"""Play a move out in an imagined game, and value the result by the net or by the final score."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import TURN
from ethnos_sim.simulator.kernel.asking import put_question
from ethnos_sim.simulator.kernel.deal import clear_age
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, collect
from ethnos_sim.strategies.afterstates.values import (
    chance_of_win,
    evaluate,
    exponential,
    outputs_now,
    outputs_of_best,
)
from ethnos_sim.strategies.net.hand import counted
from ethnos_sim.strategies.net.layout import MARGIN_SCALE, MARGIN_WEIGHT
from ethnos_sim.strategies.net.quantised import OUTPUT_ONE
from ethnos_sim.strategies.net.shared import SHARED_ROOM, share_numbers
from ethnos_sim.strategies.net.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.toolkit.forward import make_move, play_on

#: Returned as the chance to win when the policy gave no legal answer.
NEVER = -1.0


@kernel
def worth_of(chance, margin):
    """Shift a chance to win by a margin, which separates positions with close chances."""
    odds = chance * exponential(MARGIN_WEIGHT * margin)
    return odds / (odds + 1.0 - chance)


@kernel
def values_by_net(view, weights, moves, kept):
    """Collect the moves of a turn, and return the net's value of each move.

    These are all moves that the net can value, including moves that `learned` skips by a rule of
    thumb.
    """
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    shared = floats_on_stack(SHARED_ROOM)
    hand = counted(view, view.hand_once, view.hand_twice)
    collect(view, hand, moves)
    share_numbers(view, weights, kept, shared)
    evaluate(view, weights, kept, shared, hand, moves, wins, margins)
    values = np.zeros(moves[0])
    for number in range(moves[0]):
        values[number] = worth_of(chance_of_win(wins[number]), margins[number] / OUTPUT_ONE)
    return values


@kernel
def come_to(game, move, turns, weights, kept):
    """Make a move and play on; return the player's chance to win and margin after that.

    The last of the `turns` turns is a turn of this player. The turn is not played: the net values
    its best move. If the age ends before that turn, the net values the beginning of the next age,
    or the final score decides.
    """
    view = game.open
    player = np.int64(view.player)
    if not make_move(game, move) or not play_on(game, max(turns - 1, 0)):
        return NEVER, 0.0
    if view.age_over and view.age == view.ages:
        return result(view, player)
    own_turn = turns > 0 and not view.age_over
    if view.age_over:
        begin_next_age(view, game.hidden)
    put_question(view, game.hidden, player, TURN, 0, 0, 0)
    if own_turn:
        win, margin = outputs_of_best(view, weights, kept)
    else:
        win, margin = outputs_now(view, weights, kept)
    return chance_of_win(win), margin / OUTPUT_ONE


@kernel
def result(view, player):
    """A player's share of the win and its margin in a finished game, judged by prestige alone."""
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
def begin_next_age(view, hidden):
    """Begin the next age of an imagined game, as far as the net reads it; deal no cards."""
    clear_age(view)
    for player in range(view.hands):
        hidden.hands_once[player] = np.uint64(0)
        hidden.hands_twice[player] = np.uint64(0)
        view.hand_cards[player] = 0
