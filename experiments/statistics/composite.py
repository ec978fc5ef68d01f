"""Combine two measurements of the same rows: one without bias, and a more precise one with bias.

Both are averaged, weighted by their precision. The variance of the second measurement includes the
variance of its bias, which is estimated from the differences between the two. The bias is a random
effect (Fay & Herriot 1979, JASA 74: 269-277), and the second measurement has a sampling error too
(Ybarra & Lohr 2008, Biometrika 95: 919-931). With more games the first measurement weighs more. The
size of the bias stays uncertain, so the average runs over all sizes, weighted by their likelihood.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray

LIKELY_ERROR = 0.12
"""The prior's mode for the standard deviation of the error, as a fraction of the spread of rows.
The prior has no mass at 0, since a few rows that scatter by chance could not exclude 0: Chung et
al. 2013, Psychometrika 78: 685-709."""

GRID = np.linspace(0.0, 5.0, 51)[1:]
"""The standard deviations of the error that the average runs over, in units of LIKELY_ERROR."""

LEAST_ROWS = 4
"""With fewer rows the error cannot be estimated, and only the first measurement is used."""


def composite(direct: Estimates, other: Estimates) -> Estimates:
    """The rows of `direct`, made more precise by the rows of `other`.

    An error that all rows of `other` share (a wrong level) is removed. A row of `direct` stays as
    it is where `other` has no number. The jackknife takes the weights as fixed. The
    variance of the remaining error is added to the spread of each row's pseudo-values.

    Args:
        direct: the measurement without bias.
        other: the more precise measurement of the same rows, from other games over the same blocks
            of deals.
    """
    both = np.flatnonzero(_measured(direct) & _measured(other))
    if len(both) < LEAST_ROWS:
        return direct
    first, second = direct.at(both), other.at(both)
    gap = first.minus(second, on=("name",))
    chance, sharper = _variance(first), _variance(second)
    scale = LIKELY_ERROR * float(second.value.std(ddof=1))
    error, part = _errors(gap.value, chance + sharper, scale)
    # By size of the error and row: `weight` is the weight of `direct` in the row's average, and
    # `level` the row's weight in the level that all gaps share.
    total = chance + sharper + error
    weight = (sharper + error) / total
    level = 1 / total / (1 / total).sum(axis=1, keepdims=True)
    # The part of each gap that is added to each row of the second table, averaged over the sizes.
    gap_part = np.diag(part @ weight) + np.einsum("e,er,eg->rg", part, 1 - weight, level)
    pooled = replace(
        first,
        value=second.value + gap.value @ gap_part.T,
        pseudo=second.pseudo + gap.pseudo @ gap_part.T,
    )
    # The variance of the remaining error: within each size of the error, plus between sizes.
    left = (1 - weight) ** 2 * error * (1 - 2 * level + (level**2).sum(axis=1, keepdims=True))
    common = level @ gap.value
    by_size = common[:, None] + weight * (gap.value - common[:, None])
    left = part @ (left + (by_size - part @ by_size) ** 2)
    wider = np.sqrt(1 + left / pooled.jackknife_error**2)
    value, pseudo = direct.value.copy(), direct.pseudo.copy()
    games, events = direct.games.copy(), np.array(direct.events)
    value[both] = pooled.value
    pseudo[:, both] = pooled.center + wider * (pooled.pseudo - pooled.center)
    games[both] += second.games
    events[both] += second.events
    return replace(direct, value=value, pseudo=pseudo, games=games, events=events)


def _measured(table: Estimates) -> npt.NDArray[np.bool_]:
    """Which rows have a value and a standard error."""
    return np.isfinite(table.value) & (np.nan_to_num(table.standard_error) > 0)


def _variance(table: Estimates) -> FloatArray:
    """Each row's variance by one pooled variance per game, as a row's own error is too noisy."""
    return np.asarray((table.standard_error**2 * table.games).mean() / table.games)


def _errors(gap: FloatArray, chance: FloatArray, scale: float) -> tuple[FloatArray, FloatArray]:
    """Possible variances of the second measurement's error, and the probability of each.

    They come from the restricted likelihood, in which the level that all gaps share is integrated
    out. `chance` is the variance of each gap by sampling alone, without that error. The variances
    have shape (sizes, 1), the probabilities (sizes,).
    """
    error = (scale * GRID[:, None]) ** 2
    precision = 1 / (chance + error)
    common = (precision * gap).sum(axis=1, keepdims=True) / precision.sum(axis=1, keepdims=True)
    off = (precision * (gap - common) ** 2).sum(axis=1)
    likely = 0.5 * (
        np.log(precision).sum(axis=1) - np.log(precision.sum(axis=1)) - off - GRID**2
    ) + np.log(GRID)
    part = np.exp(likely - likely.max())
    return error, part / part.sum()
