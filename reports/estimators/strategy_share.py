"""How strong the strategies are that the other numbers rest on: win share in their line-up.

A strategy that fills several seats of a line-up is one entry, and its share is a seat's average;
1 / players is par. Seats are rotated, so no strategy gains by where it sits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.reports.estimators.measure import Measure, measure
from ethnos_sim.reports.intervals import BlockSums, FloatArray, ratio
from ethnos_sim.reports.sufficient import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def measure_strategy_share(sums: Sums, strategies: Sequence[str], population: str) -> Measure:
    """P(win) of a seat held by each strategy of one line-up.

    Args:
        sums: the games of this line-up alone.
        strategies: the strategy of each place in the line-up, `sums.players` of them.
        population: the line-up, as a reader may name it.
    """
    names = tuple(dict.fromkeys(strategies))
    members = np.asarray([[name == entry for name in names] for entry in strategies], np.int64)

    def statistic(blocks: BlockSums) -> FloatArray:
        seats = SIXTIETHS * blocks["games"][..., None] * members.sum(axis=0)
        return ratio(blocks["entry_won"] @ members, seats)

    return measure(
        statistic,
        sums.arrays,
        sums.sizes,
        definition="strategy_share",
        unit="share",
        names=names,
        population=population,
        games=sums.games,
    )
