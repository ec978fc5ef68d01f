"""Compare two situations number by number: differences with verdicts, and balance.

The clans are balanced better on the side with the smaller spread. The spread s is the standard
deviation of worth over the clans, after the noise is subtracted; the variance v is its square. The
square root is not smooth at 0. So the error of the change s2 - s1 = (v2 - v1) / (s1 + s2) is
computed from the error of v2 - v1. The variance is a smooth function of the sums, and its change is
paired block by block like any other difference. In simulations of twelve clans with spreads from 0
to 2 percentage points on either side, 94 to 99.9 % of the 95 % intervals covered the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import join_tables
from ethnos_sim.experiments.statistics.verdict import Verdict, family_verdicts
from ethnos_sim.reports.estimators.catalog import margin_of
from ethnos_sim.reports.estimators.clan_spread import spread_of
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.rendering.numbers import difference_unit


@dataclass(frozen=True, slots=True)
class ComparedNumber:
    """One number on both sides.

    Attributes:
        difference: the second side less the first, with its 95 % interval.
        verdict: whether the difference matters.
        first: the first side's estimate.
        second: the second side's estimate.
        margin: a difference up to this size does not matter.
    """

    difference: Estimate
    verdict: Verdict
    first: Estimate
    second: Estimate
    margin: float

    @property
    def labels(self) -> tuple[str, str]:
        """The estimand and the name of the number, by the first side's names."""
        return self.first.estimand, self.first.name

    def row(self) -> dict[str, Any]:
        """The number as a row of a data frame, or as a record for JSON."""
        return {
            **dict(zip(MATCH_LABELS, self.labels, strict=True)),
            "first": self.first.value,
            "second": self.second.value,
            "difference": self.difference.value,
            "low": self.difference.low,
            "high": self.difference.high,
            "margin": self.margin,
            "verdict": self.verdict.value,
            "unit": self.first.unit,
        }


def compare_numbers(first: Estimates, second: Estimates, *, same_deals: bool = True) -> Estimates:
    """The differences of the numbers that both sides have, in the order of the first side.

    Args:
        first: headline numbers of the first side.
        second: headline numbers of the second side, with the names that the first side uses.
        same_deals: whether both used the same seed (see `Estimates.minus`).

    Returns:
        The second side less the first, with the labels that `with_verdicts` needs.
    """
    return _differences(*first.matching_rows(second, MATCH_LABELS), same_deals)


MATCH_LABELS = ("estimand", "name")
"""The labels by which rows of both sides are matched."""


def with_verdicts(changes: Sequence[Estimates]) -> list[tuple[ComparedNumber, ...]]:
    """The compared numbers of each table of differences; their verdicts hold all at once."""
    all_changes = join_tables(changes)
    margins = all_changes["margin"].astype(np.float64)
    decided = iter(family_verdicts(all_changes, margins))
    compared = []
    for change in changes:
        columns = (change[name] for name in ATTRIBUTE_LABELS)
        rows = zip(change.estimates(), islice(decided, len(change)), *columns, strict=True)
        compared.append(tuple(ComparedNumber(*row) for row in rows))
    return compared


ATTRIBUTE_LABELS = ("first", "second", "margin")
"""The labels of a difference that become attributes of `ComparedNumber`."""


def _differences(first: Estimates, second: Estimates, same_deals: bool) -> Estimates:
    """Subtract matching rows, and label the differences with both sides' estimates."""
    change = second.minus(first, MATCH_LABELS, same_deals=same_deals)
    return change.with_unit([difference_unit(unit) for unit in first.unit]).with_labels(
        population=first["population"],
        first=first.estimates(),
        second=second.estimates(),
        margin=[margin_of(*key) for key in first.row_labels((*MATCH_LABELS, "players"))],
    )


def balance_change(first: Estimates, second: Estimates, *, same_deals: bool) -> Estimates:
    """How much larger the spread of the clans' worth is on the second side.

    A clan without an interval on one side is left out of both. Arguments and labels are the same
    as in `compare_numbers`.

    Returns:
        One row; no row if either side has too few games.
    """
    one, other = (side.rows_where(estimand=WORTH.name) for side in (first, second))
    spreads = [*spread_of(_measured_on_both(one, other)), *spread_of(_measured_on_both(other, one))]
    if len(spreads) < 2:
        return _differences(first.rows_at([]), second.rows_at([]), same_deals)
    # If both spreads are 0, chance explains them, and the change has no interval.
    total = sum(float(spread.value[0]) for spread in spreads)
    scale = 1 / total if total else np.nan
    before, after = (
        replace(
            spread,
            pseudo_values=spread.value + (spread.pseudo_values - spread.bias_corrected) * scale,
        )
        for spread in spreads
    )
    return _differences(before, after, same_deals)


def _measured_on_both(clans: Estimates, other: Estimates) -> Estimates:
    """The rows of `clans` that have an interval on both sides."""
    doubtful = other.rows_at(~other.has_interval).names
    return clans.rows_at(clans.has_interval).rows_where(name=set(clans.names).difference(doubtful))
