"""A screening design: the baseline, and each value alone moved up and moved down.

All rule sets play common deals, of which one value alone changes little: what is estimated are
differences, in which shared luck cancels, and a value without any effect differs by nothing at all.
A two-level design that moves all values at once (Plackett & Burman 1946, Biometrika 33: 305-325)
would have every game tell of every value. With nearly a hundred of them it is no longer the game
that is asked about: products of three and more values, which such a design cannot tell from what
one does, were as large there as the effects themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ethnos_sim.experiments.balancing.space import Factor, Point, Space
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import weighted_sum

PART = 4
"""A value goes a quarter of the way to the farther end of its range, a step at least."""


@dataclass(frozen=True, slots=True)
class Moved:
    """One value moved alone.

    Attributes:
        factor: the value; steps: by how many.
        up, down: the rule sets; None where the rules allow none.
    """

    factor: Factor
    steps: int
    up: Point | None
    down: Point | None

    def effect(self, numbers: Mapping[Point, Estimates], start: Point) -> Estimates:
        """What the value adds that goes up by its steps: half of up less down, where both are.

        Args:
            numbers: what was measured of each point, over the same blocks of deals.
            start: the baseline.
        """
        high = numbers[self.up or start]
        low = numbers[self.down or start]
        part = 1.0 if self.up is None or self.down is None else 0.5
        return weighted_sum([(part, high), (-part, low)])


def screening(space: Space) -> list[Moved]:
    """The screening design of a space: every value that can move alone.

    A value goes fewer steps where the rules allow no more of them either way.
    """
    found = []
    for place, factor in enumerate(space.factors):
        far = max(factor.start, len(factor.levels) - 1 - factor.start)
        near = min(factor.start, len(factor.levels) - 1 - factor.start)
        for steps in range(max(1, min(far // PART, near or far)), 0, -1):
            up, down = (_moved(space, place, by) for by in (steps, -steps))
            if up or down:
                found.append(Moved(factor, steps, up, down))
                break
    return found


def _moved(space: Space, place: int, steps: int) -> Point | None:
    """The point at which one factor alone is moved; None where it is none."""
    level = space.start[place] + steps
    if not 0 <= level < len(space.factors[place].levels):
        return None
    point = (*space.start[:place], level, *space.start[place + 1 :])
    return point if space.rules(point) is not None else None
