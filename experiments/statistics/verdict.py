"""The verdict on a difference: does it matter?

The whole program decides by one rule, and so do the scripts of a page (reports/live/estimates.js).
It asks where the 95 % interval of a difference lies against a limit, which is the margin: the
smallest difference that matters to people at a table.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import Estimates


class Verdict(StrEnum):
    """What an interval says of a difference; the text is the word that readers see."""

    MATTERS = "matters"
    ALIKE = "alike"
    CLOSE = "close"
    OPEN = "open"


def verdict_of(low: float | None, high: float | None, limit: float) -> Verdict:
    """Decide on a difference by its interval.

    MATTERS if the whole interval lies beyond the limit, ALIKE if it lies within. An interval that
    contains the limit is CLOSE if it is no wider than half the limit each way, because the truth is
    then near the limit. Otherwise too few games were played: OPEN, also without an interval.

    Args:
        low: the lower end of the interval; None or NaN if there is none.
        high: the upper end.
        limit: the size from which a difference matters, in the same unit.
    """
    if low is None or high is None or np.isnan(low) or np.isnan(high):
        return Verdict.OPEN
    if low > limit or high < -limit:
        return Verdict.MATTERS
    if max(-low, high) <= limit:
        return Verdict.ALIKE
    return Verdict.CLOSE if high - low <= limit else Verdict.OPEN


def verdicts(
    differences: Estimates, limit: npt.ArrayLike, comparisons: npt.ArrayLike = 1
) -> list[Verdict]:
    """The verdict on each row of a table.

    Args:
        differences: the differences.
        limit: the size from which a difference matters; one, or one for each row.
        comparisons: the number of simultaneous intervals, as in `Estimates.interval`.
    """
    low, high = differences.interval(comparisons)
    limits = np.broadcast_to(np.asarray(limit, np.float64), low.shape)
    return [verdict_of(*row) for row in zip(low, high, limits, strict=True)]


def family_verdicts(differences: Estimates, limit: npt.ArrayLike) -> list[Verdict]:
    """The verdict on each row of a table of differences that are read together.

    A difference matters only if its interval among all intervals of the family lies beyond the
    limit, so at most one family in twenty calls any difference larger than it is. The other
    verdicts need no correction: they are wrong no more often in a large family.

    Args:
        differences: the family.
        limit: the size from which a difference matters; one, or one for each row.
    """
    family = max(1, int(differences.trusted.sum()))
    both = zip(verdicts(differences, limit), verdicts(differences, limit, family), strict=True)
    return [
        Verdict.OPEN if alone is Verdict.MATTERS and jointly is not alone else alone
        for alone, jointly in both
    ]
