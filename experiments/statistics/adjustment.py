"""P values adjusted for many comparisons."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray


def holm(p_values: FloatArray) -> FloatArray:
    """Adjusted p values that control the chance of any false alarm in the family.

    Holm (1979), Scandinavian Journal of Statistics 6: 65-70: the i-th smallest of m is multiplied
    by m - i + 1, made monotone and cut at 1. Returns them in the order given.
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    result = np.empty_like(adjusted)
    result[order] = adjusted
    return result
