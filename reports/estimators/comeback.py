"""Comeback chance by deficit: how often a seat that is so far behind after an age still wins.

A seat with a deficit of 0 leads, alone or with others. Each seat counts; a shared win counts in
parts. The classes of deficit are those of `game_numbers.DEFICITS`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.estimators.game_shape import early_ages
from ethnos_sim.reports.evidence.game_numbers import DEFICIT_LABELS
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def measure_comeback(sums: Sums, age: int, population: str) -> Estimates:
    """P(win) of a seat by class of deficit after an age (from 1) that is not the game's last."""
    behind, won = (sums.arrays[name][:, age - 1].sum(axis=0) for name in ("behind", "behind_won"))
    wins = won // SIXTIETHS

    def statistic(blocks: BlockSums) -> FloatArray:
        return ratio(
            blocks["behind_won"][..., age - 1, :], SIXTIETHS * blocks["behind"][..., age - 1, :]
        )

    return COMEBACK.measure(
        statistic,
        sums.arrays,
        sums.sizes,
        names=DEFICIT_LABELS,
        population=population,
        games=sums.games,
        events=np.minimum(wins, behind - wins),
        aspect=f"after_age_{age}",
    )


def _after_early_ages(sums: Sums, population: str) -> Iterator[Estimates]:
    """By deficit after each age that is not the last."""
    for age in range(1, early_ages(sums.arrays) + 1):
        yield measure_comeback(sums, age, population)


COMEBACK = Estimand(
    name="comeback",
    title="Comeback chance by deficit",
    meaning=(
        "Winning chance of a seat that is so many points behind the leader after an age that is "
        "not the last; a deficit of 0 is the leader's."
    ),
    formula="sum of w over the seats so far behind / those seats",
    unit="share",
    found=of_ordinary_games(_after_early_ages),
)
