"""Intervals of proportions from independent trials, each formula with its citation."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from ethnos_sim.experiments.statistics.estimates import CONFIDENCE


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of one proportion from independent trials; 95 % unless given.

    Wilson (1927), JASA 22: 209-212. `successes` may be a sum of fractions (shared wins count in
    parts): a variable between 0 and 1 varies no more than a yes-or-no variable with the same mean,
    so the interval is then on the safe side.
    """
    z = NormalDist().inv_cdf(1 - (1 - confidence) / 2)
    center = successes + z * z / 2
    reach = z * np.sqrt(successes * (trials - successes) / trials + z * z / 4)
    share, whole = successes / trials, trials + z * z
    # With no successes, or only successes, one end is the share itself, up to rounding.
    return min(share, float((center - reach) / whole)), max(share, float((center + reach) / whole))
