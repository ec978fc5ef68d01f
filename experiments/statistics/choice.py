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

ENOUGH = 1e-12
"""The longest step, in log-odds, that counts as none."""

STEEPEST = 10.0
"""The largest strength either way, in log-odds: who never wins would have none."""

SMALLEST = 1e-9
"""Part of the largest eigenvalue below which one counts as 0: games tell nothing of it."""


def fit_choice(known: FloatArray, games: FloatArray, won: FloatArray) -> tuple[FloatArray, ...]:
    """The most likely strengths of what is known of seats, and their covariance.

    Args:
        known: x, what is known of each seat of each kind of table, shape (tables, seats, K).
        games: how many games each kind of table has, shape (..., tables).
        won: wins of each seat, a shared one in parts, shape (..., tables, seats).

    Returns:
        b, shape (..., K), and its covariance if games were independent, (..., K, K). Of what games
        do not tell apart, the shortest b.
    """
    strength = np.zeros((*games.shape[:-1], known.shape[2]))
    inverse = np.zeros((*strength.shape, known.shape[2]))
    for _ in range(STEPS):
        chance = _chances(known, strength)
        missing = won - games[..., None] * chance
        slope = np.einsum("...ts,tsk->...k", missing, known)
        mean = np.einsum("...ts,tsk->...tk", chance, known)
        spread = np.einsum("...t,...ts,tsk,tsl->...kl", games, chance, known, known, optimize=True)
        spread -= np.einsum("...t,...tk,...tl->...kl", games, mean, mean, optimize=True)
        inverse = np.linalg.pinv(spread, rcond=SMALLEST, hermitian=True)
        step = np.einsum("...kl,...l->...k", inverse, slope)
        moved = np.clip(strength + np.clip(step, -2, 2), -STEEPEST, STEEPEST) - strength
        strength = strength + moved
        if np.abs(moved).max() < ENOUGH:
            break
    return strength, inverse


def _chances(known: FloatArray, strength: FloatArray) -> FloatArray:
    """The winning chance of every seat, shape (..., tables, seats)."""
    odds = np.exp(np.einsum("tsk,...k->...ts", known, strength))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))
