"""A forward model: games that a strategy imagines, tries moves in and plays on.

    games = imagined_games(view, rng, 2)        # room, with the policy in every seat
    guess(view, rng, games[0])                  # hidden cards that agree with all that was seen
    copy_game(games[1], games[0])
    if make_move(games[1], move) and play_on(games[1], 8):
        ...                                     # look at games[1].open, and value it

Only a strategy declared with a policy can play on: `@strategy(..., policy="champion")`. A game is a
record with `open`, which is what a view is, and `hidden`, where `hands_once[player]` and
`hands_twice[player]` are the hands as guessed.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import put_question
from ethnos_sim.simulator.kernel.copying import copy_record
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.imagination import (
    begin_streams,
    copy_course,
    imagine,
    move_on,
    score_age,
    seat_policies,
    take_turns,
)
from ethnos_sim.simulator.records import IMAGINED_DTYPE, TURN


@kernel
def imagined_games(view, rng, number):
    """Room for so many imagined games, in which the strategy's policy answers for everybody."""
    games = np.zeros(number, IMAGINED_DTYPE)
    for i in range(number):
        seat_policies(view, rng, games[i].hidden)
    return games


@kernel
def guess(view, rng, game):
    """Make a game the present one, with a guess at hidden cards and fresh luck of the players'."""
    copy_record(game.open, view)
    imagine(view, rng, game.hidden)
    begin_streams(view, rng, game.hidden)


@kernel
def copy_game(target, source):
    """Make a game the same as another one from the same `imagined_games`, as far as play goes."""
    copy_record(target.open, source.open)
    copy_course(target.hidden, source.hidden, source.open.hands, source.open.age)


@kernel
def make_move(game, move):
    """Make a move for the player whose turn it is; False where the rules forbid it."""
    made = game.hidden.move
    made.kind = move.kind
    made.leader = move.leader
    made.choice = move.choice
    made.once = move.once
    made.twice = move.twice
    put_question(game.open, game.hidden, np.int64(game.open.player), TURN, 0, 0, 0)
    return move_on(game.open, game.hidden, game.log) == NO_FAULT


@kernel
def play_on(game, turns):
    """Play so many turns by the policy, to the age's end at most; False if it breaks the rules.

    An age that ends is scored: `game.open.age_over` is 1 then and `prestige` holds the totals.
    """
    reason = take_turns(game.open, game.hidden, turns, game.log)
    if reason == NO_FAULT and game.open.age_over:
        reason = score_age(game.open, game.hidden, game.log)
    return reason == NO_FAULT
