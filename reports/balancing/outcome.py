"""What a search comes to: gains of the finalists, each population's word, and one sentence.

All intervals of one population hold together (Bonferroni): those of every finalist's imbalance and
of its change, and of the best one's change against the best single change. Changes are paired block
by block. The rule set that is recommended was chosen before the first of these deals was dealt.
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
from ethnos_sim.experiments.statistics.significance import (
    ALPHA,
    CHANGED,
    EQUIVALENT,
    UNDECIDED,
    verdicts,
)
from ethnos_sim.reports.balancing.numbers import SPREAD
from ethnos_sim.reports.balancing.validating import Validation
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD

BETTER, WORSE = "better", "worse"
"""What became of the imbalance, where it is neither EQUIVALENT nor UNDECIDED as in `compare`."""
KEPT, MOVED = "kept", "moved"
"""A number within its margin, and one beyond it; else it is UNDECIDED."""

FOUND, NONE, MIXED_WORDS = "found", "none", "depends on who plays"

IMBALANCE, CHANGE, AGAINST_SINGLE = "imbalance", "change", "against single"
"""What is told of a finalist: how far it is from the goals, the change of that against the
baseline, and, of the best, against the best single change."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a search comes to.

    Attributes:
        space, goals: what moved, and what was wanted.
        best, single: the points recommended, and the best that moves one value.
        validations: one a population, that of the search's players first.
        numbers: IMBALANCE, CHANGE and AGAINST_SINGLE by `told`, of each finalist (`point`) and
            population (`by`), with the finalist's `word`: BETTER, WORSE, EQUIVALENT or UNDECIDED,
            and "" of the baseline.
    """

    space: Space
    goals: Goals
    best: Point
    single: Point
    validations: tuple[Validation, ...]
    numbers: Estimates

    @property
    def word(self) -> str:
        """FOUND where the best is better under the search's players and nowhere worse, NONE where
        it is not better under them, MIXED_WORDS where another population calls it worse.
        """
        words = [
            self.word_of(each, self.best) for each in self.validations if self.best in each.numbers
        ]
        if self.best == self.space.start or words[0] != BETTER:
            return NONE
        return MIXED_WORDS if WORSE in words else FOUND

    def of(self, by: Validation, point: Point, told: str = IMBALANCE) -> Estimate | None:
        """A number of a finalist; None for one that it does not have."""
        found = self.numbers.where(by=by.name, point=[point], told=told)
        return next(iter(found.estimates()), None)

    def word_of(self, by: Validation, point: Point) -> str:
        """What a population says of a finalist."""
        return str(self.numbers.where(by=by.name, point=[point], told=IMBALANCE).only("word"))

    def kept(self, by: Validation, keep: Keep) -> str:
        """Whether a number stayed within its margin at the best: KEPT, MOVED or UNDECIDED."""
        return kept_word(keep, by.numbers[self.space.start], by.numbers[self.best])


def is_spread(goals: Goals) -> bool:
    """Whether imbalance is the spread of the clans; else it is counted in margins."""
    return [goal.number for goal in goals.targets] == [SPREAD]


def margin_of(goals: Goals) -> float:
    """What a root of imbalance of 1 is."""
    (goal, *_) = goals.targets
    return float(goal.margin / np.sqrt(goal.weight)) if is_spread(goals) else 1.0


def counted(goals: Goals, roots: Estimates, *, change: bool) -> Estimates:
    """Roots of imbalance, or changes of them, as the spread of the clans or in margins."""
    margin, unit = margin_of(goals), "share" if is_spread(goals) else "count"
    level = "share_spread" if is_spread(goals) else unit
    found = replace(roots, value=margin * roots.value, bounds=margin * roots.bounds)
    return found.in_unit(f"{unit}_difference" if change else level)


def outcome_of(
    space: Space, goals: Goals, best: Point, single: Point, validations: Sequence[Validation]
) -> Outcome:
    """What populations say of the finalists that they played."""
    found = together(
        part for each in validations for part in _numbers(space, goals, best, single, each)
    )
    estimand = CLAN_SPREAD.name if is_spread(goals) else IMBALANCE
    numbers = found.labelled(estimand=estimand)
    return Outcome(space, goals, best, single, tuple(validations), numbers)


def _numbers(
    space: Space, goals: Goals, best: Point, single: Point, by: Validation
) -> Iterator[Estimates]:
    """What one population says of each of its finalists."""
    squares = {point: goals.measured(row) for point, row in by.numbers.items()}
    compared = best in squares and single in squares and best != single and single != space.start
    comparisons = 2 * len(squares) - 1 + compared

    def told(what: str, point: Point, word: str, found: Estimates) -> Estimates:
        name = IMBALANCE if what == IMBALANCE else CHANGE
        return replace(
            counted(goals, found, change=name == CHANGE), games=np.array([by.games // len(squares)])
        ).labelled(
            by=by.name, point=[point], told=what, word=word, name=name, population=by.players
        )

    for point, square in squares.items():
        word = ""
        if point != space.start:
            word, change = _change(squares[space.start], square, comparisons)
            yield told(CHANGE, point, word, change)
        yield told(IMBALANCE, point, word, _level(square, comparisons))
    if compared:
        word, change = _change(squares[single], squares[best], comparisons)
        yield told(AGAINST_SINGLE, best, word, change)


def _level(square: Estimates, comparisons: int) -> Estimates:
    """The root of a square with both ends of its interval, the noise taken out of all."""
    ends = np.stack(square.interval(comparisons)) - square.value + square.center
    value, low, high = (root(float(each)) for each in (square.center[0], *ends[:, 0]))
    return replace(square, value=np.array([value]), bounds=np.array([[low], [high]]))


def _change(before: Estimates, after: Estimates, comparisons: int) -> tuple[str, Estimates]:
    """The word and the change of a root: that of the square, divided by the sum of both roots.

    The interval's ends have the sign that those of the change of the square have, which is smooth
    in the sums; a root is not, at 0. The sum is no smaller than its noise, so that a change between
    two rule sets that are both at their goals stays finite; rule sets that never differ have none.
    """
    squares = weighted_sum([(1, after), (-1, before)])
    moved = replace(squares, value=after.center - before.center)
    roots = [root(float(each.center[0])) for each in (before, after)]
    both = max(sum(roots), float(np.sqrt(moved.standard_error[0]))) or 1.0
    ((word,), _) = verdicts(moved, both, alpha=ALPHA / 2, tests=comparisons)
    if word == CHANGED:
        word = BETTER if moved.value[0] < 0 else WORSE
    ends = np.stack(moved.interval(comparisons))
    return word, replace(moved, value=moved.value / both, bounds=ends / both)


def kept_word(keep: Keep, standing: Estimates, row: Estimates) -> str:
    """Whether a number stayed within its margin: two one-sided tests, all its columns together."""
    moved = weighted_sum([(1, row), (-1, standing)]).at(keep.places)
    words, _ = verdicts(moved, keep.margin, limit=keep.margin, alpha=ALPHA / len(keep.places))
    if (words == EQUIVALENT).all():
        return KEPT
    return MOVED if CHANGED in words else UNDECIDED
