"""Interactions of clans: what each is worth among clans that may never have been played together.

A clan's worth (restricted play) in a set S is modeled as

    worth(X, S) = m(X) + sum of c(X, Y) over the other clans Y of S + e(X, S),

c(X, Y) normal with variance t^2, e normal with variance s^2, and what is played of it scatters
by chance as shares of wins do. m is what a set gives without any of these; t and s are the same
for all clans (Robinson 1991, "That BLUP is a good thing", Statistical Science 6: 15-32). How far
they are known counts, too: every pair of them has its part by its likelihood, all being equally
likely before (a mixture over the spreads; Gelman et al., Bayesian Data Analysis, section 5.4), so
that few games give small effects and wide intervals. A prediction is the posterior mean; its
interval holds the worth itself, e included.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.evidence.intervention_sums import InterventionSums
from ethnos_sim.experiments.statistics.estimates import FloatArray

LEAST_SETS = 8
"""Sets of a clan below which interactions cannot be told from chance."""

SPREADS = np.array([0.0, 0.001, 0.002, 0.004, 0.006, 0.01, 0.015, 0.02, 0.03, 0.045, 0.07, 0.1])
"""What t and s are chosen from, in winning chance."""

PAIRS = np.stack(np.meshgrid(SPREADS, SPREADS, indexing="ij")).reshape(2, -1)
"""Every pair of t and s, shape (2, pairs)."""

LEAST_PART = 1e-3
"""Part of the likeliest spreads' likelihood below which others are left out."""

FLAT = 10.0
"""The spread of m before anything is played: wide enough to say nothing."""

Z = 1.96


@dataclass(frozen=True, eq=False)
class ClanInteractions:
    """One clan's worth, as the model has it after the games.

    Attributes:
        others: the clans that it was played with.
        mean: m, then c of each of `others`, shape (1 + others,).
        covariance: of those, (1 + others, 1 + others).
    """

    others: tuple[str, ...]
    mean: FloatArray
    covariance: FloatArray

    def predict(self, clans: Sequence[str], leftover: float) -> tuple[float, float]:
        """The worth among some clans and half of its 95 % interval; `leftover` is the s found."""
        row = np.array([1.0, *(float(clan in clans) for clan in self.others)])
        spread = row @ self.covariance @ row + leftover**2
        return float(row @ self.mean), float(Z * np.sqrt(spread))


@dataclass(frozen=True, eq=False)
class InteractionModel:
    """The model of one situation: its clans, s (`leftover`), and how many sets."""

    clans: Mapping[str, ClanInteractions]
    leftover: float
    sets: int


@dataclass(frozen=True, eq=False)
class _ClanRows:
    """What was played of one clan: others as 0 and 1, worth, and the variance of chance."""

    others: tuple[str, ...]
    design: FloatArray
    worth: FloatArray
    chance: FloatArray


def fit_interactions(sums: InterventionSums) -> InteractionModel | None:
    """The model of what was played; None where no clan was played in enough sets."""
    rows = _rows(sums)
    if not rows:
        return None
    found = {clan: _posteriors(each) for clan, each in rows.items()}
    likely = np.sum([each for each, _, _ in found.values()], axis=0)
    part = np.exp(likely - likely.max())
    part = np.where(part > LEAST_PART, part, 0.0)
    part /= part.sum()
    leftover = float(np.sqrt(part @ PAIRS[1] ** 2))
    clans = {}
    for clan, (_, means, covariances) in found.items():
        mean = part @ means
        off = means - mean
        covariance = np.tensordot(part, covariances, axes=1) + (off.T * part) @ off
        clans[clan] = ClanInteractions(rows[clan].others, mean, covariance)
    return InteractionModel(clans, leftover, len(sums.clan_sets))


def played_worth(sums: InterventionSums) -> tuple[FloatArray, FloatArray]:
    """Restricted play of each clan in games of one set, and the variance of chance around it."""
    share, known = sums.alone(*(sums.arrays[name].sum(axis=0) for name in ("games", "won")))
    games = sums.games_by_clan.sum(axis=0)
    # Half a win and half a loss more keep a seat that never wins from looking certain.
    likely = (share * games + 0.5) / (games + 1)
    return 1 / sums.players - share, likely * (1 - likely) * known


def _rows(sums: InterventionSums) -> dict[str, _ClanRows]:
    """What was played by clan, of those that were played in enough sets."""
    worth, chance = np.stack([played_worth(sums.of_set(clans)) for clans in sums.clan_sets], axis=1)
    has = np.asarray([[clan in clans for clan in sums.clans] for clans in sums.clan_sets])
    rows = {}
    for number, clan in enumerate(sums.clans):
        played = np.isfinite(worth[:, number])
        if played.sum() < LEAST_SETS:
            continue
        met = has[played].any(axis=0) & (np.arange(len(sums.clans)) != number)
        others = tuple(itertools.compress(sums.clans, met))
        design = np.hstack([np.ones((played.sum(), 1)), has[played][:, met]])
        rows[clan] = _ClanRows(others, design, worth[played, number], chance[played, number])
    return rows


def _posteriors(rows: _ClanRows) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What is known of m and c after what was played, by every pair of spreads.

    Returns:
        The logarithm of the density of what was played, up to a constant, (pairs,); the mean of m
        and c, (pairs, 1 + others); their covariance, (pairs, 1 + others, 1 + others).
    """
    interaction, leftover = PAIRS[..., None] ** 2
    prior = np.hstack(
        [np.full_like(interaction, FLAT**2), np.repeat(interaction, len(rows.others), 1)]
    )
    known = rows.design * prior[:, None, :]
    spread = known @ rows.design.T
    spread += (rows.chance + leftover)[..., None] * np.eye(len(rows.worth))
    worth = np.broadcast_to(rows.worth[:, None], (len(prior), len(rows.worth), 1))
    solved = np.linalg.solve(spread, np.concatenate([worth, known], axis=2))
    gain = np.swapaxes(solved[..., 1:], 1, 2)
    covariance = prior[..., None] * np.eye(prior.shape[1]) - gain @ known
    _, size = np.linalg.slogdet(spread)
    return (
        -0.5 * (size + solved[..., 0] @ rows.worth),
        gain @ rows.worth,
        (covariance + np.swapaxes(covariance, 1, 2)) / 2,
    )
