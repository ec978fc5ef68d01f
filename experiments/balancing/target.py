"""The target of a search, as a function of the numbers that are measured at a rule set.

Imbalance is a squared distance in units of the number's margin: 1 is one margin off. The search
uses the square: it is a smooth function of the sums behind it, so the bias by noise can be removed
exactly. Readers are shown square roots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a search brings the measured numbers near to.

    Attributes:
        spread: whether the numbers should be equal; otherwise each of them should reach the goal.
        goal: the value to reach.
        margin: the distance that counts as 1.
    """

    spread: bool = False
    goal: float = 0.0
    margin: float

    def imbalance(self, rows: FloatArray) -> FloatArray:
        """The squared distance of rows from the target: (..., numbers) to (...)."""
        if self.spread:
            square = rows.var(axis=-1, ddof=1)
        else:
            square = ((rows - self.goal) ** 2).mean(axis=-1)
        return np.asarray(square / self.margin**2)

    def noise(self, variances: FloatArray) -> FloatArray:
        """The mean rise of `imbalance` by noise with these variances."""
        return np.asarray(variances.mean(axis=-1) / self.margin**2)

    def measured(self, numbers: Estimates) -> Estimates:
        """The imbalance of measured numbers; `value` includes the noise, and `center` does not."""
        return numbers.reduce_rows(lambda rows: self.imbalance(rows)[..., None])


def root(square: float) -> float:
    """The root of a square without the bias by noise; 0 if chance made the square negative."""
    return float(np.sqrt(max(square, 0.0)))
