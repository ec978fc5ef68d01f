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
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import CONFIDENCE, Estimates, t_quantile
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.experiments.statistics.significance import EQUIVALENT
from ethnos_sim.reports.balancing.numbers import SPREAD
from ethnos_sim.reports.balancing.validating import Validation
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD

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
        imbalance: how far it is from the goals.
        change: of that, against the baseline; None of those themselves.
        word: BETTER, WORSE, EQUIVALENT or UNDECIDED.
        kept: of each number to keep, KEPT, MOVED or UNDECIDED.
    """

    point: Point
    imbalance: Estimate
    change: Estimate | None
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
    against_single: Estimate | None

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
        scale: how imbalance is counted.
    """

    space: Space
    goals: Goals
    best: Point
    single: Point
    verdicts: tuple[PopulationVerdict, ...]
    scale: Scale

    @property
    def word(self) -> str:
        """FOUND where the best is better under the search's players and nowhere worse, NONE where
        it is not better under them, MIXED_WORDS where another population calls it worse.
        """
        words = [v.of(self.best).word for v in self.verdicts if self.best in v.validation.numbers]
        if self.best == self.space.start or words[0] != BETTER:
            return NONE
        return MIXED_WORDS if WORSE in words else FOUND


@dataclass(frozen=True, slots=True)
class Scale:
    """How imbalance is counted: as the spread of the clans, or in margins.

    Attributes:
        spread: whether it is the spread of the clans.
        margin: what a root of imbalance of 1 is.
    """

    spread: bool
    margin: float

    @classmethod
    def of(cls, goals: Goals) -> Scale:
        """That of some goals."""
        if [goal.number for goal in goals.targets] != [SPREAD]:
            return cls(spread=False, margin=1.0)
        (goal,) = goals.targets
        return cls(spread=True, margin=float(goal.margin / np.sqrt(goal.weight)))

    def estimate(
        self,
        root: Sequence[float],
        *,
        change: bool,
        games: int,
        blocks: int,
        population: str,
        definition: str = "",
        name: str = "",
    ) -> Estimate:
        """A root of imbalance, or a change of one, from its value and both ends."""
        value, low, high = (self.margin * each for each in root)
        unit = "share" if self.spread else "count"
        return Estimate(
            name=name or ("change" if change else "imbalance"),
            definition=definition or (CLAN_SPREAD.name if self.spread else "imbalance"),
            value=value,
            low=low,
            high=high,
            standard_error=None,
            games=games,
            blocks=blocks,
            unit=f"{unit}_difference" if change else "share_spread" if self.spread else unit,
            population=population,
        )


def outcome_of(
    space: Space, goals: Goals, best: Point, single: Point, validations: Sequence[Validation]
) -> Outcome:
    """What populations say of the finalists that they played."""
    scale = Scale.of(goals)
    verdicts = tuple(_verdict(space, goals, best, single, each, scale) for each in validations)
    return Outcome(space, goals, best, single, verdicts, scale)


def _verdict(
    space: Space, goals: Goals, best: Point, single: Point, validation: Validation, scale: Scale
) -> PopulationVerdict:
    rows = validation.numbers
    squares = {point: goals.measured(row) for point, row in rows.items()}
    compared = best in rows and single in rows and best != single and single != space.start
    comparisons = 2 * len(rows) - 1 + compared

    def measured(square: Estimates, before: Estimates | None = None) -> Estimate:
        found = _level(square, comparisons)
        if before is not None:
            found = _change(before, square, comparisons)
        return scale.estimate(
            found,
            change=before is not None,
            games=validation.games // len(rows),
            blocks=int(square.blocks[0]),
            population=validation.players,
        )

    validated = []
    for point, square in squares.items():
        changed = None if point == space.start else measured(square, squares[space.start])
        kept = tuple(kept_word(keep, rows[space.start], rows[point]) for keep in goals.keeps)
        word = word_of(changed, scale.margin)
        validated.append(Validated(point, measured(square), changed, word, kept))
    against = measured(squares[best], squares[single]) if compared else None
    return PopulationVerdict(validation, tuple(validated), against)


def word_of(changed: Estimate | None, margin: float) -> str:
    """BETTER, WORSE, EQUIVALENT or UNDECIDED, by where the interval of a change lies.

    Up to the margin a difference counts as none, whatever its sign.
    """
    if changed is None or changed.low is None or changed.high is None:
        return ""
    if -margin < changed.low and changed.high < margin:
        return EQUIVALENT
    return BETTER if changed.high < 0 else WORSE if changed.low > 0 else UNDECIDED


def _level(square: Estimates, comparisons: int) -> list[float]:
    """The root of a square with both ends of its interval, the noise taken out of all."""
    value = float(square.center[0])
    ends = (value + float(end[0] - square.value[0]) for end in square.interval(comparisons))
    return [root(value), *map(root, ends)]


def _change(before: Estimates, after: Estimates, comparisons: int) -> list[float]:
    """The change of a root with both ends: that of the square, divided by the sum of both roots.

    The interval's ends have the sign that those of the change of the square have, which is smooth
    in the sums; a root is not, at 0. The sum is no smaller than its noise, so that a change between
    two rule sets that are both at their goals stays finite; rule sets that never differ have none.
    """
    squares = weighted_sum([(1, after), (-1, before)])
    reach = t_quantile(1 - (1 - CONFIDENCE) / 2 / comparisons, int(squares.blocks[0]) - 1)
    error, first, last = (
        float(each[0]) for each in (squares.standard_error, before.center, after.center)
    )
    value = last - first
    both = max(root(first) + root(last), float(np.sqrt(error))) or 1.0
    return [end / both for end in (value, value - reach * error, value + reach * error)]


def kept_word(keep: Keep, standing: Estimates, row: Estimates) -> str:
    """Whether a number stayed within its margin: two one-sided tests, all its columns together."""
    moved = weighted_sum([(1, row), (-1, standing)]).at(keep.places)
    reach = t_quantile(1 - (1 - CONFIDENCE) / len(keep.places), int(moved.blocks[0]) - 1)
    error = reach * moved.standard_error
    if bool((np.abs(moved.value) + error <= keep.margin).all()):
        return KEPT
    return MOVED if bool((np.abs(moved.value) - error > keep.margin).any()) else UNDECIDED
