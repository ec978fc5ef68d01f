"""Luce's choice model: chances of winning from strengths that are linear in covariates.

The chance of seat i is exp(x_i b) / sum of exp(x_j b) over the seats of its game (Luce 1959,
Individual Choice Behavior; McFadden 1974, conditional logit). Its likelihood is concave, so
Newton's steps find the one maximum.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray

STEPS = 30
"""The most Newton steps that are taken; a handful suffices."""

ENOUGH = 1e-7
"""Stop after a step shorter than this, in log-odds: the next step would be about its square."""

STEEPEST = 10.0
"""A strength stays within ± this, in log-odds. A seat that never wins has no finite strength."""

SMALLEST = 1e-9
"""An eigenvalue below this part of the largest one counts as 0: games say nothing about it."""


def fit_choice(
    known: FloatArray,
    games: FloatArray,
    won: FloatArray,
    alike: FloatArray | float = 1.0,
    prior: float = 0.0,
) -> tuple[FloatArray, ...]:
    """The strength of each covariate that maximizes the posterior density, and the covariance.

    Args:
        known: the covariates x of each seat at each kind of table, shape (..., tables, seats, K).
        games: the number of games at each kind of table, shape (..., tables).
        won: wins of each seat, shape (..., tables, seats); a shared win counts in parts.
        alike: the number of equal seats that each seat stands for, shape (tables, seats).
        prior: precision of each strength's normal prior around 0; 0 for maximum likelihood.

    Returns:
        b, shape (..., K), and its covariance if games were independent, (..., K, K). Where several
        b fit the games equally well, the shortest of them.
    """
    *_, tables, seats, size = known.shape
    every = known.reshape(*known.shape[:-3], tables * seats, size)
    strength = np.zeros((*games.shape[:-1], size))
    if games.ndim > 1 and games.shape[0] > 1 and known.ndim == 3:
        # Start from the fit to the mean of all parts: each part's solution lies near it.
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
