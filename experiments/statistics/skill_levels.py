"""Verdicts over levels of skill: does an effect hold for players of any skill?

A number is estimated at several levels of skill, from the weakest players to the strongest. A
statement about all levels is tested at each level, and accepted where every test accepts it. This
needs no adjustment for the number of levels (intersection-union test: Berger 1982, Technometrics
24: 295-300). Effects are compared on a scale on which an equal effect is an equal number at every
level, such as log-odds of winning.
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
        error: standard errors of the values, the same shape. Errors of different levels count as
            independent, which is conservative where levels share deals.
        degrees: degrees of freedom of the t distribution.
        margin: an effect up to this size counts as none, on the same scale.
        tests: how often the same effects are tested (Bonferroni).
    """

    value: FloatArray
    error: FloatArray
    degrees: int
    margin: float
    tests: float = 1

    def reach(self, error: FloatArray, tests: int) -> FloatArray:
        """Half-widths of intervals that hold jointly over all names, with `tests` tests of each."""
        names = self.value.shape[1] * self.tests
        return error * t_quantile(1 - (1 - CONFIDENCE) / 2 / (names * tests), self.degrees)

    def sides(self, tests: int = 1) -> FloatArray:
        """-1 or 1 where the whole interval lies below or above 0, else 0."""
        reach = self.reach(self.error, tests)
        return np.sign(self.value) * (np.abs(self.value) > reach)

    def change(self, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """The change of each effect between two levels, and the half-width of its interval.

        Between the two strongest levels (-2, -1) it shows what still better play may change.
        """
        error = np.hypot(self.error[first], self.error[last])
        return self.value[last] - self.value[first], self.reach(error, 1)

    def turns_back(self) -> npt.NDArray[np.bool_]:
        """Which effects significantly go against their whole change from one level to the next."""
        step = np.diff(self.value, axis=0) * np.sign(self.value[-1] - self.value[0])
        error = np.hypot(self.error[1:], self.error[:-1])
        backward = step < -error * t_quantile(1 - (1 - CONFIDENCE) / 2 / self.tests, self.degrees)
        return np.asarray(backward.any(axis=0))

    def verdicts(self) -> tuple[str, ...]:
        """One verdict for each name.

        - FLIPS: significantly above 0 at one level and significantly below 0 at another.
        - HOLDS: significantly on the same side of 0 at every level.
        - GROWS: significant at the strongest level and significantly larger there than at the
          weakest, while no single step goes significantly the other way. FADES: the same with the
          strongest and the weakest level exchanged.
        - STRONG_ONLY, WEAK_ONLY: GROWS or FADES, while the interval is within the margin at the
          other end.

        At most one table in twenty has a wrong verdict for any of its names.
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
        verdicts = np.full(self.value.shape[1], OPEN, dtype=object)
        verdicts[everywhere] = HOLDS
        verdicts[fades] = FADES
        verdicts[grows] = GROWS
        verdicts[fades & none[-1]] = WEAK_ONLY
        verdicts[grows & none[0]] = STRONG_ONLY
        verdicts[flips] = FLIPS
        return tuple(verdicts)
