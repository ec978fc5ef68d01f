"""Wilson's interval of a proportion from independent trials."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from ethnos_sim.experiments.statistics.estimates import CONFIDENCE


def wilson_interval(
    successes: float, trials: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Both ends of the interval of a proportion, `successes` of `trials`; 95 % unless given.

    Wilson (1927), JASA 22: 209-212. `successes` may be a sum of fractions, such as shared wins.
    They vary less than wins and losses with the same mean, so the interval is rather too wide.
    """
    z = NormalDist().inv_cdf(1 - (1 - confidence) / 2)
    center = successes + z * z / 2
    reach = z * np.sqrt(successes * (trials - successes) / trials + z * z / 4)
    share, whole = successes / trials, trials + z * z
    # Without a success or without a failure one end is the share itself, which rounding may miss.
    return min(share, float((center - reach) / whole)), max(share, float((center + reach) / whole))
