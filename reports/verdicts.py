"""From a clan's number to a word: strong, middle or weak, where that is settled.

A measure that comes here is a difference from average: power, or win lift, whose 0 is the average
party. The intervals hold for all clans together (Bonferroni), so at most one family in twenty has a
wrong word. A family is what stands in one figure or column.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.catalog import ESTIMANDS

STRONG, MIDDLE, WEAK, OPEN = "strong", "middle", "weak", "not settled"


def word_of(estimate: Estimate | None) -> str:
    """STRONG, MIDDLE, WEAK or OPEN for a difference from average.

    Middle: the whole interval is nearer to 0 than what is notable; strong and weak: it lies above
    or below 0; else it is not settled.
    """
    if estimate is None or estimate.low is None or estimate.high is None:
        return OPEN
    if max(-estimate.low, estimate.high) < middle_of(estimate.definition):
        return MIDDLE
    return STRONG if estimate.low > 0 else WEAK if estimate.high < 0 else OPEN


def middle_of(estimand: str) -> float:
    """Up to which size a difference from average is called middle."""
    bands = ESTIMANDS[estimand].bands
    assert bands is not None, "clans are judged by a number that has bands"
    return bands.notable


def ranked(values: Estimates) -> tuple[Estimate, ...]:
    """Every clan with a value, from the strongest to the weakest, each interval among all clans.

    Args:
        values: a difference from average with bands, of every clan.
    """
    known = np.flatnonzero(np.isfinite(values.value))
    found = values.at(known[np.argsort(-values.value[known], kind="stable")])
    return found.estimates(max(1, int(found.trusted.sum())))
