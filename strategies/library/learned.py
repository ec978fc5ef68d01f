"""Learned: a small net that values the position after every move, trained by playing."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import FROM_DECK
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, MOVES_SIZE, move_at
from ethnos_sim.strategies.afterstates.values import best_move_number, collect_valued_moves
from ethnos_sim.strategies.api import strategy
from ethnos_sim.strategies.net.facts import FACTS_SIZE
from ethnos_sim.strategies.net.layout import WEIGHTS_SIZE
from ethnos_sim.strategies.net.quantisation import quantise
from ethnos_sim.strategies.net.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.toolkit import Cards


@kernel
def best_move(view, weights, memory):
    """The move with the highest value; for `region`, `keep` and `draw` it contains the answer."""
    facts = floats_on_stack(FACTS_SIZE)
    moves = numbers_on_stack(MOVES_SIZE)
    wins = numbers_on_stack(MOST_MOVES)
    margins = numbers_on_stack(MOST_MOVES)
    collect_valued_moves(view, weights, memory, facts, moves, wins, margins, False)
    return move_at(moves, best_move_number(moves, wins, margins))


@strategy(weights="learned.npz", weights_size=WEIGHTS_SIZE, quantise=quantise)
def learned(view, weights, memory):
    """Makes the move after which a small net sees the best position.

    The net sees the same as the player: the cards left, the scores, the standing in regions, the
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
def second_party(view, weights, memory):
    """The best second party, or no party."""
    return best_move(view, weights, memory)


@learned.region
@learned.sea_region
def best_region(view, weights, memory):
    """The region in which a marker leads to the best position."""
    return best_move(view, weights, memory).leader


@learned.keep
def cards_to_keep(view, weights, memory):
    """The cards to keep for the best position."""
    move = best_move(view, weights, memory)
    return Cards(move.once, move.twice)


@learned.draw
def worth_drawing(view, weights, memory):
    """Whether the position is better with the cards that a power offers."""
    return best_move(view, weights, memory).kind == FROM_DECK
