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

StrategySums = Mapping[str, Sums]
"""The sums of a solo mode by strategy."""


def _solo_sums(evidence: Evidence, situation: Situation) -> StrategySums | None:
    """The sums of a situation's solo mode; None if its population is not SOLO_POPULATION."""
    solo = situation.population == SOLO_POPULATION
    return evidence.solo_sums_of(situation.mode) if solo else None


def _estimate_win_rates(estimand: Estimand, strategies: StrategySums, population: str) -> Estimates:
    """The win rate of each strategy in a solo mode; all strategies play the same deals."""
    blocks = {
        array: np.stack([sums.arrays[array] for sums in strategies.values()], axis=1)
        for array in ("won", "games")
    }
    sizes, games = (np.asarray(blocks["games"].sum(axis=axis)) for axis in (1, 0))
    return estimand.jackknife(
        lambda blocks: ratio(blocks["won"], SIXTIETHS * blocks["games"]),
        blocks,
        population,
        tuple(strategies),
        sizes=sizes,
        games=games,
    )


SOLO_WIN_RATE = Estimand(
    name="solo_win_rate",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=margins.STRATEGY,
    family="solo",
    estimator=_estimate_win_rates,
    select_data=_solo_sums,
)
