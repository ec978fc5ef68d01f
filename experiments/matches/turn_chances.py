"""A game's course as chances: at each turn the chance to win, and what the move made cost.

The same look-ahead judges every seat (`explaining`): on guesses at the cards that the player could
not see, champions play on from each move, and the chance to win after some turns
values what comes. So a chance is what the player could know, and two players' need not sum to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.matches.explaining import (
    ConsideredMove,
    Z,
    considered,
    imagine_moves,
    turns_of,
)
from ethnos_sim.experiments.matches.match import Match

#: Who judges the moves, and on how many guesses unless something else is asked for.
JUDGE = "lookahead"
GUESSES = 100


@dataclass(frozen=True)
class TurnChance:
    """A turn as look-ahead judges it; errors are half the width of 95 % intervals over guesses.

    turn, player   the turn's number, from 1, and whose it is
    chance, error  the chance to win after the move that was made
    cost           by how much that is less than after the best move. Which one that is, half of
                   the guesses decide; by how much, the other half, so luck does not make a cost
    cost_error     its error
    best           the best move, by all guesses
    """

    turn: int
    player: int
    chance: float
    error: float
    cost: float
    cost_error: float
    best: ConsideredMove


def chances_of_turns(
    match: Match, game: int, *, guesses: int = GUESSES, jobs: int = 1
) -> list[TurnChance]:
    """Judge every turn of a game at which there was a choice.

    Args:
        match: whose game it is.
        game: the game's number.
        guesses: guesses at the hidden cards, at least 4.
        jobs: threads; what is found does not depend on them.

    Raises:
        InvalidGame: the number is below 0.
    """
    positions = turns_of(match, game)

    def judged(position: Any) -> TurnChance:
        return _judged(match, position, guesses)

    # The first alone: what it is judged with is compiled before threads ask for it.
    return [*map(judged, positions[:1]), *in_threads(judged, list(positions[1:]), jobs)]


def _judged(match: Match, position: Any, guesses: int) -> TurnChance:
    """One turn's chance and cost."""
    found = imagine_moves(match, position, by=JUDGE, guesses=guesses)
    chances, played = found.chances, found.played
    half = len(chances) // 2
    chosen = int(chances[:half].mean(axis=0).argmax())
    cost, cost_error = _mean(chances[half:, chosen] - chances[half:, played])
    chance, error = _mean(chances[:, played])
    best = int(chances.mean(axis=0).argmax())
    behind, behind_error = _mean(chances[:, best] - chances[:, played])
    table = match.table(int(position["game"]) // match.rotations)
    view = position["open"]
    return TurnChance(
        turn=int(view["turns"]),
        player=int(view["player"]),
        chance=chance,
        error=error,
        cost=cost,
        cost_error=cost_error,
        best=considered(
            table,
            found.moves[best],
            None,
            float(chances[:, best].mean()),
            behind,
            behind_error,
            played=best == played,
        ),
    )


def _mean(values: np.ndarray) -> tuple[float, float]:
    """A mean and half the width of its 95 % interval."""
    return float(values.mean()), float(Z * values.std(ddof=1) / np.sqrt(len(values)))
