"""The quantiles of Student's t distribution.

Plain Python computes one quantile at a time. So a result depends neither on the length of an array
nor on the processor. Thousands of rows need the same few quantiles, so these are cached.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

MOST_TERMS = 400
"""The most terms of the continued fraction; 100,000 degrees of freedom need fewer."""

NEWTON_STEPS = 30
"""The most steps of Newton's method to a quantile; usually five are enough."""

TINY = 1e-300
"""Replaces a zero divisor in the continued fraction."""


def t_quantile(degrees: npt.ArrayLike, probability: npt.ArrayLike) -> FloatArray:
    """The quantiles of Student's t at probabilities; NaN without degrees of freedom."""
    with np.errstate(invalid="ignore"):  # comparing NaN counts as an error
        return np.asarray(_quantiles(degrees, probability))


@lru_cache(maxsize=4096)
def _quantile(degrees: float, probability: float) -> float:
    """One quantile of Student's t; NaN where there is none."""
    if not degrees > 0 or not 0 < probability < 1:
        return math.nan
    if probability == 0.5:
        return 0.0
    size = _quantile_of_tail(min(probability, 1 - probability), degrees)
    return -size if probability < 0.5 else size


_quantiles = np.vectorize(_quantile, otypes=[np.float64])


def _quantile_of_tail(chance: float, degrees: float) -> float:
    """The positive value that Student's t exceeds with this chance, which is below 1/2.

    Newton's method on the logarithms of t and of the chance, whose curve is almost a line.
    """
    normal = -NormalDist().inv_cdf(chance)
    log_t = math.log(normal + (normal**3 + normal) / (4 * degrees))
    for _ in range(NEWTON_STEPS):
        t = math.exp(log_t)
        tail = _tail_chance(t, degrees)
        step = math.log(tail / chance) * tail / (t * _density(t, degrees))
        log_t += min(2.0, max(-2.0, step))
        if abs(step) <= 1e-14:
            break
    return math.exp(log_t)


def _density(t: float, degrees: float) -> float:
    """The probability density of Student's t."""
    height = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    shape = (degrees + 1) / 2 * math.log1p(t * t / degrees)
    return math.exp(height - shape) / math.sqrt(degrees * math.pi)


def _tail_chance(t: float, degrees: float) -> float:
    """The chance that Student's t exceeds `t`, which is not negative.

    Half of the incomplete beta function, by the continued fraction that converges faster there:
    Abramowitz & Stegun 1964, Handbook of Mathematical Functions, 26.5.8 and 26.7.1.
    """
    a, b = degrees / 2, 0.5
    x, rest = degrees / (degrees + t * t), t * t / (degrees + t * t)
    if x > (a + 1) / (a + b + 2):
        return (1 - _incomplete_beta(b, a, rest, x)) / 2
    return _incomplete_beta(a, b, x, rest) / 2


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularized incomplete beta function at x = 1 - rest, by Lentz's algorithm."""
    if x <= 0:
        return 0.0
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front += a * math.log(x) + b * math.log(rest)
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _nonzero(1 + term * d)
            c = _nonzero(1 + term / c)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(front) * fraction / a


def _nonzero(value: float) -> float:
    """The value, or TINY for 0."""
    return value if value != 0 else TINY
