"""One number of a report: a value with its interval and its conditions.

A number about balance means little without its estimand, its interval, the number of games and the
strategies that played them. So one object carries all of these from the estimators to the page, the
tables and a baseline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number of a report.

    Attributes:
        name: the subject of the number: a clan, a seat, a strategy, a source of prestige.
        estimand: key of the estimand in `ethnos_sim.reports.estimators.catalog.ESTIMANDS`.
        value: the estimate; None where there is nothing to divide by.
        low: lower end of the 95 % interval; None where too few games were played for an interval.
        high: upper end; None exactly when `low` is None.
        standard_error: jackknife standard error in the unit of `value`; None where `low` is None,
            and where the interval is not computed from a standard error (Wilson).
        games: number of games behind the value.
        blocks: number of blocks of deals behind the interval (degrees of freedom + 1); 0 where
            the interval does not come from blocks.
        unit: key of the unit in `ethnos_sim.reports.rendering.numbers.UNITS`.
        population: the population of the games, as a reader may name it.
        labels: every label of the number by column: the edition, the player count, the clan …
    """

    name: str
    estimand: str
    value: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    games: int
    blocks: int
    unit: str
    population: str
    labels: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __getitem__(self, label: str) -> Any:
        """The label in one column."""
        return self.labels[label]

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, in the unit of the value; None without an interval."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2
