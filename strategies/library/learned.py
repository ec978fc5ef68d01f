"""Learned: a small net that values the position after every move, trained by playing."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import FROM_DECK
from ethnos_sim.strategies.afterstates.candidates import (
    MOST_MOVES,
    MOVES_ROOM,
    PLACES,
    move_at,
)
from ethnos_sim.strategies.afterstates.values import best_of, value_moves
from ethnos_sim.strategies.api import strategy
from ethnos_sim.strategies.net.layout import WEIGHTS_SIZE
from ethnos_sim.strategies.net.quantised import quantised
from ethnos_sim.strategies.net.shared import (
    SHARED_ROOM,
)
from ethnos_sim.strategies.net.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.toolkit import Cards


@kernel
def choose(view, weights, memory, moves):
    """Collect the moves for the open question; return the index of the best move."""
    shared = floats_on_stack(SHARED_ROOM)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    value_moves(view, weights, memory, shared, moves, wins, margins, False)
    return 1 + PLACES * best_of(moves, wins, margins)


@kernel
def best_move(view, weights, memory):
    """The best move of a turn, or the best second party."""
    moves = numbers_on_stack(MOVES_ROOM)
    return move_at(moves, choose(view, weights, memory, moves))


@strategy(weights="learned.npz", weights_size=WEIGHTS_SIZE, quantise=quantised)
def learned(view, weights, memory):
    """Makes the move after which a small net sees the best position.

    The net sees the same as the player: the clock, the scores, the standing in every region, the
    powers in play and what they pay by the rules, the clans that it may lead, the groups in its
    hand and what they would bring, and the pool. It computes the chance to win and the final
    margin. `ethnos-sim strategies train` made its weights, one net for each edition. At first, nets
    learned by temporal differences from their own games, as Tesauro's TD-Gammon (1995), with older
    nets and other strategies in some seats. Then they learned the values that looking ahead gives
    to moves (expert iteration; Anthony, Tian, Barber 2017), under the printed rules and under
    random changes of them.

    Bad at: plans of several turns, because it looks one move ahead. It knows the recent moves of
    rivals only by the size of their known groups. It is five times slower than the champion.
    """
    return best_move(view, weights, memory)


@learned.second_party
def another(view, weights, memory):
    """The best second party, or no party."""
    return best_move(view, weights, memory)


@learned.region
@learned.sea_region
def where(view, weights, memory):
    """The region where a marker makes the best position."""
    moves = numbers_on_stack(MOVES_ROOM)
    return moves[choose(view, weights, memory, moves) + 1]


@learned.keep
def kept(view, weights, memory):
    """The cards to keep for the best position."""
    moves = numbers_on_stack(MOVES_ROOM)
    place = choose(view, weights, memory, moves)
    return Cards(np.uint64(moves[place + 3]), np.uint64(moves[place + 4]))


@learned.draw
def drawn(view, weights, memory):
    """Draw the cards that a power offers if the position is better with them."""
    moves = numbers_on_stack(MOVES_ROOM)
    return moves[choose(view, weights, memory, moves)] == FROM_DECK
