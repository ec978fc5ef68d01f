"""The outcome of a search: gains of the finalists, and each population's verdict.

All intervals of one population are simultaneous (Bonferroni): the intervals of every finalist's
imbalance, of its change, and of the best rule set's change against the best single change. Changes
are paired block by block. The recommended rule set was chosen before the first of these deals was
played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goals, Keep, root
from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import together, weighted_sum
from ethnos_sim.experiments.statistics.verdict import Verdict, verdicts
from ethnos_sim.reports.balancing.numbers import SPREAD
from ethnos_sim.reports.balancing.validations import Validation
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD

BETTER, WORSE = "better", "worse"
"""The words for a change of imbalance that matters; other verdicts are their own words."""

FOUND, NONE, MIXED_WORDS = "found", "none", "depends on who plays"

IMBALANCE, CHANGE, AGAINST_SINGLE = "imbalance", "change", "against single"
"""Measures of a finalist: its distance from the goals, the change of this distance against the
baseline, and, for the best finalist, its change against the best single change."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The outcome of a search.

    Attributes:
        space, goals: the space and the goals of the search.
        best, single: the recommended point, and the best point that moves one value.
        validations: the validation of each population, the search's players first.
        numbers: IMBALANCE, CHANGE and AGAINST_SINGLE by `measure`, of each finalist (`point`) and
            population (`by`), with the finalist's `word`: BETTER, WORSE, or a verdict that it does
            not matter or is not known, and "" for the baseline.
    """

    space: Space
    goals: Goals
    best: Point
    single: Point
    validations: tuple[Validation, ...]
    numbers: Estimates

    @property
    def word(self) -> str:
        """FOUND if the best point is better under the search's players and nowhere worse, NONE if
        it is not better under them, MIXED_WORDS if another population finds it worse.
        """
        words = [
            self.word_of(validation, self.best)
            for validation in self.validations
            if self.best in validation.numbers
        ]
        if self.best == self.space.start or words[0] != BETTER:
            return NONE
        return MIXED_WORDS if WORSE in words else FOUND

    def of(self, validation: Validation, point: Point, measure: str = IMBALANCE) -> Estimate | None:
        """A measure of a finalist; None if it was not measured."""
        rows = self.numbers.where(by=validation.name, point=[point], measure=measure)
        return next(iter(rows.estimates()), None)

    def word_of(self, validation: Validation, point: Point) -> str:
        """A population's word for a finalist."""
        return str(
            self.numbers.where(by=validation.name, point=[point], measure=IMBALANCE).only("word")
        )

    def kept(self, validation: Validation, keep: Keep) -> Verdict:
        """The verdict on the change of a number to keep, at the best point."""
        return kept(keep, validation.numbers[self.space.start], validation.numbers[self.best])


def is_spread(goals: Goals) -> bool:
    """Whether imbalance is the spread of the clans; otherwise it counts margins off the goals."""
    return [goal.number for goal in goals.targets] == [SPREAD]


def margin_of(goals: Goals) -> float:
    """The factor that converts the root of imbalance to the clans' spread, or to margins."""
    (goal, *_) = goals.targets
    return float(goal.margin / np.sqrt(goal.weight)) if is_spread(goals) else 1.0


def in_goal_units(goals: Goals, roots: Estimates, *, change: bool) -> Estimates:
    """Convert roots of imbalance, or their changes, to spreads of clans or numbers of margins."""
    margin, unit = margin_of(goals), "share" if is_spread(goals) else "count"
    level = "share_spread" if is_spread(goals) else unit
    scaled = replace(roots, value=margin * roots.value, bounds=margin * roots.bounds)
    return scaled.in_unit(f"{unit}_difference" if change else level)


def outcome_of(
    space: Space, goals: Goals, best: Point, single: Point, validations: Sequence[Validation]
) -> Outcome:
    """Make the outcome from the validations of all populations."""
    numbers = together(
        part
        for validation in validations
        for part in _numbers(space, goals, best, single, validation)
    )
    estimand = CLAN_SPREAD.name if is_spread(goals) else IMBALANCE
    numbers = numbers.labelled(estimand=estimand)
    return Outcome(space, goals, best, single, tuple(validations), numbers)


def _numbers(
    space: Space, goals: Goals, best: Point, single: Point, validation: Validation
) -> Iterator[Estimates]:
    """The measures of each finalist in `validation`, the games of one population."""
    squares = {point: goals.measured(row) for point, row in validation.numbers.items()}
    compared = best in squares and single in squares and best != single and single != space.start
    comparisons = 2 * len(squares) - 1 + compared

    def row(measure: str, point: Point, word: str, number: Estimates) -> Estimates:
        name = IMBALANCE if measure == IMBALANCE else CHANGE
        return replace(
            in_goal_units(goals, number, change=name == CHANGE),
            games=np.array([validation.games // len(squares)]),
        ).labelled(
            by=validation.name,
            point=[point],
            measure=measure,
            word=word,
            name=name,
            population=validation.players,
        )

    for point, square in squares.items():
        word = ""
        if point != space.start:
            word, change = _change(squares[space.start], square, comparisons)
            yield row(CHANGE, point, word, change)
        yield row(IMBALANCE, point, word, _level(square, comparisons))
    if compared:
        word, change = _change(squares[single], squares[best], comparisons)
        yield row(AGAINST_SINGLE, best, word, change)


def _level(square: Estimates, comparisons: int) -> Estimates:
    """The root of a squared imbalance corrected for noise; its interval has the ends' roots."""
    ends = np.stack(square.interval(comparisons)) - square.value + square.center
    value, low, high = (root(float(end)) for end in (square.center[0], *ends[:, 0]))
    return replace(square, value=np.array([value]), bounds=np.array([[low], [high]]))


def _change(before: Estimates, after: Estimates, comparisons: int) -> tuple[str, Estimates]:
    """Compare the roots of two squared imbalances; return the word and the change of the root.

    The square is a smooth function of the sums, but its root is not smooth at 0. So the change of
    the square and the ends of its interval are divided by the sum of both roots. The divisor is at
    least the root of the standard error of the square's change, so that the change stays finite
    where both rule sets reach their goals. Rule sets that never differ have a change of 0.
    """
    squares = weighted_sum([(1, after), (-1, before)])
    moved = replace(squares, value=after.center - before.center)
    roots = [root(float(square.center[0])) for square in (before, after)]
    total = max(sum(roots), float(np.sqrt(moved.standard_error[0]))) or 1.0
    (verdict,) = verdicts(moved, total, comparisons)
    word = verdict.value
    if verdict is Verdict.MATTERS:
        word = BETTER if moved.value[0] < 0 else WORSE
    ends = np.stack(moved.interval(comparisons))
    return word, replace(moved, value=moved.value / total, bounds=ends / total)


def kept(keep: Keep, standing: Estimates, row: Estimates) -> Verdict:
    """The verdict on the change of a number to keep: the worst of its columns, such as clans.

    Args:
        keep: the number, its columns and its margin.
        standing: all measured numbers at the baseline.
        row: all measured numbers at the best point.
    """
    moved = weighted_sum([(1, row), (-1, standing)]).at(keep.places)
    decided = verdicts(moved, keep.margin, len(keep.places))
    worst_first = (Verdict.MATTERS, Verdict.OPEN, Verdict.CLOSE)
    return next((verdict for verdict in worst_first if verdict in decided), Verdict.ALIKE)
