"""The gate's decision: which numbers moved, which did not, and which are open, look by look.

The gate looks at its numbers at fixed shares of its budget of games (docs/ci.md). Its limit for a
move that matters is half the margin. A number passes if it is alike within its margin. Intervals
hold for all numbers and looks together (Bonferroni). So if no number has moved by more than half
its margin, the chance of any failure is at most the level, however numbers and looks depend on each
other. A situation is decided once a number in it moved, or once all its numbers are alike at one
look.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, known
from ethnos_sim.experiments.statistics.jackknife import lined_up
from ethnos_sim.experiments.statistics.student import t_quantile
from ethnos_sim.experiments.statistics.verdict import Verdict, verdicts
from ethnos_sim.reports.estimators.catalog import margin_of

LEVEL = 0.001
"""The chance of any false alarm in a run, over all its numbers and looks."""

PASS_ALPHA = 0.05
"""The chance that a number passes although it moved by its whole margin."""

SIDE_ALPHA = 0.025
"""The chance that a 95 % interval lies beyond the truth on one side."""

SITUATION = Situation._fields
KEY = (*SITUATION, "estimand", "name")


@dataclass(eq=False)
class Decision:
    """The state of every number; `look` updates it.

    Attributes:
        stored: the baseline's numbers, labelled by KEY.
        margins: the margin of each number.
        looks: the share of the budget at each possible look.
        level: the chance of any false alarm.
        verdicts: MATTERS if the number moved, ALIKE if it did not, else OPEN; for each number,
            after the last look at its situation.
        fresh: the numbers of the last look.
        moved: their differences from the stored numbers.
        looked: the number of looks so far.
    """

    stored: Estimates
    margins: FloatArray
    looks: tuple[float, ...]
    level: float = LEVEL
    verdicts: list[Verdict] = field(init=False)
    fresh: Estimates = field(init=False)
    moved: Estimates = field(init=False)
    looked: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Begin with all numbers open."""
        self.verdicts = [Verdict.OPEN] * len(self.stored)

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The situation of each number."""
        return tuple(map(Situation._make, self.stored.keys(SITUATION)))

    @property
    def open_situations(self) -> set[Situation]:
        """The situations that are not decided: no number moved, and not all are alike."""
        known = set(zip(self.situations, self.verdicts, strict=True))
        return {
            situation
            for situation, verdict in known
            if verdict is Verdict.OPEN and (situation, Verdict.MATTERS) not in known
        }

    @property
    def outcome(self) -> Verdict:
        """MATTERS if a number moved, else OPEN if one is open, else ALIKE."""
        return worst(self.verdicts)

    def look(self, fresh: Estimates) -> None:
        """Test the numbers of all open situations with the games played so far.

        Args:
            fresh: the numbers of all situations; numbers of decided situations are ignored.
        """
        self.looked += 1
        open_situations = self.open_situations
        self.fresh = lined_up(fresh, self.stored, KEY)
        self.moved = self.fresh.minus(self.stored, KEY, same_deals=False)
        at_once = SIDE_ALPHA * len(self.looks)
        moved = verdicts(self.moved, self.margins / 2, at_once * len(self.stored) / self.level)
        within = verdicts(self.moved, self.margins, at_once / PASS_ALPHA)
        self.verdicts = [
            _decided(*both) if situation in open_situations else before
            for *both, situation, before in zip(
                moved, within, self.situations, self.verdicts, strict=True
            )
        ]

    def outcomes(self) -> Estimates:
        """The difference of each number, with its fresh games and in its own unit.

        Labels are KEY, `verdict`, the `stored` and the `fresh` value, and `margin`. None means not
        measured.
        """
        return replace(self.moved, games=self.fresh.games, unit=self.stored.unit).labelled(
            verdict=[verdict.value for verdict in self.verdicts],
            stored=self.stored.value,
            fresh=known(self.fresh.value),
            margin=self.margins,
        )


def _decided(moved: Verdict, within: Verdict) -> Verdict:
    """MATTERS beyond half the margin, ALIKE within the margin, else OPEN."""
    if moved is Verdict.MATTERS:
        return moved
    return within if within is Verdict.ALIKE else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class RunSize:
    """How thorough a run is.

    Attributes:
        scale: the factor of the margins, other than of the clans' worth.
        share: the share of the baseline's budget of games.
        looks: the share of these games at each look.
    """

    scale: float
    share: float
    looks: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GateResult:
    """The result of a run.

    Attributes:
        lines: the outcome of every number: `Decision.outcomes` as a frame.
        seed: the seed of the fresh games.
        games: the number of games played.
        budget: the most games that the run could have played.
    """

    lines: pl.DataFrame
    seed: int
    games: int
    budget: int

    @property
    def outcome(self) -> Verdict:
        """MATTERS if a number moved, else OPEN if one is open, else ALIKE."""
        return worst(self.lines["verdict"].to_list())


def worst(verdicts: Collection[str]) -> Verdict:
    """The worst of some verdicts: MATTERS, then OPEN, then ALIKE."""
    both = (Verdict.MATTERS, Verdict.OPEN)
    return next((verdict for verdict in both if verdict in verdicts), Verdict.ALIKE)


def widest_error(degrees: FloatArray, margins: FloatArray, looks: int, spare: float) -> FloatArray:
    """The largest standard error with which an unmoved number passes for nearly any seed.

    Args:
        degrees: degrees of freedom of the difference at the last look.
        margins: the margins.
        looks: the number of looks.
        spare: the number of standard errors by which chance may move the number.
    """
    return np.asarray(margins / (t_quantile(degrees, 1 - PASS_ALPHA / looks) + spare))


def margins_of(numbers: Estimates) -> FloatArray:
    """The margin of each number, before any scale; KeyError for a number that has none."""
    return np.asarray([margin_of(*key) for key in numbers.keys(("estimand", "name", "players"))])
