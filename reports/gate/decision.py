"""The gate's decision: which numbers moved, which did not, and which are open.

A number fails if its whole interval lies beyond half its margin, and passes if an interval lies
within its margin. The intervals for failing are simultaneous (Bonferroni). So if no number has
moved by more than half its margin, the chance of any failure is at most ALARM_LEVEL, even if the
numbers depend on each other (docs/ci.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, none_for_nan
from ethnos_sim.experiments.statistics.jackknife import align_rows
from ethnos_sim.experiments.statistics.student import t_quantile
from ethnos_sim.experiments.statistics.verdict import Verdict, verdicts
from ethnos_sim.reports.estimators.catalog import margin_of

ALARM_LEVEL = 0.001
"""The chance of any false alarm in a run, over all its numbers."""

PASS_ALPHA = 0.05
"""The chance that a number passes although it moved by its whole margin."""

SIDE_ALPHA = 0.025
"""The chance that a 95 % interval lies beyond the truth on one side."""

NUMBER_LABELS = (*Situation._fields, "estimand", "name")
"""The labels that identify a number."""


def judge_numbers(
    stored: Estimates, fresh: Estimates, margins: FloatArray, alarm_level: float = ALARM_LEVEL
) -> Estimates:
    """Judge for every number of a baseline whether it moved.

    Args:
        stored: the baseline's numbers, labelled by NUMBER_LABELS.
        fresh: the numbers of fresh games, in any order; numbers that `stored` lacks are ignored.
        margins: the margin of each stored number.
        alarm_level: the chance of any false alarm.

    Returns:
        The difference of each stored number, in the unit of the number, with the count of fresh
        games. Labels are NUMBER_LABELS, the values `stored` and `fresh` (None if not measured), the
        `margin`, and the `verdict`: MATTERS if the number moved, ALIKE if it did not, else OPEN.
    """
    fresh = align_rows(fresh, stored, NUMBER_LABELS)
    differences = fresh.minus(stored, NUMBER_LABELS, same_deals=False)
    moved = verdicts(differences, margins / 2, SIDE_ALPHA * len(stored) / alarm_level)
    within = verdicts(differences, margins, SIDE_ALPHA / PASS_ALPHA)
    return replace(differences, games=fresh.games, unit=stored.unit).with_labels(
        verdict=[_combined_verdict(*both).value for both in zip(moved, within, strict=True)],
        stored=stored.value,
        fresh=none_for_nan(fresh.value),
        margin=margins,
    )


def _combined_verdict(moved: Verdict, within: Verdict) -> Verdict:
    """MATTERS if it moved by over half its margin, ALIKE if by less than its margin, else OPEN."""
    if moved is Verdict.MATTERS:
        return moved
    return within if within is Verdict.ALIKE else Verdict.OPEN


@dataclass(frozen=True, slots=True, eq=False)
class BalanceResult:
    """The result of a run of the gate for the balance numbers.

    Attributes:
        lines: the result of `judge_numbers` as a data frame, a line for every number.
        games: the number of fresh games.
    """

    lines: pl.DataFrame
    games: int

    @property
    def outcome(self) -> Verdict:
        """MATTERS if any number moved, else OPEN if any is open, else ALIKE."""
        both, verdicts = (Verdict.MATTERS, Verdict.OPEN), set(self.lines["verdict"])
        return next((verdict for verdict in both if verdict in verdicts), Verdict.ALIKE)


def widest_error(degrees: FloatArray, margins: FloatArray, spare_errors: float) -> FloatArray:
    """The largest standard error with which an unmoved number passes for nearly any seed.

    Args:
        degrees: the degrees of freedom of the differences.
        margins: the margins of the numbers.
        spare_errors: by how many standard errors chance may move a number.
    """
    return np.asarray(margins / (t_quantile(degrees, 1 - PASS_ALPHA) + spare_errors))


def margins_of(numbers: Estimates) -> FloatArray:
    """The margin of each number; KeyError for a number that has none."""
    labels = numbers.row_labels(("estimand", "name", "players"))
    return np.asarray([margin_of(*row) for row in labels])
