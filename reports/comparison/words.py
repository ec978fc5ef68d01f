"""One word for each difference: changed, equivalent, or undecided.

Equivalent: both one-sided tests against the margin succeed, each at the 5 % level. Changed: the
difference from 0 survives Holm's correction over its family, and it is not equivalent; a difference
that is significant, and significantly within the margin, is equivalent. Undecided: neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.jackknife import FloatArray
from ethnos_sim.reports.comparison.differences import Differences
from ethnos_sim.reports.comparison.equivalence import ALPHA, beyond_p, equivalence_p

CHANGED = "changed"
EQUIVALENT = "equivalent"
UNDECIDED = "undecided"


def words_of_family(
    family: Sequence[Differences], margins: Sequence[FloatArray]
) -> list[list[str]]:
    """The word of every difference of a family, in its order.

    Args:
        family: the differences among which Holm corrects.
        margins: the margin of every name of each.
    """
    if not family:
        return []
    counts = [len(each.names) for each in family]
    value, error, degrees = (
        np.concatenate([getattr(each, name) for each in family])
        for name in ("value", "standard_error", "degrees")
    )
    margin = np.concatenate(margins)
    words = words_of(value, error, degrees, margin)
    ends = np.cumsum([0, *counts])
    return [words[start:stop] for start, stop in pairwise(ends)]


def words_of(
    value: FloatArray, error: FloatArray, degrees: FloatArray, margin: FloatArray
) -> list[str]:
    """The words of differences that are a family, by their standard errors and margins."""
    changed = np.ones(len(value))
    known = np.isfinite(error)
    changed[known] = holm(beyond_p(value, error, degrees)[known])
    inside = equivalence_p(value, error, degrees, margin) < ALPHA
    return [
        EQUIVALENT if equal else CHANGED if p < ALPHA else UNDECIDED
        for equal, p in zip(inside, changed, strict=True)
    ]
