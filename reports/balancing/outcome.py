"""What a search comes to: gains of the finalists, each population's word, and one sentence.

All intervals of one population hold together (Bonferroni): those of every finalist's imbalance and
of its change, and of the best one's change against the best single change. Changes are paired block
by block. The rule set that is recommended was chosen before the first of these deals was dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goals, Keep, root
from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.statistics.estimates import CONFIDENCE, Estimates, t_quantile
from ethnos_sim.experiments.statistics.intervals import Interval
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.reports.balancing.numbers import SPREAD
from ethnos_sim.reports.balancing.validating import Validation
from ethnos_sim.reports.comparison.situations import EQUIVALENT

BETTER, WORSE, UNDECIDED = "better", "worse", "undecided"
"""What became of the imbalance; EQUIVALENT where that lies within a margin, as in `compare`."""
KEPT, MOVED = "kept", "moved"
"""A number within its margin, and one beyond it; else it is UNDECIDED."""

FOUND, NONE, MIXED_WORDS = "found", "none", "depends on who plays"


@dataclass(frozen=True, slots=True)
class Validated:
    """A finalist under one population.

    Attributes:
        point: the rule set.
        imbalance: how far it is from the goals, in the unit of `Outcome.unit`.
        change: of that, against the baseline; None of those themselves.
        word: BETTER, WORSE, EQUIVALENT or UNDECIDED.
        kept: of each number to keep, KEPT, MOVED or UNDECIDED.
    """

    point: Point
    imbalance: Interval[float]
    change: Interval[float] | None
    word: str
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PopulationVerdict:
    """What one population says.

    Attributes:
        validation: what it played.
        validated: each finalist, the baseline first.
        against_single: the change of the best against the best single change; None where they are
            the same.
    """

    validation: Validation
    validated: tuple[Validated, ...]
    against_single: Interval[float] | None

    def of(self, point: Point) -> Validated:
        """One of its finalists."""
        return next(each for each in self.validated if each.point == point)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a search comes to.

    Attributes:
        space, goals: what moved, and what was wanted.
        best, single: the points recommended, and the best that moves one value.
        verdicts: one a population, that of the search's players first.
        pp: whether imbalance is the spread of the clans in percentage points; else it counts
            margins.
        unit: what a root of imbalance of 1 is in that unit.
    """

    space: Space
    goals: Goals
    best: Point
    single: Point
    verdicts: tuple[PopulationVerdict, ...]
    pp: bool
    unit: float

    @property
    def word(self) -> str:
        """FOUND where the best is better under the search's players and nowhere worse, NONE where
        it is not better under them, MIXED_WORDS where another population calls it worse.
        """
        words = [v.of(self.best).word for v in self.verdicts if self.best in v.validation.numbers]
        if self.best == self.space.start or words[0] != BETTER:
            return NONE
        return MIXED_WORDS if WORSE in words else FOUND


def outcome_of(
    space: Space, goals: Goals, best: Point, single: Point, validations: Sequence[Validation]
) -> Outcome:
    """What populations say of the finalists that they played."""
    pp = [goal.number for goal in goals.targets] == [SPREAD]
    weight = goals.targets[0].weight
    unit = float(100 * goals.targets[0].margin / np.sqrt(weight)) if pp else 1.0
    verdicts = tuple(_verdict(space, goals, best, single, each, unit) for each in validations)
    return Outcome(space, goals, best, single, verdicts, pp, unit)


def _verdict(
    space: Space, goals: Goals, best: Point, single: Point, validation: Validation, unit: float
) -> PopulationVerdict:
    """What one population says."""
    rows = validation.numbers
    imbalance = {point: goals.measured(row) for point, row in rows.items()}
    standing = imbalance[space.start]
    compared = best in rows and single in rows and best != single and single != space.start
    comparisons = 2 * len(rows) - 1 + compared
    validated = []
    for point, found in imbalance.items():
        changed = None
        if point != space.start:
            changed = _changed(standing, found, comparisons, unit)
        validated.append(
            Validated(
                point,
                _level(found, comparisons, unit),
                changed,
                word_of(changed, unit),
                tuple(kept_word(keep, rows[space.start], rows[point]) for keep in goals.keeps),
            )
        )
    against = None
    if compared:
        against = _changed(imbalance[single], imbalance[best], comparisons, unit)
    return PopulationVerdict(validation, tuple(validated), against)


def word_of(changed: Interval[float] | None, margin: float) -> str:
    """BETTER, WORSE, EQUIVALENT or UNDECIDED, by where the interval of a change lies.

    Up to the margin a difference counts as none, whatever its sign.
    """
    if changed is None:
        return ""
    if -margin < changed.low and changed.high < margin:
        return EQUIVALENT
    return BETTER if changed.high < 0 else WORSE if changed.low > 0 else UNDECIDED


def _level(square: Estimates, comparisons: int, unit: float) -> Interval[float]:
    """The root of a square with its interval, the noise taken out of both."""
    value = float(square.center[0])
    low, high = (value + float(end[0] - square.value[0]) for end in square.interval(comparisons))
    return Interval(unit * root(value), unit * root(low), unit * root(high))


def _changed(before: Estimates, after: Estimates, comparisons: int, unit: float) -> Interval[float]:
    """The change of a root: that of the square, divided by the sum of both roots.

    The interval's ends have the sign that those of the change of the square have, which is smooth
    in the sums; a root is not, at 0. The sum is no smaller than its noise, so that a change between
    two rule sets that are both at their goals stays finite.
    """
    squares = weighted_sum([(1, after), (-1, before)])
    reach = t_quantile(1 - (1 - CONFIDENCE) / 2 / comparisons, int(squares.blocks[0]) - 1)
    error, first, last = (
        float(each[0]) for each in (squares.standard_error, before.center, after.center)
    )
    value = last - first
    both = root(first) + root(last)
    both = max(both, float(np.sqrt(error)))
    ends = [unit * end / both for end in (value, value - reach * error, value + reach * error)]
    return Interval(*ends)


def kept_word(keep: Keep, standing: Estimates, row: Estimates) -> str:
    """Whether a number stayed within its margin: two one-sided tests, all its columns together."""
    moved = weighted_sum([(1, row), (-1, standing)]).at(keep.places)
    reach = t_quantile(1 - (1 - CONFIDENCE) / len(keep.places), int(moved.blocks[0]) - 1)
    error = reach * moved.standard_error
    if bool((np.abs(moved.value) + error <= keep.margin).all()):
        return KEPT
    return MOVED if bool((np.abs(moved.value) - error > keep.margin).any()) else UNDECIDED
