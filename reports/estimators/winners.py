"""The sources of the prestige of winners and of losers.

A player with half a win counts half as a winner and half as a loser. The differences show
association, not cause: a player who is ahead may play differently because of it.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ethnos_sim.experiments.evidence.game_numbers import PRESTIGE_SOURCES
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, join_tables, ratio
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.simulator.game.records import SIXTIETHS

TOTAL_SOURCE = "total"
OUTCOMES = ("winners", "losers")


def _mean_prestige(blocks: BlockSums, players: int, outcome: str) -> FloatArray:
    """The mean prestige of a winner or of a loser: from each source, then from all together."""
    prestige, seats = blocks["source_won"], SIXTIETHS * blocks["games"][..., None]
    if outcome == "losers":
        prestige, seats = SIXTIETHS * blocks["source"] - prestige, seats * (players - 1)
    by_source = ratio(prestige, seats)
    return np.concatenate([by_source, by_source.sum(axis=-1, keepdims=True)], axis=-1)


def _estimate_prestige(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The mean prestige of a winner and of a loser by source; the aspect is the outcome."""
    return join_tables(
        estimand.jackknife(
            partial(_mean_prestige, players=sums.players, outcome=outcome),
            sums.arrays,
            population,
            (*PRESTIGE_SOURCES, TOTAL_SOURCE),
            aspect=outcome,
        )
        for outcome in OUTCOMES
    )


PRESTIGE_SOURCE = Estimand(name="prestige_source", unit="prestige", estimator=_estimate_prestige)
