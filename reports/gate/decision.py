"""The gate's decision: which numbers moved, which did not, and which are open.

The gate's limit for a move that matters is half the margin. A number passes if it is alike within
its margin. The intervals are simultaneous (Bonferroni). So if no number has moved by more
than half its margin, the chance of any failure is at most the level, however numbers depend on each
other (docs/ci.md).
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

LEVEL = 0.001
"""The chance of any false alarm in a run, over all its numbers."""

PASS_ALPHA = 0.05
"""The chance that a number passes although it moved by its whole margin."""

SIDE_ALPHA = 0.025
"""The chance that a 95 % interval lies beyond the truth on one side."""

SITUATION = Situation._fields
KEY = (*SITUATION, "estimand", "name")


def decide(
    stored: Estimates, fresh: Estimates, margins: FloatArray, level: float = LEVEL
) -> Estimates:
    """Decide which numbers moved.

    Args:
        stored: the baseline's numbers, labelled by KEY.
        fresh: the numbers of fresh games, in any order; further numbers are ignored.
        margins: the margin of each stored number.
        level: the chance of any false alarm.

    Returns:
        The difference of each stored number, with its fresh games and in its own unit. Labels are
        KEY, the `stored` and the `fresh` value, `margin`, and `verdict`: MATTERS if the number
        moved, ALIKE if it did not, else OPEN. None means not measured.
    """
    fresh = align_rows(fresh, stored, KEY)
    differences = fresh.minus(stored, KEY, same_deals=False)
    moved = verdicts(differences, margins / 2, SIDE_ALPHA * len(stored) / level)
    within = verdicts(differences, margins, SIDE_ALPHA / PASS_ALPHA)
    return replace(differences, games=fresh.games, unit=stored.unit).with_labels(
        verdict=[_decided(*both).value for both in zip(moved, within, strict=True)],
        stored=stored.value,
        fresh=none_for_nan(fresh.value),
        margin=margins,
    )


def _decided(moved: Verdict, within: Verdict) -> Verdict:
    """MATTERS beyond half the margin, ALIKE within the margin, else OPEN."""
    if moved is Verdict.MATTERS:
        return moved
    return within if within is Verdict.ALIKE else Verdict.OPEN


@dataclass(frozen=True, slots=True, eq=False)
class GateResult:
    """The result of a run.

    Attributes:
        lines: the outcome of every number: `decide` as a frame.
        games: the number of games played.
    """

    lines: pl.DataFrame
    games: int

    @property
    def outcome(self) -> Verdict:
        """MATTERS if a number moved, else OPEN if one is open, else ALIKE."""
        both, verdicts = (Verdict.MATTERS, Verdict.OPEN), set(self.lines["verdict"])
        return next((verdict for verdict in both if verdict in verdicts), Verdict.ALIKE)


def widest_error(degrees: FloatArray, margins: FloatArray, spare: float) -> FloatArray:
    """The largest standard error with which an unmoved number passes for nearly any seed.

    Args:
        degrees: degrees of freedom of the difference.
        margins: the margins.
        spare: the number of standard errors by which chance may move the number.
    """
    return np.asarray(margins / (t_quantile(degrees, 1 - PASS_ALPHA) + spare))


def margins_of(numbers: Estimates) -> FloatArray:
    """The margin of each number; KeyError for a number that has none."""
    labels = numbers.row_labels(("estimand", "name", "players"))
    return np.asarray([margin_of(*row) for row in labels])
