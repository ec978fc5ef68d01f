"""The numbers of a page by situation and estimand, with one interval per number."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate, pairwise, starmap

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.numbers import comparisons_of, frame_of, parts_of


class NumberTable:
    """The numbers of a page.

    Attributes:
        table: all numbers, sorted by situation, estimand and aspect (an outcome or an age).
        comparisons: for each number, how many intervals hold at once (Bonferroni).
    """

    def __init__(self, numbers: Estimates) -> None:
        """Sort the numbers, and note the rows of each situation, estimand and aspect."""
        parts = parts_of(numbers)
        self.table = numbers.rows_at([row for rows in parts.values() for row in rows])
        ends = accumulate(map(len, parts.values()), initial=0)
        self._parts = dict(zip(parts, starmap(slice, pairwise(ends)), strict=True))
        self.comparisons = comparisons_of(self.table)

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The situations, in the order of the numbers."""
        return tuple(dict.fromkeys(situation for situation, _, _ in self._parts))

    def aspects(self, situation: Situation, estimand: str) -> list[str]:
        """The aspects of an estimand in a situation, in the order of the numbers."""
        return [aspect for *about, aspect in self._parts if about == [situation, estimand]]

    def estimates(self, situation: Situation, estimand: str) -> Estimates:
        """The numbers of an estimand in a situation as a table to compute with; it may be empty."""
        return self.table.rows_at(self._parts.get((situation, estimand, ""), slice(0)))

    def numbers(
        self, situation: Situation, estimand: str, aspect: str = ""
    ) -> tuple[Estimate, ...]:
        """The numbers of an estimand in a situation to show, with the intervals of the page."""
        return self._estimates[self._parts.get((situation, estimand, aspect), slice(0))]

    @cached_property
    def _estimates(self) -> tuple[Estimate, ...]:
        return self.table.with_labels(comparisons=self.comparisons).estimates(self.comparisons)

    def has_interval(self, situation: Situation, estimand: str) -> bool:
        """Whether an estimand has a number with an interval in a situation."""
        return any(number.low is not None for number in self.numbers(situation, estimand))

    def number(self, situation: Situation, estimand: str, name: str) -> Estimate | None:
        """One number of an estimand; None if it is missing or has no interval."""
        numbers = self.numbers(situation, estimand)
        return next(
            (number for number in numbers if number.name == name and number.low is not None), None
        )

    @property
    def frame(self) -> pl.DataFrame:
        """All numbers as the data frame that a report stores."""
        return frame_of(self.table, self.comparisons)


def largest_first(numbers: Iterable[Estimate]) -> list[Estimate]:
    """The numbers sorted by value, the largest first."""
    return sorted(numbers, key=lambda number: -(number.value or 0.0))
