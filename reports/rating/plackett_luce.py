"""Plackett-Luce ratings from winners: each strategy has a strength, and wins in proportion to it.

At a table with strengths s the chance of a seat is its strength over the sum of all. Only who won
counts, because in Ethnos a second place is worth nothing (the first stage of Luce 1959 and Plackett
1975, Applied Statistics 24: 193-202). Several seats may have one strategy, and a shared win counts
in parts.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray

#: Precision of the normal prior that holds every log strength near the mean: what keeps a strategy
#: that never wins at a finite rating. Worth about one win; thousands of games outweigh it.
PRIOR = 1.0

#: Points by which a rating is higher where the odds of winning are ten times as high.
POINTS_A_DECADE = 400.0

_MOST_STEPS = 100
_EXACT = 1e-10


def log_strengths(
    seats: FloatArray, wins: FloatArray, games: FloatArray, start: FloatArray | None = None
) -> FloatArray:
    """The log strengths of greatest posterior density, with mean 0, shape (strategies,).

    Newton's method with step halving on a strictly concave function: the multinomial log
    likelihood (Hunter 2004, Annals of Statistics 32: 384-406) with the prior's quadratic term.

    Args:
        seats: seats of each strategy at each table, shape (tables, strategies).
        wins: games won by each strategy's seats, same shape; parts of shared wins are fractions.
        games: games at each table, shape (tables,).
        start: where to begin, to save steps.
    """
    current = np.zeros(seats.shape[1]) if start is None else start
    value, chances = _posterior(current, seats, wins, games)
    for _ in range(_MOST_STEPS):
        expected = games[:, None] * chances
        gradient = (wins - expected).sum(axis=0) - PRIOR * current
        curvature = np.diag(expected.sum(axis=0) + PRIOR) - expected.T @ chances
        step = np.linalg.solve(curvature, gradient)
        if np.abs(step).max() < _EXACT:
            break
        size = 1.0
        while True:
            trial = current + size * step
            next_value, next_chances = _posterior(trial, seats, wins, games)
            if next_value >= value - _EXACT * abs(value):
                break
            size /= 2
        current, value, chances = trial, next_value, next_chances
    result: FloatArray = current - current.mean()
    return result


def _posterior(
    strengths: FloatArray, seats: FloatArray, wins: FloatArray, games: FloatArray
) -> tuple[float, FloatArray]:
    """The log posterior density up to a constant, and each strategy's chance at each table."""
    weights = seats * np.exp(strengths)
    whole = weights.sum(axis=1)
    likelihood = (wins @ strengths).sum() - games @ np.log(whole)
    return float(likelihood - PRIOR / 2 * strengths @ strengths), weights / whole[:, None]


def points(strengths: FloatArray) -> FloatArray:
    """Log strengths as rating points: 400 more are odds ten times as high."""
    result: FloatArray = POINTS_A_DECADE / np.log(10) * strengths
    return result
