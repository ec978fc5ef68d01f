"""A screening design: every value at two levels, all of them in every rule set that is played.

The levels of a design with as many rule sets as the next power of two above the values are the
columns of Hadamard's matrix, and its mirror image follows (Plackett & Burman 1946, "The design of
optimum multifactorial experiments", Biometrika 33: 305-325; Box & Wilson 1951 for the foldover), so
that every game tells of every value, and products of two values do not disturb what each does. All
rule sets play common deals: what is estimated are differences, in which luck they share cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import hadamard

from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.statistics.jackknife import FloatArray, IntArray, Jackknife

PART = 4
"""A value goes a quarter of the way to the farther end of its range, a step at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Screening:
    """A screening design.

    Attributes:
        points: the rule sets.
        reach: of each factor, by how many steps it is moved up and down.
    """

    space: Space
    points: tuple[Point, ...]
    reach: tuple[int, ...]

    @property
    def terms(self) -> FloatArray:
        """1 and the factors in units of their reach, shape (points, 1 + factors)."""
        moved = (np.asarray(self.points) - np.asarray(self.space.start)) / np.asarray(self.reach)
        return np.hstack([np.ones((len(self.points), 1)), moved])

    def effects(self, numbers: Sequence[Jackknife]) -> tuple[Jackknife, list[Jackknife]]:
        """What stands in the middle, and what moving each factor up by its reach adds.

        Least squares over the rule sets, which is linear in what each measured, so that blocks of
        deals are carried through.

        Args:
            numbers: what was measured of each point, over the same blocks of deals.
        """
        weights = np.linalg.pinv(self.terms)
        values = np.stack([each.value for each in numbers])
        pseudo = np.stack([each.pseudo for each in numbers])
        leverage = numbers[0].leverage
        found = [
            Jackknife(np.asarray(row @ values), np.einsum("p,pbn->bn", row, pseudo), leverage)
            for row in weights
        ]
        return found[0], found[1:]


def screening(space: Space) -> Screening:
    """The screening design of a space.

    A rule set that is none gives up those moves that keep it from being one; which of several do,
    differs from rule set to rule set.
    """
    reach = []
    for factor in space.factors:
        far = max(factor.start, len(factor.levels) - 1 - factor.start)
        near = min(factor.start, len(factor.levels) - 1 - factor.start)
        reach.append(max(1, min(far // PART, near or far)))
    size = 2
    while size <= len(space.factors):
        size *= 2
    signs = hadamard(size)[:, 1 : len(space.factors) + 1]
    rng = np.random.default_rng(0)
    points = []
    for row in np.concatenate([signs, -signs]):
        wanted = [
            min(max(f.start + int(sign) * step, 0), len(f.levels) - 1)
            for f, sign, step in zip(space.factors, row, reach, strict=True)
        ]
        points.append(_as_far_as_rules_allow(space, wanted, rng.permutation(len(wanted))))
    return Screening(space, tuple(points), tuple(reach))


def _as_far_as_rules_allow(space: Space, wanted: Sequence[int], order: IntArray) -> Point:
    """The point at which values, in an order, have gone where they are wanted if they may."""

    def moved(places: Sequence[int]) -> Point:
        return tuple(
            w if n in places else f.start
            for n, (f, w) in enumerate(zip(space.factors, wanted, strict=True))
        )

    taken: list[int] = []
    left = [int(place) for place in order]
    while left:
        # As many at once as are allowed; the next one is not.
        low, high = 0, len(left)
        while low < high:
            middle = (low + high + 1) // 2
            if space.rules(moved(taken + left[:middle])) is None:
                high = middle - 1
            else:
                low = middle
        taken, left = taken + left[:low], left[low + 1 :]
    return moved(taken)
