"""Plackett-Luce ratings from winners: each strategy has a strength, and wins in proportion to it.

At a table with strengths s the chance of a seat is its strength over the sum of all. Only who won
counts, because in Ethnos a second place is worth nothing (the first stage of Luce 1959 and Plackett
1975, Applied Statistics 24: 193-202): it is the choice of `statistics.choice` with one strength a
strategy. Several seats may have one strategy, and a shared win counts in parts.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.choice import fit_choice
from ethnos_sim.experiments.statistics.estimates import FloatArray

#: Precision of the normal prior that holds every log strength near the mean: what keeps a strategy
#: that never wins at a finite rating. Worth about one win; thousands of games outweigh it.
PRIOR = 1.0

#: Points by which a rating is higher where the odds of winning are ten times as high.
POINTS_A_DECADE = 400.0


def log_strengths(seats: FloatArray, wins: FloatArray, games: FloatArray) -> FloatArray:
    """The log strengths of greatest posterior density, with mean 0, shape (..., strategies).

    Args:
        seats: seats of each strategy at each table, shape (tables, strategies).
        wins: games won by each strategy's seats, shape (..., tables, strategies); parts of shared
            wins are fractions.
        games: games at each table, shape (tables,).
    """
    alone = np.broadcast_to(np.eye(seats.shape[1]), (*seats.shape, seats.shape[1]))
    played = np.broadcast_to(games, wins.shape[:-1])
    found, _ = fit_choice(alone, played, wins, seats, PRIOR)
    return np.asarray(found - found.mean(axis=-1, keepdims=True))


def points(strengths: FloatArray) -> FloatArray:
    """Log strengths as rating points: 400 more are odds ten times as high."""
    result: FloatArray = POINTS_A_DECADE / np.log(10) * strengths
    return result
