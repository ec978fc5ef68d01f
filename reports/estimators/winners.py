"""The sources of the prestige of winners and of losers.

Every player is weighted by the share of the win among the winners and by the rest among the losers:
a player with half a win counts half in each group. The differences show association, not cause: a
player who is ahead may play differently because of it.
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

TOTAL = "total"
SIDES = ("winners", "losers")


def _means(blocks: BlockSums, players: int, side: str) -> FloatArray:
    """Mean prestige of a winner or of a loser by source, then of all sources together."""
    prestige, seats = blocks["source_won"], SIXTIETHS * blocks["games"][..., None]
    if side == "losers":
        prestige, seats = SIXTIETHS * blocks["source"] - prestige, seats * (players - 1)
    by_source = ratio(prestige, seats)
    return np.concatenate([by_source, by_source.sum(axis=-1, keepdims=True)], axis=-1)


def _prestige(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """Mean prestige of a winner and of a loser by source."""
    return join_tables(
        estimand.measure(
            partial(_means, players=sums.players, side=side),
            sums.arrays,
            population,
            (*PRESTIGE_SOURCES, TOTAL),
            aspect=side,
        )
        for side in SIDES
    )


PRESTIGE_SOURCE = Estimand(name="prestige_source", unit="prestige", measured=_prestige)
