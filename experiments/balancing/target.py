"""The target of a search, and the imbalance of numbers: their squared distance from the target.

Imbalance 1 is a distance of one margin. The search uses the square because it is a smooth function
of the sums, so the bias by noise can be removed exactly. Readers see the root, a distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The target of the numbers that a search measures.

    Attributes:
        wants_equality: True if the numbers should be equal; False if each should reach the goal.
        goal: the value that each number should reach.
        margin: the margin of the numbers, which is the distance that counts as 1.
    """

    wants_equality: bool = False
    goal: float = 0.0
    margin: float

    def imbalance(self, numbers: FloatArray) -> FloatArray:
        """The imbalance of numbers: an array of shape (...) for one of shape (..., numbers)."""
        if self.wants_equality:
            square = numbers.var(axis=-1, ddof=1)
        else:
            square = ((numbers - self.goal) ** 2).mean(axis=-1)
        return np.asarray(square / self.margin**2)

    def imbalance_noise(self, variances: FloatArray) -> FloatArray:
        """The mean amount by which noise with these variances raises `imbalance`."""
        return np.asarray(variances.mean(axis=-1) / self.margin**2)

    def imbalance_estimate(self, numbers: Estimates) -> Estimates:
        """The imbalance of measured numbers; `bias_corrected` is without the bias by noise."""
        return numbers.reduce_rows(lambda rows: self.imbalance(rows)[..., None])


def root_or_zero(square: float) -> float:
    """The root of a bias-corrected square; 0 if the square is negative, as by chance."""
    return float(np.sqrt(max(square, 0.0)))
