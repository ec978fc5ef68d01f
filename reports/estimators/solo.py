"""Solo games: wins against Bruno, differences between strategies, and how both sides play.

All strategies at one difficulty play the same deals, so they are compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.experiments.evidence.game_numbers import SIDES, SOURCES
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio, together
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.winners import TOTAL, with_total
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules.editions import edition_rules
from ethnos_sim.simulator.tables.modes import SOLO_CLANS, SOLO_EDITION

Lines = Mapping[str, Sums]
"""The sums of each strategy at one difficulty."""


def _difficulty(evidence: Evidence, situation: Situation) -> Lines | None:
    return evidence.solo_of(situation.mode) if situation.population == SOLO_POPULATION else None


def _of_difficulty(
    statistic: Callable[[BlockSums], FloatArray],
) -> Callable[[Estimand, Lines, str], Estimates]:
    """One number per strategy at one difficulty, over blocks of shared deals."""

    def measured(estimand: Estimand, lines: Lines, population: str) -> Estimates:
        sums = {
            array: np.stack([line.arrays[array] for line in lines.values()], axis=1)
            for array in ("won", "games", "source")
        }
        sizes, games = (np.asarray(sums["games"].sum(axis=axis)) for axis in (1, 0))
        return estimand.measure(statistic, sums, population, tuple(lines), sizes=sizes, games=games)

    return measured


def _margin(blocks: BlockSums) -> FloatArray:
    """The player's mean total per game less Bruno's."""
    totals = blocks["source"].sum(axis=-1)
    return ratio(totals[..., 0] - totals[..., 1], blocks["games"])


def _gains(estimand: Estimand, lines: Lines, population: str) -> Estimates:
    """The win rate of `name` less the win rate of `aspect`, for every pair of strategies."""
    gains = SOLO_WIN_RATE.of(lines, population).pairwise().in_unit(estimand.unit)
    names, others = gains["first"], gains["second"]
    return gains.labelled(estimand=estimand.name, name=names, aspect=others)


def _of_sides(
    statistic: Callable[[BlockSums, int], FloatArray],
    names: Sequence[str],
    sides: Sequence[str] = SIDES,
) -> Callable[[Estimand, Lines, str], Estimates]:
    """A statistic of each side; every strategy is a population of its own."""

    def of_side(estimand: Estimand, sums: Sums, strategy: str, side: str) -> Estimates:
        place = SIDES.index(side)
        return estimand.measure(
            lambda blocks: statistic(blocks, place), sums.arrays, strategy, names, aspect=side
        )

    return lambda estimand, lines, _: together(
        of_side(estimand, sums, strategy, side)
        for strategy, sums in lines.items()
        for side in sides
    )


def _means(array: str) -> Callable[[BlockSums, int], FloatArray]:
    """The means per game of a side's array, followed by their sum."""
    return lambda blocks, place: with_total(
        ratio(blocks[array][..., place, :], blocks["games"][..., None])
    )


def _leaders(blocks: BlockSums, place: int) -> FloatArray:
    """Each clan's share of the parties that a side leads."""
    return ratio(blocks["led"][..., place, :], blocks["parties"][..., place, None])


SOLO_WIN_RATE = Estimand(
    name="solo_win_rate",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=margins.STRATEGY.size,
    family="solo",
    measured=_of_difficulty(lambda blocks: ratio(blocks["won"], SIXTIETHS * blocks["games"])),
    source=_difficulty,
)
SOLO_GAIN = Estimand(name="solo_gain", unit="share_difference", measured=_gains, source=_difficulty)
SOLO_MARGIN = Estimand(
    name="solo_margin",
    unit="prestige_difference",
    label="{name}: margin over Bruno",
    margin=margins.BRUNO.size,
    family="solo",
    measured=_of_difficulty(_margin),
    source=_difficulty,
)
SOLO_PRESTIGE = Estimand(
    name="solo_prestige",
    unit="prestige",
    label="{name}: prestige against Bruno",
    margin=margins.PRESTIGE.size,
    family="solo",
    measured=_of_difficulty(
        lambda blocks: ratio(blocks["source"].sum(axis=-1)[..., 0], blocks["games"])
    ),
    source=_difficulty,
)
SOLO_SOURCE = Estimand(
    name="solo_source",
    unit="prestige",
    measured=_of_sides(_means("source"), (*SOURCES, TOTAL)),
    source=_difficulty,
)
SOLO_COLUMNS = Estimand(
    name="solo_columns",
    unit="count",
    measured=_of_sides(_means("columns"), (*edition_rules(SOLO_EDITION).colors, TOTAL), ("bruno",)),
    source=_difficulty,
)
SOLO_LEADERS = Estimand(
    name="solo_leaders",
    unit="share",
    measured=_of_sides(_leaders, SOLO_CLANS),
    source=_difficulty,
)
