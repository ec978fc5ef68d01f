"""Rollouts: a move and the turns after it in an imagined game, valued by the net or the score."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import TURN
from ethnos_sim.simulator.kernel.asking import write_question
from ethnos_sim.simulator.kernel.deal import reset_age
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, collect_moves
from ethnos_sim.strategies.afterstates.values import (
    best_move_outputs,
    evaluate_moves,
    portable_exp,
    present_outputs,
    win_chance,
)
from ethnos_sim.strategies.net.facts import FACTS_SIZE, compute_facts
from ethnos_sim.strategies.net.hand import count_hand
from ethnos_sim.strategies.net.layout import MARGIN_SCALE, MARGIN_WEIGHT
from ethnos_sim.strategies.net.quantisation import OUTPUT_ONE
from ethnos_sim.strategies.net.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.toolkit.forward import make_move, play_on

#: What `play_out` returns as the chance to win if the policy gave no legal answer.
NO_ANSWER = -1.0


@kernel
def shifted_chance(chance, margin):
    """A chance to win, shifted by the margin so that positions with close chances differ."""
    odds = chance * portable_exp(MARGIN_WEIGHT * margin)
    return odds / (odds + 1.0 - chance)


@kernel
def net_values(view, weights, moves, memory):
    """Collect the moves of a turn, and return the net's value of every move, as a chance to win.

    Poor parties, which `learned` skips by a rule of thumb, are valued too.
    """
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    facts = floats_on_stack(FACTS_SIZE)
    hand = count_hand(view, view.hand_once, view.hand_twice)
    collect_moves(view, hand, moves)
    compute_facts(view, weights, memory, facts)
    evaluate_moves(view, weights, memory, facts, hand, moves, wins, margins)
    values = np.zeros(moves[0])
    for number in range(moves[0]):
        values[number] = shifted_chance(win_chance(wins[number]), margins[number] / OUTPUT_ONE)
    return values


@kernel
def play_out(game, move, turns, weights, memory):
    """Make a move and play on for `turns` turns; return the player's chance to win and its margin.

    The last of these turns is the player's. It is not played: the net values its best move. If the
    age ends before that turn, the net values the start of the next age; if the game ends, the final
    score decides. The chance is NO_ANSWER if the policy gave no legal answer.
    """
    view = game.open
    player = np.int64(view.player)
    if not make_move(game, move) or not play_on(game, max(turns - 1, 0)):
        return NO_ANSWER, 0.0
    if view.age_over and view.age == view.ages:
        return final_result(view, player)
    own_turn = turns > 0 and not view.age_over
    if view.age_over:
        begin_next_age(view, game.hidden)
    write_question(view, game.hidden, player, TURN, 0, 0, 0)
    if own_turn:
        win, margin = best_move_outputs(view, weights, memory)
    else:
        win, margin = present_outputs(view, weights, memory)
    return win_chance(win), margin / OUTPUT_ONE


@kernel
def final_result(view, player):
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
    """Begin the next age of an imagined game for the net: reset what it reads, deal no cards."""
    reset_age(view)
    for player in range(view.hands):
        hidden.hands_once[player] = np.uint64(0)
        hidden.hands_twice[player] = np.uint64(0)
        view.hand_cards[player] = 0
