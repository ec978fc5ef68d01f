"""The verdict on a difference: does it matter?

The whole program decides by one rule, and so do the scripts of a page (reports/live/estimates.js).
The rule compares the 95 % interval of a difference with the margin: the smallest difference that
matters to people at a table.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import Estimates


class Verdict(StrEnum):
    """What an interval says about a difference. The values are the words that readers see."""

    MATTERS = "matters"
    ALIKE = "alike"
    CLOSE = "close"
    OPEN = "open"


def verdict_of(low: float | None, high: float | None, margin: float) -> Verdict:
    """Decide on a difference by its interval.

    MATTERS if the whole interval lies beyond the margin, ALIKE if it lies within the margin around
    0. An interval that crosses the margin is CLOSE if its half-width is at most half the margin, as
    the difference is then about as large as the margin. A wider or missing interval is OPEN.

    Args:
        low: the lower end of the interval; None or NaN if there is none.
        high: the upper end.
        margin: the size from which a difference matters, in the same unit.
    """
    if low is None or high is None or np.isnan(low) or np.isnan(high):
        return Verdict.OPEN
    if low > margin or high < -margin:
        return Verdict.MATTERS
    if max(-low, high) <= margin:
        return Verdict.ALIKE
    return Verdict.CLOSE if high - low <= margin else Verdict.OPEN


def verdicts(
    differences: Estimates, margin: npt.ArrayLike, comparisons: npt.ArrayLike = 1
) -> list[Verdict]:
    """The verdict on each row of a table.

    Args:
        differences: the differences.
        margin: the size from which a difference matters, for all rows or for each row.
        comparisons: the number of simultaneous intervals, as in `Estimates.interval`.
    """
    low, high = differences.interval(comparisons)
    limits = np.broadcast_to(np.asarray(margin, np.float64), low.shape)
    return [verdict_of(*row) for row in zip(low, high, limits, strict=True)]


def family_verdicts(differences: Estimates, margin: npt.ArrayLike) -> list[Verdict]:
    """The verdict on each row of a table of differences that readers look at together: a family.

    MATTERS is decided by simultaneous intervals, which hold for the whole family. So at most one
    family in twenty has a wrong MATTERS. The other verdicts need no correction: they are wrong no
    more often in a large family.

    Args:
        differences: the family.
        margin: the size from which a difference matters, for all rows or for each row.
    """
    family = max(1, int(differences.has_interval.sum()))
    both = zip(verdicts(differences, margin), verdicts(differences, margin, family), strict=True)
    return [
        Verdict.OPEN if alone is Verdict.MATTERS and jointly is not alone else alone
        for alone, jointly in both
    ]
