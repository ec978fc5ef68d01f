"""Tests against a margin: whether a difference is significantly inside it, or beyond.

All take arrays that broadcast together: differences, their standard errors, degrees of freedom and
margins. Where a standard error is 0 the number never varied, and the difference is what it is.
Where there is none, nothing is significant and p is 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import FloatArray

ALPHA = 0.05
"""The level of each one-sided test of equivalence, and of Holm's tests for a difference."""


def equivalence_p(
    value: FloatArray, error: FloatArray, degrees: FloatArray, margin: npt.ArrayLike
) -> FloatArray:
    """The larger p of two one-sided tests of "the true difference reaches the margin".

    Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15: 657-680. A small p says
    that the true difference is within the margin, on both sides; it needs no correction for being
    two tests, since both have to succeed.
    """
    return _upper_tail(np.asarray(margin, dtype=np.float64) - np.abs(value), error, degrees)


def beyond_p(
    value: FloatArray, error: FloatArray, degrees: FloatArray, limit: npt.ArrayLike = 0.0
) -> FloatArray:
    """The p of "the true difference is no larger than the limit", whatever its sign.

    At its worst the truth lies at the limit, and both tails count: Hodges & Lehmann (1954), Journal
    of the Royal Statistical Society B 16: 261-268. With a limit of 0 it is the usual two-sided p.
    """
    edge = np.asarray(limit, dtype=np.float64)
    size = np.abs(value)
    both = _upper_tail(size - edge, error, degrees) + _upper_tail(size + edge, error, degrees)
    return np.where(size <= edge, 1.0, np.minimum(both, 1.0))


def _upper_tail(distance: FloatArray, error: FloatArray, degrees: FloatArray) -> FloatArray:
    """P(T > distance / error) by Student's t; 1 where there is no error to divide by."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(error > 0, distance / error, np.where(distance > 0, np.inf, -np.inf))
    tail = stdtr(degrees, -ratio)
    result: FloatArray = np.where(np.isnan(error) | np.isnan(tail), 1.0, tail)
    return result
