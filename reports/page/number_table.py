"""The numbers of a page by kind of table and estimand, with one interval per number."""

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
        table: all numbers, part by part.
        comparisons: for each number, the count of intervals that share one error probability.
    """

    def __init__(self, numbers: Estimates) -> None:
        """Sort the numbers by part, and index the parts."""
        parts = parts_of(numbers)
        self.table = numbers.at([place for places in parts.values() for place in places])
        ends = accumulate(map(len, parts.values()), initial=0)
        self._parts = dict(zip(parts, starmap(slice, pairwise(ends)), strict=True))
        self.comparisons = comparisons_of(self.table)

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The kinds of tables, in the order of the numbers."""
        return tuple(dict.fromkeys(situation for situation, _, _ in self._parts))

    def aspects(self, situation: Situation, estimand: str) -> list[str]:
        """The aspects of an estimand at a kind of table, in the order of the numbers."""
        return [aspect for *about, aspect in self._parts if about == [situation, estimand]]

    def part(self, situation: Situation, estimand: str) -> Estimates:
        """The numbers of an estimand at a kind of table; empty if there are none."""
        return self.table.at(self._parts.get((situation, estimand, ""), slice(0)))

    def numbers(
        self, situation: Situation, estimand: str, aspect: str = ""
    ) -> tuple[Estimate, ...]:
        """The numbers of an estimand as single estimates, with the intervals of the page."""
        return self._estimates[self._parts.get((situation, estimand, aspect), slice(0))]

    @cached_property
    def _estimates(self) -> tuple[Estimate, ...]:
        return self._labelled.estimates(self.comparisons)

    def has(self, situation: Situation, estimand: str) -> bool:
        """Whether an estimand has numbers with an interval at a kind of table."""
        return any(number.low is not None for number in self.numbers(situation, estimand))

    def number(self, situation: Situation, estimand: str, name: str) -> Estimate | None:
        """One number; None if it is missing or has no interval."""
        numbers = self.numbers(situation, estimand)
        return next(
            (number for number in numbers if number.name == name and number.low is not None), None
        )

    @property
    def frame(self) -> pl.DataFrame:
        """All numbers as the table that is stored."""
        return frame_of(self.table, self.comparisons)

    @property
    def _labelled(self) -> Estimates:
        return self.table.labelled(comparisons=self.comparisons)


def strongest_first(numbers: Iterable[Estimate]) -> list[Estimate]:
    """Sort numbers, the largest first."""
    return sorted(numbers, key=lambda number: -(number.value or 0.0))
