"""Shapley shares: divide a total effect among several changes, whatever their order.

Each change is credited with what it adds to every combination of the others, averaged over all
orders in which the changes may be made (Shapley 1953, "A value for n-person games", Contributions
to the Theory of Games 2: 307-317). The shares add up to the total change.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import factorial

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.reports.estimators.estimand import Estimand

SHAPLEY_SHARE = Estimand(name="shapley_share")

Corner = tuple[int, ...]
"""A combination of changes: 1 for each change that is made, 0 for each other change."""


def corners(changes: int) -> tuple[Corner, ...]:
    """All combinations of a number of changes, from none to all."""
    return tuple(product((0, 1), repeat=changes))


def shapley_shares(values: Mapping[Corner, Estimates]) -> tuple[Estimates, ...]:
    """The share of each change, with jackknife pseudo-values like `values`.

    Args:
        values: a statistic at each of `corners`, over the same blocks of deals.

    Raises:
        ValueError: a corner is missing, or the blocks differ.
    """
    changes = len(next(iter(values)))
    if set(values) != set(corners(changes)):
        raise ValueError("a combination of changes was not played")
    shares = []
    for change in range(changes):
        parts = []
        for corner in corners(changes):
            others_made = sum(corner) - corner[change]
            weight = (
                factorial(others_made) * factorial(changes - 1 - others_made) / factorial(changes)
            )
            parts.append((weight if corner[change] else -weight, values[corner]))
        shares.append(weighted_sum(parts))
    return tuple(shares)
