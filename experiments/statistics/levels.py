"""Verdicts over levels of skill: does what a number says hold for whoever plays?

A number is estimated at tables of players of several levels, from the weakest to the strongest. A
statement that is to hold for all of them is tested at each: it is accepted where every single test
accepts it, which needs no adjustment for the number of levels (intersection-union test: Berger
1982, Technometrics 24: 295-300). Effects are compared on a scale on which one effect is one number
at every level, such as log-odds of winning.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import CONFIDENCE, FloatArray, t_quantile

HOLDS = "holds"
GROWS = "grows with skill"
FADES = "fades with skill"
STRONG_ONLY = "only among strong players"
WEAK_ONLY = "only among weak players"
FLIPS = "flips"
OPEN = "not settled"


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Effects of several names at several levels of skill, all on one scale.

    Attributes:
        value: shape (levels, names), the weakest level first; 0 is no effect.
        error: their standard errors, the same shape. Errors of different levels count as
            independent; where levels share deals that errs on the careful side.
        degrees: of freedom of the t distribution.
        margin: up to which size an effect counts as none, on the same scale.
        tests: how often the same is tested (Bonferroni).
    """

    value: FloatArray
    error: FloatArray
    degrees: int
    margin: float
    tests: float = 1

    def reach(self, error: FloatArray, tests: int) -> FloatArray:
        """Half of the intervals that hold together over all names and so many tests of each."""
        names = self.value.shape[1] * self.tests
        return error * t_quantile(1 - (1 - CONFIDENCE) / 2 / (names * tests), self.degrees)

    def sides(self, tests: int = 1) -> FloatArray:
        """On which side of 0 the whole interval lies: -1, 1, or 0 for neither."""
        reach = self.reach(self.error, tests)
        return np.sign(self.value) * (np.abs(self.value) > reach)

    def change(self, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """By how much the effect differs between two levels, and half of its intervals.

        Of the two strongest levels (-2, -1) it is what still better play may move.
        """
        error = np.hypot(self.error[first], self.error[last])
        return self.value[last] - self.value[first], self.reach(error, 1)

    def turns_back(self) -> npt.NDArray[np.bool_]:
        """Where a step from a level to the next surely goes against the change from end to end."""
        step = np.diff(self.value, axis=0) * np.sign(self.value[-1] - self.value[0])
        error = np.hypot(self.error[1:], self.error[:-1])
        found = step < -error * t_quantile(1 - (1 - CONFIDENCE) / 2 / self.tests, self.degrees)
        return np.asarray(found.any(axis=0))

    def verdicts(self) -> tuple[str, ...]:
        """A word for each name.

        FLIPS: surely above 0 at one level and below at another. HOLDS: surely on one side at every
        level. GROWS, FADES: surely there among the strongest (the weakest), there surely more than
        at the other end, and on no step between surely less; STRONG_ONLY, WEAK_ONLY: that, and at
        the other end surely within the margin. A wrong word for any name of a table comes at most
        once in twenty tables.
        """
        levels = len(self.value)
        careful = self.sides(levels)
        flips = (careful.max(axis=0) > 0) & (careful.min(axis=0) < 0)
        sides = self.sides()
        everywhere = np.abs(sides.sum(axis=0)) == levels
        difference, reach = self.change(0, -1)
        moved = np.sign(difference) * (np.abs(difference) > reach) * ~self.turns_back()
        grows = (sides[-1] != 0) & (moved == sides[-1])
        fades = (sides[0] != 0) & (moved == -sides[0])
        none = np.abs(self.value) + self.reach(self.error, 1) <= self.margin
        found = np.full(self.value.shape[1], OPEN, dtype=object)
        found[everywhere] = HOLDS
        found[fades] = FADES
        found[grows] = GROWS
        found[fades & none[-1]] = WEAK_ONLY
        found[grows & none[0]] = STRONG_ONLY
        found[flips] = FLIPS
        return tuple(found)
