"""What is wanted of a rule set, as a function of what was measured there.

Everything measured of a rule set is one row of numbers: the relative power of every clan, then
whatever else was asked for. How far it is from the goals is a sum of squares, each in units of the
number's margin, so that numbers of different kinds can be added: 1 is one margin off. Squares are
smooth in the sums behind them, so their noise can be taken out exactly; roots are for readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import together

KEEP_WEIGHT = 4.0
"""How much worse it is, in the search, to leave what is kept by a margin than to miss a goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One number that is wanted at a goal.

    Attributes:
        number: what it is called.
        places: the columns of its numbers among what is measured.
        spread: whether it is the spread of its columns; else each of them is wanted at the goal.
        goal: where it is wanted.
        margin: what counts as 1.
        weight: of its square.
    """

    number: str
    places: tuple[int, ...]
    spread: bool
    goal: float
    margin: float
    weight: float = 1.0

    def value(self, rows: FloatArray) -> FloatArray:
        """The square of what rows are off, weighed: shape (..., columns) to (...)."""
        found = rows[..., list(self.places)]
        if self.spread:
            square = found.var(axis=-1, ddof=1)
        else:
            square = ((found - self.goal) ** 2).mean(axis=-1)
        return np.asarray(self.weight * square / self.margin**2)

    def noise(self, variances: FloatArray) -> FloatArray:
        """By how much noise of these variances raises `value` on average."""
        mean = variances[..., list(self.places)].mean(axis=-1)
        return np.asarray(self.weight * mean / self.margin**2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """One number that has to stay within a margin of where it is under the baseline."""

    number: str
    places: tuple[int, ...]
    margin: float

    def penalty(self, rows: FloatArray, standing: FloatArray) -> FloatArray:
        """What leaving the margin costs: 0 within it, rising with the square beyond."""
        off = np.abs(rows - standing)[..., list(self.places)] / self.margin
        return np.asarray(KEEP_WEIGHT * (np.maximum(off - 0.5, 0) ** 2).sum(axis=-1))


@dataclass(frozen=True, slots=True)
class Goals:
    """All that is wanted together."""

    targets: tuple[Goal, ...]
    keeps: tuple[Keep, ...]

    def imbalance(self, rows: FloatArray) -> FloatArray:
        """The sum of the squares of what rows are off, in margins: (..., columns) to (...)."""
        return np.asarray(sum(goal.value(rows) for goal in self.targets))

    def noise(self, variances: FloatArray) -> FloatArray:
        """By how much noise of these variances raises `imbalance` on average."""
        return np.asarray(sum(goal.noise(variances) for goal in self.targets))

    def penalty(self, rows: FloatArray, standing: FloatArray) -> FloatArray:
        """What leaving the margins of what is kept costs in the search."""
        found = [keep.penalty(rows, standing) for keep in self.keeps]
        return np.asarray(sum(found, start=np.zeros(rows.shape[:-1])))

    def measured(self, numbers: Estimates) -> Estimates:
        """The imbalance of measured numbers, its noise still in it: `center` is without."""
        return numbers.reduced(lambda rows: self.imbalance(rows)[..., None])


def root(square: float) -> float:
    """The root of a square without its noise; 0 for what chance has made negative."""
    return float(np.sqrt(max(square, 0.0)))


def stacked(parts: Sequence[Estimates]) -> Estimates:
    """Several tables as one, with intervals by however few games: their errors weigh them."""
    found = together(parts)
    return replace(found, events=np.full(len(found), MIN_EVENTS))
