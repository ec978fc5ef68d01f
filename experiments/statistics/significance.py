"""Which differences are significant among many."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray


def holm(p_values: FloatArray, family: int | None = None) -> FloatArray:
    """Adjusted p values that control the chance of any false alarm in the family.

    Holm (1979), Scandinavian Journal of Statistics 6: 65-70: the i-th smallest of m is multiplied
    by m - i + 1, made monotone and cut at 1. Returns them in the order given. A larger `family`
    counts further tests with p = 1.
    """
    order = np.argsort(p_values, kind="stable")
    factors = (family or len(p_values)) - np.arange(len(p_values))
    adjusted = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    result = np.empty_like(adjusted)
    result[order] = adjusted
    return result
