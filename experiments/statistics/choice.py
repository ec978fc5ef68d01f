"""Luce's choice: who of several wins, each with a strength that is a sum of what is known of it.

The chance of seat i is exp(x_i b) / sum of exp(x_j b) over the seats of its game (Luce 1959,
Individual Choice Behavior; McFadden 1974, conditional logit). Its likelihood is concave, so
Newton's steps find the one maximum.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray

STEPS = 30
"""Newton's steps at most; a handful suffices."""

ENOUGH = 1e-7
"""The longest step, in log-odds, that is the last: the next one would be about its square."""

STEEPEST = 10.0
"""The largest strength either way, in log-odds: who never wins would have none."""

SMALLEST = 1e-9
"""Part of the largest eigenvalue below which one counts as 0: games tell nothing of it."""


def fit_choice(
    known: FloatArray,
    games: FloatArray,
    won: FloatArray,
    alike: FloatArray | float = 1.0,
    prior: float = 0.0,
) -> tuple[FloatArray, ...]:
    """The strengths of greatest posterior density of what is known of seats, and their covariance.

    Args:
        known: x, what is known of each seat of each kind of table, shape (..., tables, seats, K).
        games: how many games each kind of table has, shape (..., tables).
        won: wins of each seat, a shared one in parts, shape (..., tables, seats).
        alike: for how many seats each stands that are one to the model, shape (tables, seats).
        prior: precision of the normal prior about 0 of every strength; 0 for the most likely ones.

    Returns:
        b, shape (..., K), and its covariance if games were independent, (..., K, K). Of what games
        do not tell apart, the shortest b.
    """
    *_, tables, seats, size = known.shape
    every = known.reshape(*known.shape[:-3], tables * seats, size)
    strength = np.zeros((*games.shape[:-1], size))
    if games.ndim > 1 and games.shape[0] > 1 and known.ndim == 3:
        # Parts of one whole lie near it, so that few steps are left.
        strength += fit_choice(known, games.mean(axis=0), won.mean(axis=0), alike, prior)[0]
    inverse = np.zeros((*strength.shape, size))
    for _ in range(STEPS):
        odds = alike * np.exp(every @ strength[..., None]).reshape(won.shape)
        chance = odds / odds.sum(axis=-1, keepdims=True)
        expected = games[..., None] * chance
        missing = (won - expected).reshape(*games.shape[:-1], 1, tables * seats)
        weight = expected.reshape(*games.shape[:-1], tables * seats, 1)
        mean = (chance[..., None, :] @ known)[..., 0, :]
        spread = every.mT @ (weight * every) - mean.mT @ (games[..., None] * mean)
        inverse = np.linalg.pinv(spread + prior * np.eye(size), SMALLEST, hermitian=True)
        slope = (missing @ every)[..., 0, :] - prior * strength
        step = (slope[..., None, :] @ inverse)[..., 0, :]
        moved = np.clip(strength + np.clip(step, -2, 2), -STEEPEST, STEEPEST) - strength
        strength = strength + moved
        if np.abs(moved).max() < ENOUGH:
            break
    return strength, inverse
