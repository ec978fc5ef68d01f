"""Interactions of clans: predict what a clan is worth in a set that may never have been played.

A clan's worth (restricted play) in a set S is modeled as

    worth(X, S) = m(X) + sum of c(X, Y) over the other clans Y of S + e(X, S),

where c(X, Y) is normal with variance t^2 and e is normal with variance s^2. The observed worth
scatters around it with the binomial noise of shares of wins. m is the worth without interactions;
t and s are the same for all clans (Robinson 1991, "That BLUP is a good thing", Statistical Science
6: 15-32). The uncertainty of t and s counts too: the result is a mixture over pairs of t and s,
weighted by their likelihood with a flat prior (Gelman et al., Bayesian Data Analysis, section
5.4). So few games give small effects and wide intervals. A prediction is the posterior mean; its
interval is for the worth itself, e included.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.evidence.intervention_sums import InterventionSums
from ethnos_sim.experiments.statistics.estimates import FloatArray

LEAST_SETS = 8
"""The least number of sets of a clan; with fewer, interactions look like chance."""

SPREADS = np.array([0.0, 0.001, 0.002, 0.004, 0.006, 0.01, 0.015, 0.02, 0.03, 0.045, 0.07, 0.1])
"""The values of t and s in the mixture, in winning chance."""

PAIRS = np.stack(np.meshgrid(SPREADS, SPREADS, indexing="ij")).reshape(2, -1)
"""Every pair of t and s, shape (2, pairs)."""

LEAST_PART = 1e-3
"""Pairs whose likelihood is below this part of the greatest one are left out."""

FLAT = 10.0
"""The prior standard deviation of m: so wide that the prior says nothing."""

Z = 1.96


@dataclass(frozen=True, eq=False)
class ClanInteractions:
    """The posterior of one clan's worth and of its interactions with other clans.

    Attributes:
        others: the clans that it was played with.
        mean: posterior mean of the model's m, then of its c for each of `others`, shape
            (1 + others,).
        covariance: posterior covariance of the same, shape (1 + others, 1 + others).
    """

    others: tuple[str, ...]
    mean: FloatArray
    covariance: FloatArray

    def predict(self, clans: Sequence[str], leftover: float) -> tuple[float, float]:
        """The worth among `clans`, and half its 95 % interval; `leftover` is the estimate of s."""
        row = np.array([1.0, *(float(clan in clans) for clan in self.others)])
        spread = row @ self.covariance @ row + leftover**2
        return float(row @ self.mean), float(Z * np.sqrt(spread))


@dataclass(frozen=True, eq=False)
class InteractionModel:
    """The model of one situation: its clans, s (`leftover`), and the number of sets."""

    clans: Mapping[str, ClanInteractions]
    leftover: float
    sets: int


@dataclass(frozen=True, eq=False)
class _ClanRows:
    """The data of one clan, for each clan set: other clans as 0 and 1, worth, sampling variance."""

    others: tuple[str, ...]
    design: FloatArray
    worth: FloatArray
    chance: FloatArray


def fit_interactions(sums: InterventionSums) -> InteractionModel | None:
    """Fit the model; None if no clan was played in enough sets."""
    rows = _rows(sums)
    if not rows:
        return None
    posteriors = {clan: _posteriors(clan_rows) for clan, clan_rows in rows.items()}
    likely = np.sum([likelihood for likelihood, _, _ in posteriors.values()], axis=0)
    part = np.exp(likely - likely.max())
    part = np.where(part > LEAST_PART, part, 0.0)
    part /= part.sum()
    leftover = float(np.sqrt(part @ PAIRS[1] ** 2))
    clans = {}
    for clan, (_, means, covariances) in posteriors.items():
        mean = part @ means
        off = means - mean
        covariance = np.tensordot(part, covariances, axes=1) + (off.T * part) @ off
        clans[clan] = ClanInteractions(rows[clan].others, mean, covariance)
    return InteractionModel(clans, leftover, len(sums.clan_sets))


def played_worth(sums: InterventionSums) -> tuple[FloatArray, FloatArray]:
    """Restricted play of each clan in games of one set, and its sampling variance."""
    share, known = sums.alone(*(sums.arrays[name].sum(axis=0) for name in ("games", "won")))
    games = sums.games_by_clan.sum(axis=0)
    # Add half a win and half a loss: a seat that never won must not get variance 0.
    likely = (share * games + 0.5) / (games + 1)
    return 1 / sums.players - share, likely * (1 - likely) * known


def _rows(sums: InterventionSums) -> dict[str, _ClanRows]:
    """The data of the clans that were played in enough sets."""
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
    """The posterior of m and c for every pair of spreads.

    Returns:
        The log-likelihood up to a constant, (pairs,); the mean of m and c, (pairs, 1 + others);
        their covariance, (pairs, 1 + others, 1 + others).
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
