"""One number of a report: a value with its interval and its conditions.

A balance number is worth something only with its definition, its interval, the number of games it
rests on and the strategies that played them, so these travel together from the estimators to the
page, the tables and a baseline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number of a report.

    Attributes:
        name: what the number is about: a clan, a seat, a strategy, a source of prestige.
        definition: key of the estimand in `ethnos_sim.reports.estimators.catalog.ESTIMANDS`.
        value: the estimate; None where there is nothing to divide by.
        low: lower end of the 95 % interval; None where too few games were played to give one.
        high: upper end; None exactly when `low` is None.
        standard_error: jackknife standard error in the unit of `value`; None with `low`, and for
            intervals that do not come from one (Wilson, Goodman).
        games: number of games the value rests on.
        blocks: number of blocks of deals the interval rests on (degrees of freedom + 1); 0 where
            the interval does not come from blocks.
        unit: key of `ethnos_sim.reports.rendering.numbers.UNITS`.
        population: the strategies that played, as a reader may name them.
        labels: what the number is about, by column: the edition, the player count, the clan …
    """

    name: str
    definition: str
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
