"""Solo games: how often each strategy beats Bruno."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import ratio
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.simulator.game.records import SIXTIETHS

Lines = Mapping[str, Sums]
"""The sums of each strategy at one difficulty."""


def _difficulty(evidence: Evidence, situation: Situation) -> Lines | None:
    solo = situation.population == SOLO_POPULATION
    return evidence.solo_sums_of(situation.mode) if solo else None


def _win_rates(estimand: Estimand, lines: Lines, population: str) -> Estimates:
    """One number per strategy at one difficulty, over blocks of shared deals."""
    sums = {
        array: np.stack([line.arrays[array] for line in lines.values()], axis=1)
        for array in ("won", "games")
    }
    sizes, games = (np.asarray(sums["games"].sum(axis=axis)) for axis in (1, 0))
    return estimand.measure(
        lambda blocks: ratio(blocks["won"], SIXTIETHS * blocks["games"]),
        sums,
        population,
        tuple(lines),
        sizes=sizes,
        games=games,
    )


SOLO_WIN_RATE = Estimand(
    name="solo_win_rate",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=margins.STRATEGY,
    family="solo",
    measured=_win_rates,
    source=_difficulty,
)
