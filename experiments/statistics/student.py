"""Student's t distribution: its distribution function and its quantiles, by NumPy alone."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

STEPS = 400
"""The most terms of the continued fraction, and more than it needs for 100,000 degrees."""

NEWTON_STEPS = 30
"""The most steps to a quantile; usually five are enough."""

TINY = 1e-300
"""Stands in place of a zero divisor in the continued fraction."""

_log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])


def t_below(t: npt.ArrayLike, degrees: npt.ArrayLike) -> FloatArray:
    """The chance that Student's t is at most `t`; NaN without degrees of freedom."""
    at, free = np.broadcast_arrays(np.asarray(t, np.float64), np.asarray(degrees, np.float64))
    known = (free > 0) & ~np.isnan(at)
    below = np.full(at.shape, np.nan)
    tail = _tail(np.abs(at[known]), free[known])
    below[known] = np.where(at[known] < 0, tail, 1 - tail)
    return below


def t_quantile(degrees: npt.ArrayLike, probability: npt.ArrayLike) -> FloatArray:
    """The value that Student's t is below with a probability; NaN without degrees of freedom.

    Newton's steps in the logarithm of t, along which the logarithm of a tail is almost a line.
    """
    free, chance = np.broadcast_arrays(
        np.asarray(degrees, np.float64), np.asarray(probability, np.float64)
    )
    quantile = np.where((chance == 0.5) & (free > 0), 0.0, np.full(free.shape, np.nan))
    known = (free > 0) & (chance > 0) & (chance < 1) & (chance != 0.5)
    # The same few pairs stand in thousands of rows.
    pairs, rows = np.unique(np.stack([free[known], chance[known]]), axis=1, return_inverse=True)
    wanted = np.minimum(pairs[1], 1 - pairs[1])
    size = _quantile_of_tail(wanted, pairs[0])
    quantile[known] = np.where(pairs[1] < 0.5, -size, size)[rows.ravel()]
    return quantile


def _quantile_of_tail(wanted: FloatArray, degrees: FloatArray) -> FloatArray:
    """The positive value that Student's t exceeds with a chance below 1/2."""
    normal = np.asarray([-NormalDist().inv_cdf(chance) for chance in wanted.tolist()])
    where = np.log(normal + (normal**3 + normal) / (4 * degrees))
    for _ in range(NEWTON_STEPS):
        t = np.exp(where)
        tail = _tail(t, degrees)
        step = np.log(tail / wanted) * tail / (t * _density(t, degrees))
        where = where + np.clip(step, -2, 2)
        if not (np.abs(step) > 1e-14).any():
            break
    return np.asarray(np.exp(where))


def _density(t: FloatArray, degrees: FloatArray) -> FloatArray:
    """The density of Student's t."""
    height = _log_gamma((degrees + 1) / 2) - _log_gamma(degrees / 2)
    shape = (degrees + 1) / 2 * np.log1p(t**2 / degrees)
    return np.asarray(np.exp(height - shape) / np.sqrt(degrees * np.pi))


def _tail(t: FloatArray, degrees: FloatArray) -> FloatArray:
    """The chance that Student's t exceeds `t`, which is not negative.

    Half of the incomplete beta function, by the continued fraction that converges faster there:
    Abramowitz & Stegun 1964, Handbook of Mathematical Functions, 26.5.8 and 26.7.1.
    """
    a, b = degrees / 2, np.full(degrees.shape, 0.5)
    x, rest = degrees / (degrees + t**2), t**2 / (degrees + t**2)
    turned = x > (a + 1) / (a + b + 2)
    part = _incomplete_beta(
        np.where(turned, b, a), np.where(turned, a, b), np.where(turned, rest, x),
        np.where(turned, x, rest),
    )  # fmt: skip
    return np.asarray(np.where(turned, 1 - part, part) / 2)


def _incomplete_beta(a: FloatArray, b: FloatArray, x: FloatArray, rest: FloatArray) -> FloatArray:
    """The regularized incomplete beta function at x = 1 - rest, by Lentz's algorithm."""
    if not len(x):
        return x
    with np.errstate(divide="ignore"):
        front = _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b) + a * np.log(x) + b * np.log(rest)
    c, d = np.ones(x.shape), 1 / _not_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _not_zero(1 + term * d)
            c = _not_zero(1 + term / c)
            fraction = fraction * c * d
        if (np.abs(c * d - 1) < 1e-15).all():
            break
    return np.asarray(np.exp(front) * fraction / a)


def _not_zero(values: FloatArray) -> FloatArray:
    return np.asarray(np.where(values == 0, TINY, values))
