"""When a sweep that aims for a precision looks at its estimates: decided before the first game.

Looks come at fixed numbers of rounds. At each look, all shards up to it are finished. The sweep
ends at the first look where every interval is narrow enough, or with the budget. A look uses
nothing but the widths, so that stopping favors no result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from ethnos_sim.experiments.designs.row_means import EACH_CELL, ROW_MEANS, RowMean, settings_in
from ethnos_sim.experiments.plans.cells import ByFolder, Cell, Partition
from ethnos_sim.experiments.specs.parts import Target
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.simulator.utilities.errors import WrongInput

#: The rounds of the first look, as a part of the expected rounds.
FIRST_LOOK = 0.25
#: Each later look comes after this many times the rounds of the look before it.
STEP = 1.25

_NORMAL_95 = 1.96


@dataclass(frozen=True)
class Schedule:
    """The precision that a sweep aims for, and the rounds of each partition at which it looks.

    `half_width` is half the width of a 95 % interval, in shares of a win or in points of prestige.
    `scope` is one of `row_means.SCOPES`.
    """

    estimate: str
    half_width: float
    scope: str
    looks: Mapping[ByFolder, tuple[int, ...]]

    @cached_property
    def first(self) -> dict[Partition, int]:
        """The rounds at which each partition's first look comes."""
        return {partition: looks[0] for partition, looks in self.looks.items()}

    def expected(self, cells_of: Mapping[Partition, Sequence[Cell]]) -> dict[Partition, int]:
        """The rounds of the first look by which the sweep has ended with a chance of one half.

        Every interval has to be narrow enough, and its width is random: the square of the width
        varies as a chi-square with BLOCKS - 1 degrees of freedom. Therefore several intervals take
        more games than one, although each has the planned width on average.
        """
        from scipy.special import chdtri, stdtrit

        freedom = BLOCKS - 1
        wider = (stdtrit(freedom, 0.975) / _NORMAL_95) ** 2 / freedom
        expected = {}
        for partition, looks in self.looks.items():
            mean = ROW_MEANS[self.estimate]
            groups = groups_of(mean, self.scope, partition, cells_of[partition])
            widest = chdtri(freedom, 1 - 0.5 ** (1 / max(1, len(groups))))
            rounds = looks[0] / FIRST_LOOK * widest * wider
            expected[partition] = next((look for look in looks if look >= rounds), looks[-1])
        return expected

    @cached_property
    def last(self) -> dict[Partition, int]:
        """The rounds that the budget allows."""
        return {partition: looks[-1] for partition, looks in self.looks.items()}

    def after(self, partition: Partition, rounds: int) -> int | None:
        """The rounds of the first look that comes after `rounds`; None where no look is left."""
        return next((look for look in self.looks[partition] if look > rounds), None)


RowKey = tuple[int, int]
"""A cell and an entry or seat of it (the mean's key), whose rows are averaged."""


def groups_of(
    mean: RowMean, scope: str, partition: Partition, cells: Sequence[Cell]
) -> dict[str, list[RowKey]]:
    """The groups of rows of a partition that are averaged, by name.

    Args:
        mean: one of ROW_MEANS.
        scope: ALL_CELLS or EACH_CELL.
        partition: the cells' partition.
        cells: the partition's cells.
    """
    groups: dict[str, list[RowKey]] = {}
    for cell in cells:
        table = ",".join(cell.line_up)
        for place, strategy in enumerate(cell.line_up):
            if mean.setting is not None:
                clan = settings_in(strategy).get(mean.setting)
                if clan not in cell.clans:
                    continue
            who = f"seat {place}" if mean.key == "seat" else strategy
            name = f"{who} in {table}, {partition.path.replace('/', ' ')}"
            if scope == EACH_CELL:
                name += f", cell {cell.number}"
            groups.setdefault(name, []).append((cell.number, place))
    return groups


def make_schedule(target: Target, cells_of: Mapping[Partition, Sequence[Cell]]) -> Schedule:
    """The looks for a target.

    At the expected rounds, the estimate with the fewest rows has the wanted half-width, if rows are
    independent and have the standard deviation `RowMean.spread`.

    Raises:
        WrongInput: no line-up has a row that the estimate is about, or the budget is too small
            for a look.
    """
    mean = ROW_MEANS[target.estimate]
    weights = {cell.number: cell.weight for cells in cells_of.values() for cell in cells}
    looks = {}
    anything = False
    for partition, cells_here in cells_of.items():
        most = target.budget // (sum(weights.values()) * partition.players)
        if most < BLOCKS:
            games = (cell.games_per_round for cells in cells_of.values() for cell in cells)
            least = BLOCKS * sum(games)
            raise WrongInput(
                f"a budget of {target.budget:,} games is too small: {BLOCKS} rounds of every cell "
                f"are {least:,} games"
            )
        groups = groups_of(mean, target.per, partition, cells_here)
        anything = anything or bool(groups)
        rows_a_round = partition.players * min(
            (sum(weights[cell] for cell, _ in rows) for rows in groups.values()), default=1
        )
        spread = mean.spread(partition.players) if groups else 0.0
        rows = (_NORMAL_95 * spread / target.half_width) ** 2
        looks[partition] = _looks(rows / rows_a_round, most)
    if not anything:
        raise WrongInput(
            f"the target '{mean.name}' needs a strategy with '{mean.setting}' set, in "
            "cells with that clan"
        )
    return Schedule(target.estimate, target.half_width, target.per, looks)


def _looks(expected: float, most: int) -> tuple[int, ...]:
    """Increasing rounds, from FIRST_LOOK times `expected` to `most`, the limit of the budget."""
    looks = [min(most, max(BLOCKS, ceil(FIRST_LOOK * expected)))]
    while looks[-1] < most and expected > 0:
        looks.append(min(most, max(looks[-1] + 1, ceil(looks[-1] * STEP))))
    return tuple(looks)
