"""What each noted position should have been valued at: TD(lambda) over a player's own decisions.

Sutton (1988), "Learning to predict by the methods of temporal differences". A position's target
mixes the value of the player's next position and what comes after it, down to the game's end. A
move made by chance says nothing about the position before it: there the best move's value counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.simulator.compilation import compile_entry
from ethnos_sim.simulator.records import MAX_PLAYERS, SIXTIETHS
from ethnos_sim.strategies.afterstates.layout import MARGIN_SCALE
from ethnos_sim.strategies.afterstates.recording import (
    BEST_MARGIN,
    BEST_WIN,
    BY_CHANCE,
    PLAYER,
    TURN,
)

#: Margins beyond this many units of MARGIN_SCALE count as this.
WIDEST = 3.0


def _fill_targets(rows: Any, won: Any, prestige: Any, part: float, wins: Any, margins: Any) -> int:
    """Fill the targets, last position first; returns how many games the rows were of."""
    following = np.full(MAX_PLAYERS, -1)
    game = won.shape[0] - 1
    for i in range(rows.shape[0] - 1, -1, -1):
        if i < rows.shape[0] - 1 and rows[i, TURN] > rows[i + 1, TURN]:
            game -= 1
            following[:] = -1
            if game < 0:
                break
        player = int(rows[i, PLAYER])
        after = following[player]
        if after < 0:
            best = -1e9
            for rival in range(won.shape[1]):
                if rival != player:
                    best = max(best, float(prestige[game, rival]))
            wins[i] = won[game, player] / SIXTIETHS
            margin = (prestige[game, player] - best) / MARGIN_SCALE
            margins[i] = min(max(margin, -WIDEST), WIDEST)
        else:
            win = 1.0 / (1.0 + np.exp(-rows[after, BEST_WIN]))
            kept = 0.0 if rows[after, BY_CHANCE] > 0 else part
            wins[i] = (1.0 - kept) * win + kept * wins[after]
            margins[i] = (1.0 - kept) * rows[after, BEST_MARGIN] + kept * margins[after]
        following[player] = i
    return int(won.shape[0] - game)


_fill = compile_entry(_fill_targets, "compiling the training, once")


def targets(
    rows: np.ndarray, won: np.ndarray, prestige: np.ndarray, part: float
) -> tuple[np.ndarray, np.ndarray]:
    """The chances to win and the margins that noted positions should have had.

    Args:
        rows: of a log (`afterstates.recording`), in the order of play.
        won: sixtieths of a win by game and seat; every game has rows.
        prestige: by game and seat.
        part: lambda, the weight of what follows the next position.

    Returns:
        Both of shape (rows,) and float32; margins in units of MARGIN_SCALE.
    """
    wins = np.zeros(len(rows), np.float32)
    margins = np.zeros(len(rows), np.float32)
    games = _fill(rows, won.astype(np.int64), prestige.astype(np.int64), part, wins, margins)
    if games != len(won):
        raise ValueError(f"the rows are of {games} games, not of {len(won)}")
    return wins, margins
