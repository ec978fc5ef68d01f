"""The outcome of a search: what the finalists gain on fresh deals, and each population's verdict.

All intervals of one population are simultaneous (Bonferroni): those of every finalist's distance
from the target, and of its change against the baseline. Changes are paired block by block. The
recommended rule set was chosen before the first of these deals was played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.balancing.search import SearchResult
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.balancing.target import root
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict, verdicts
from ethnos_sim.reports.balancing.playing import Validation
from ethnos_sim.reports.balancing.request import Aim, Request
from ethnos_sim.reports.rendering.numbers import difference_unit

BETTER, WORSE = "better", "worse"
"""The words for a change of imbalance that matters; other verdicts are their own words."""

FOUND, NONE, MIXED_WORDS = "found", "none", "depends on who plays"


@dataclass(frozen=True, slots=True)
class Finalist:
    """A finalist as one population measured it, in the unit of the number.

    Attributes:
        distance: its distance from the target; for clans, their spread.
        change: the distance less the baseline's; None for the baseline.
        word: BETTER, WORSE, or a verdict that the change does not matter or is not known.
    """

    distance: Estimate
    change: Estimate | None
    word: str


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The outcome of a search.

    Attributes:
        request: what was asked.
        result: what the search recommends.
        validations: the validation of each population, the search's players first.
        finalists: each population's measures of all finalists, the baseline included.
    """

    request: Request
    result: SearchResult
    validations: tuple[Validation, ...]
    finalists: tuple[Mapping[Point, Finalist], ...]

    @property
    def word(self) -> str:
        """FOUND if the best point is better under the search's players and nowhere worse, NONE if
        it is not better under them, MIXED_WORDS if the other population finds it worse.
        """
        best = self.result.best
        words = [finalists[best].word for finalists in self.finalists]
        if best == self.request.space.start or words[0] != BETTER:
            return NONE
        return MIXED_WORDS if WORSE in words else FOUND


def outcome_of(
    request: Request, result: SearchResult, validations: Sequence[Validation]
) -> Outcome:
    """Make the outcome from the validations of all populations."""
    finalists = (judged(request.aim, validation, request.space.start) for validation in validations)
    return Outcome(request, result, tuple(validations), tuple(finalists))


def judged(aim: Aim, validation: Validation, start: Point) -> dict[Point, Finalist]:
    """The measures of every finalist of a population."""
    squares = {point: aim.target.measured(row) for point, row in validation.numbers.items()}
    comparisons = 2 * len(squares) - 1
    games = validation.games // len(squares)

    def shown(roots: Estimates, unit: str) -> Estimate:
        margin = aim.target.margin
        scaled = replace(
            roots,
            value=margin * roots.value,
            given_interval=margin * roots.given_interval,
            games=np.array([games]),
        )
        (estimate,) = scaled.with_unit(unit).with_labels(name="imbalance").estimates()
        return estimate

    finalists = {}
    for point, square in squares.items():
        word, change = _change(squares[start], square, comparisons)
        distance = shown(_level(square, comparisons), aim.unit)
        moved = None if point == start else shown(change, difference_unit(aim.unit))
        finalists[point] = Finalist(distance, moved, word)
    return finalists


def _level(square: Estimates, comparisons: int) -> Estimates:
    """The root of a squared imbalance corrected for noise; its interval has the ends' roots."""
    ends = np.stack(square.interval(comparisons)) - square.value + square.bias_corrected
    value, low, high = (root(float(end)) for end in (square.bias_corrected[0], *ends[:, 0]))
    return replace(square, value=np.array([value]), given_interval=np.array([[low], [high]]))


def _change(before: Estimates, after: Estimates, comparisons: int) -> tuple[str, Estimates]:
    """Compare the roots of two squared imbalances; return the word and the change of the root.

    The square is a smooth function of the sums, but its root is not smooth at 0. So the change of
    the square and the ends of its interval are divided by the sum of both roots. The divisor is at
    least the root of the standard error of the square's change, so that the change stays finite
    where both rule sets reach the target. Rule sets that never differ have a change of 0.
    """
    squares = after.minus(before)
    moved = replace(squares, value=after.bias_corrected - before.bias_corrected)
    roots = [root(float(square.bias_corrected[0])) for square in (before, after)]
    total = max(sum(roots), float(np.sqrt(moved.standard_error[0]))) or 1.0
    (verdict,) = verdicts(moved, total, comparisons)
    word = verdict.value
    if verdict is Verdict.MATTERS:
        word = BETTER if moved.value[0] < 0 else WORSE
    ends = np.stack(moved.interval(comparisons))
    return word, replace(moved, value=moved.value / total, given_interval=ends / total)
