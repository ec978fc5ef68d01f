"""The comparison of two rule sets: the numbers of both sides, and how far the clans differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import (
    ComparedNumber,
    balance_change,
    compare_numbers,
    with_verdicts,
)
from ethnos_sim.reports.numbers import headline_numbers, situations_of
from ethnos_sim.simulator.rules import Rules, ValueDifference, clan_counterparts, value_differences


@dataclass(frozen=True, eq=False)
class Side:
    """The games of one rule set with one line-up, and the label of the rule set."""

    label: str
    evidence: Evidence

    @cached_property
    def situation(self) -> Situation:
        """The situation of all games of this side."""
        (situation,) = situations_of(self.evidence)
        return situation

    @cached_property
    def rules(self) -> Rules:
        """The rules of all games of this side."""
        return self.evidence.rules(self.situation.rule_set)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two sides, and every headline number that both have. The result of `compare`.

    Attributes:
        first: the side that the second side is compared with.
        second: the second side.
        numbers: every headline number that both sides have.
        balance: the spread of the clans on both sides; None if too few games were played.
    """

    first: Side
    second: Side
    numbers: tuple[ComparedNumber, ...]
    balance: ComparedNumber | None

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in self.counts.items())
        return f"Comparison of {self.first.label} with {self.second.label}: {counts}"

    def _repr_html_(self) -> str:
        """The comparison in a line, and a table of its numbers, for notebooks."""
        return f"<p>{escape(repr(self))}</p>{self.frame()._repr_html_()}"

    def frame(self) -> pl.DataFrame:
        """A row for every number that both sides have: both values and their difference.

        `difference` is the second side less the first, with its 95 % interval from `low` to
        `high`; `verdict` says whether it matters, against `margin`.
        """
        about = self.first.situation._asdict()
        return pl.DataFrame(
            [{**about, **number.row()} for number in self.numbers], infer_schema_length=None
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        decided = [number.verdict for number in self.numbers]
        return {verdict.value: decided.count(verdict) for verdict in Verdict}

    @cached_property
    def rule_differences(self) -> tuple[ValueDifference, ...]:
        """The rule values that differ."""
        return value_differences(self.first.rules, self.second.rules)


def compare_sides(first: Side, second: Side) -> Comparison:
    """Compare two sides that played the same deals, number by number."""
    numbers = headline_numbers(first.evidence)
    others = headline_numbers(second.evidence)
    if first.rules.edition != second.rules.edition:
        renamed = clan_counterparts(first.rules, second.rules)
        others = others.rename_labels({other: name for name, other in renamed.items()}, "name")
    compared, balance = with_verdicts(
        [compare_numbers(numbers, others), balance_change(numbers, others, same_deals=True)]
    )
    return Comparison(first, second, compared, next(iter(balance), None))
