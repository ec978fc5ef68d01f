"""Solo games: how often each strategy beats Bruno, and the prestige of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.simulator.game.records import SIXTIETHS

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
            for array in ("won", "games", "prestige")
        }
        sizes, games = (np.asarray(sums["games"].sum(axis=axis)) for axis in (1, 0))
        return estimand.measure(statistic, sums, population, tuple(lines), sizes=sizes, games=games)

    return measured


def _margin(blocks: BlockSums) -> FloatArray:
    """The player's mean prestige per game less Bruno's."""
    player, bruno = np.moveaxis(blocks["prestige"], -1, 0)
    return ratio(player - bruno, blocks["games"])


SOLO_WIN_RATE = Estimand(
    name="solo_win_rate",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=margins.STRATEGY.size,
    family="solo",
    measured=_of_difficulty(lambda blocks: ratio(blocks["won"], SIXTIETHS * blocks["games"])),
    source=_difficulty,
)
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
    measured=_of_difficulty(lambda blocks: ratio(blocks["prestige"][..., 0], blocks["games"])),
    source=_difficulty,
)
