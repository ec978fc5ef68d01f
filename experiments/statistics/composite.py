"""Two measurements of the same rows: one without bias, and a sharper one that may err.

Both are averaged, each with the weight of its precision. To the variance of the second belongs that
of its error, which is estimated from how far the two lie apart (a random effect, as in Fay &
Herriot 1979, JASA 74: 269-277; Ybarra & Lohr 2008, Biometrika 95: 919-931, for a second measurement
that is itself uncertain). The more games, the more the first one weighs. How large the error is
stays uncertain: every size has its part by its likelihood.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray

LIKELY_ERROR = 0.12
"""The likeliest standard deviation of the error before the games, as a part of the spread of rows.
Its prior has no mass at 0, which few rows that scatter by chance could not exclude: Chung et al.
2013, Psychometrika 78: 685-709."""

GRID = np.linspace(0.0, 5.0, 51)[1:]
"""Standard deviations of the error that are weighed by their likelihood, in LIKELY_ERROR."""

LEAST_ROWS = 4
"""Rows below which nothing is learned of the error, and the first measurement stands alone."""


def composite(direct: Estimates, other: Estimates) -> Estimates:
    """The rows of the first table, made sharper by the second.

    Errors of the second that all rows have in common, a wrong level, are taken out; `direct`
    stays as it is where `other` has no number. Weights count as given: the jackknife leaves them
    as they are, and the error that is left to a row is added to the spread of its pseudo-values.

    Args:
        direct: the measurement without bias.
        other: the sharper one, of the same rows over the same blocks of deals, from other games.
    """
    both = np.flatnonzero(_measured(direct) & _measured(other))
    if len(both) < LEAST_ROWS:
        return direct
    first, second = direct.at(both), other.at(both)
    gap = first.minus(second, on=("name",))
    chance, sharper = _variance(first), _variance(second)
    scale = LIKELY_ERROR * float(second.value.std(ddof=1))
    error, part = _errors(gap.value, chance + sharper, scale)
    # By each size of the error and row: the first one's weight, and a row's part in the level.
    total = chance + sharper + error
    weight = (sharper + error) / total
    level = 1 / total / (1 / total).sum(axis=1, keepdims=True)
    # The mean over the sizes of what is added to the second, by row and gap.
    taken = np.diag(part @ weight) + np.einsum("e,er,eg->rg", part, 1 - weight, level)
    pooled = replace(
        first,
        value=second.value + gap.value @ taken.T,
        pseudo=second.pseudo + gap.pseudo @ taken.T,
    )
    # What may be left of the error, less its part in the level; and how the sizes differ.
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
    """The variance of rows, so much a game for all: their own ones are too noisy to weigh by."""
    return np.asarray((table.standard_error**2 * table.games).mean() / table.games)


def _errors(gap: FloatArray, chance: FloatArray, scale: float) -> tuple[FloatArray, FloatArray]:
    """Variances that the second measurement's error may have, (sizes, 1), and how likely each is.

    By restricted likelihood: the level that all gaps have in common is integrated out. `chance` is
    the variance of each gap beside the error's.
    """
    error = (scale * GRID[:, None]) ** 2
    known = 1 / (chance + error)
    common = (known * gap).sum(axis=1, keepdims=True) / known.sum(axis=1, keepdims=True)
    off = (known * (gap - common) ** 2).sum(axis=1)
    likely = 0.5 * (np.log(known).sum(axis=1) - np.log(known.sum(axis=1)) - off - GRID**2) + np.log(
        GRID
    )
    part = np.exp(likely - likely.max())
    return error, part / part.sum()
