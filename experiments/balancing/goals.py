"""Goals of a search for balance, as functions of the numbers measured at a rule set.

The numbers of a rule set are one row: the relative power of every clan, then the other numbers of
the search. The distance from the goals is a sum of squares. Each square is in units of the number's
margin, so that numbers of different kinds can be added: 1 is one margin off. The search uses
squares: they are smooth functions of the sums behind them, so the bias by noise can be removed
exactly. Readers are shown square roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import together

KEEP_WEIGHT = 4.0
"""The weight of a squared distance beyond a kept number's margin; missing a goal has weight 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One number to bring near to a goal.

    Attributes:
        number: the name of the number.
        places: the columns of the measured numbers from which the number is computed.
        spread: whether the number is the spread of these columns; else each of these columns
            should reach the goal.
        goal: the value to reach.
        margin: the distance that counts as 1.
        weight: the weight of the squared distance.
    """

    number: str
    places: tuple[int, ...]
    spread: bool
    goal: float
    margin: float
    weight: float = 1.0

    def value(self, rows: FloatArray) -> FloatArray:
        """The weighted square of the distance of rows from the goal: (..., columns) to (...)."""
        numbers = rows[..., list(self.places)]
        if self.spread:
            square = numbers.var(axis=-1, ddof=1)
        else:
            square = ((numbers - self.goal) ** 2).mean(axis=-1)
        return np.asarray(self.weight * square / self.margin**2)

    def noise(self, variances: FloatArray) -> FloatArray:
        """The mean rise of `value` by noise with these variances."""
        mean = variances[..., list(self.places)].mean(axis=-1)
        return np.asarray(self.weight * mean / self.margin**2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """One number that has to stay within a margin of its value under the baseline."""

    number: str
    places: tuple[int, ...]
    margin: float

    def penalty(self, rows: FloatArray, standing: FloatArray) -> FloatArray:
        """The penalty of rows: 0 within half the margin around `standing`, squared beyond it."""
        off = np.abs(rows - standing)[..., list(self.places)] / self.margin
        return np.asarray(KEEP_WEIGHT * (np.maximum(off - 0.5, 0) ** 2).sum(axis=-1))


@dataclass(frozen=True, slots=True)
class Goals:
    """All goals of a search, and the numbers that have to stay."""

    targets: tuple[Goal, ...]
    keeps: tuple[Keep, ...]

    def imbalance(self, rows: FloatArray) -> FloatArray:
        """The sum of squared distances from the goals, in margins: (..., columns) to (...)."""
        return np.asarray(sum(goal.value(rows) for goal in self.targets))

    def noise(self, variances: FloatArray) -> FloatArray:
        """The mean rise of `imbalance` by noise with these variances."""
        return np.asarray(sum(goal.noise(variances) for goal in self.targets))

    def penalty(self, rows: FloatArray, standing: FloatArray) -> FloatArray:
        """The penalty of rows whose kept numbers move away from their values in `standing`."""
        penalties = [keep.penalty(rows, standing) for keep in self.keeps]
        return np.asarray(sum(penalties, start=np.zeros(rows.shape[:-1])))

    def measured(self, numbers: Estimates) -> Estimates:
        """The imbalance of measured numbers; `value` includes the noise, and `center` does not."""
        return numbers.reduced(lambda rows: self.imbalance(rows)[..., None])


def root(square: float) -> float:
    """The root of a square without the bias by noise; 0 if chance made the square negative."""
    return float(np.sqrt(max(square, 0.0)))


def stacked(parts: Sequence[Estimates]) -> Estimates:
    """Join tables. Rows of few games get intervals too: the search weighs rows by their errors."""
    table = together(parts)
    return replace(table, events=np.full(len(table), MIN_EVENTS))
