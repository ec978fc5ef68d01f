"""The outcome of a search: the verdict on the finalists on fresh deals, for each population.

A finalist is a point that is validated: the baseline, or the best point of the search. For each
population, the intervals of all distances from the target and of the change against the baseline
are simultaneous (Bonferroni). The change is paired by block, as both points play the same deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.balancing.search import SearchResult
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.balancing.target import root_or_zero
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict, verdicts
from ethnos_sim.reports.balancing.playing import Validation
from ethnos_sim.reports.balancing.request import Aim, Request
from ethnos_sim.reports.rendering.numbers import difference_unit

BETTER, WORSE = "better", "worse"
"""The words for a change of imbalance that matters; other changes have their verdict's word."""

FOUND, NONE, DEPENDS = "found", "none", "depends on who plays"


@dataclass(frozen=True, slots=True)
class Finalist:
    """A finalist in games of one population.

    Attributes:
        distance: its distance from the target in the unit of the number; for clans, their spread.
        change: its distance less the baseline's; None for the baseline.
        word: BETTER or WORSE if the change matters, else the word of the verdict on it.
    """

    distance: Estimate
    change: Estimate | None
    word: str


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The outcome of a search.

    Attributes:
        request: the request for the search.
        result: what the search recommends.
        validations: the validation by each population, first by the players of the search.
        finalists: for each validation, the finalists by point.
    """

    request: Request
    result: SearchResult
    validations: tuple[Validation, ...]
    finalists: tuple[Mapping[Point, Finalist], ...]

    @property
    def word(self) -> str:
        """NONE if the best point is not better under the players of the search. If it is better:
        DEPENDS if it is worse under the second population, and FOUND if it is not worse.
        """
        best = self.result.best
        words = [finalists[best].word for finalists in self.finalists]
        if best == self.request.space.baseline or words[0] != BETTER:
            return NONE
        return DEPENDS if WORSE in words else FOUND


def make_outcome(
    request: Request, result: SearchResult, validations: Sequence[Validation]
) -> Outcome:
    """The outcome of a search, from the validations by all populations."""
    aim, baseline = request.aim, request.space.baseline
    finalists = tuple(judge_finalists(aim, validation, baseline) for validation in validations)
    return Outcome(request, result, tuple(validations), finalists)


def judge_finalists(aim: Aim, validation: Validation, baseline: Point) -> dict[Point, Finalist]:
    """The finalists by point, as the games of a validation show them."""
    measured, square_of = validation.numbers.items(), aim.target.imbalance_estimate
    squares = {point: square_of(numbers) for point, numbers in measured}
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
        word, change = _change(squares[baseline], square, comparisons)
        distance = shown(_distance(square, comparisons), aim.unit)
        moved = None if point == baseline else shown(change, difference_unit(aim.unit))
        finalists[point] = Finalist(distance, moved, word)
    return finalists


def _distance(square: Estimates, comparisons: int) -> Estimates:
    """The root of a bias-corrected imbalance; the ends of its interval are roots as well."""
    ends = np.stack(square.interval(comparisons)) - square.value + square.bias_corrected
    value, low, high = (root_or_zero(float(end)) for end in (square.bias_corrected[0], *ends[:, 0]))
    return replace(square, value=np.array([value]), given_interval=np.array([[low], [high]]))


def _change(before: Estimates, after: Estimates, comparisons: int) -> tuple[str, Estimates]:
    """The word for the change of an imbalance from `before` to `after`, and the change of its root.

    The imbalance is a smooth function of the sums, but its root is not smooth at 0. So the change
    of the imbalance and the ends of its interval are divided by the sum of both roots. If both
    imbalances are near 0, the divisor is the root of the standard error of the imbalance's change,
    so the result stays finite. Rule sets with equal games have a change of 0.
    """
    squares = after.minus(before)
    moved = replace(squares, value=after.bias_corrected - before.bias_corrected)
    roots = [root_or_zero(float(square.bias_corrected[0])) for square in (before, after)]
    total = max(sum(roots), float(np.sqrt(moved.standard_error[0]))) or 1.0
    (verdict,) = verdicts(moved, total, comparisons)
    word = verdict.value
    if verdict is Verdict.MATTERS:
        word = BETTER if moved.value[0] < 0 else WORSE
    ends = np.stack(moved.interval(comparisons))
    return word, replace(moved, value=moved.value / total, given_interval=ends / total)
