"""A forward model: imagined games in which a strategy tries moves and plays on.

    games = imagined_games(view, rng, 2)        # memory, with the policy in every seat
    guess(view, rng, games[0])                  # hidden cards that fit what was seen
    copy_game(games[1], games[0])
    if make_move(games[1], move) and play_on(games[1], 8):
        ...                                     # look at games[1].open, and value it

A strategy needs a policy to play on: `@strategy(..., policy="champion")`. A game is a record with
`open`, a record like the view, and `hidden`, in which `hands_once[player]` and
`hands_twice[player]` are the guessed hands.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import tool
from ethnos_sim.simulator.compiler.failures import ForbiddenAction
from ethnos_sim.simulator.game.records import IMAGINED_DTYPE, TURN
from ethnos_sim.simulator.kernel.asking import write_question
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.imagination import (
    copy_deck,
    copy_policy_to_seats,
    copy_progress,
    guess_hidden_cards,
    play_move,
    reset_seats,
    take_turns,
)
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.kernel.scoring import end_age
from ethnos_sim.simulator.user_code.shown_types import shown_games, whole_record

NO_POLICY = 'to imagine games, declare the policy that plays on: @strategy(..., policy="champion")'
NO_GUESS = "an imagined game begins with guess(view, rng, game), or is copied from such a game"


@tool
def imagined_games(view, rng, number):
    """Memory for a number of imagined games, in which the strategy's policy plays for everybody."""
    own = whole_record(rng)
    if own.policy_addresses[TURN] == 0:
        raise ForbiddenAction(NO_POLICY)
    games = np.zeros(number, IMAGINED_DTYPE)
    for i in range(number):
        copy_policy_to_seats(view, own, games[i].hidden)
    return shown_games(games, view)


@tool
def guess(view, rng, game):
    """Copy the present game to `game`, with guessed hidden cards and new random streams."""
    imagined = whole_record(game)
    own = whole_record(rng)
    copy_record(imagined.open, whole_record(view))
    guess_hidden_cards(view, own, imagined.hidden)
    reset_seats(view, own, imagined.hidden)


@tool
def copy_game(target, source):
    """Copy the progress of `source` to `target`, a game of the same call of `imagined_games`."""
    to = whole_record(target)
    origin = whole_record(source)
    if origin.open.players == 0:
        raise ForbiddenAction(NO_GUESS)
    copy_record(to.open, origin.open)
    copy_progress(to.hidden, origin.hidden, origin.open.hands)
    copy_deck(to.hidden, origin.hidden, origin.open.age)


@tool
def make_move(game, move):
    """Make a move for the player whose turn it is; False if the rules forbid it."""
    imagined = whole_record(game)
    if imagined.open.players == 0:
        raise ForbiddenAction(NO_GUESS)
    if imagined.open.age_over:
        return False
    answer = imagined.hidden.move
    answer.kind, answer.leader, answer.choice = move.kind, move.leader, move.choice
    answer.once, answer.twice = move.once, move.twice
    player = np.int64(imagined.open.player)
    write_question(imagined.open, imagined.hidden, player, TURN, 0, 0, 0)
    return play_move(imagined.open, imagined.hidden, imagined.log) == NO_FAULT


@tool
def play_on(game, turns):
    """Play some turns by the policy, up to the age's end; False if the policy breaks the rules.

    If the age ends, it is scored: `game.open.age_over` is 1, and `prestige` has the totals.
    """
    imagined = whole_record(game)
    if imagined.open.players == 0:
        raise ForbiddenAction(NO_GUESS)
    reason = take_turns(imagined.open, imagined.hidden, turns, imagined.log)
    if reason == NO_FAULT and imagined.open.age_over:
        reason = end_age(imagined.open, imagined.hidden, imagined.log)
    return reason == NO_FAULT
