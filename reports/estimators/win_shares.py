"""Shares of wins over the seats of a game, with intervals that hold for all seats at once.

The shares of one table add up to 1, so their intervals are simultaneous. Where every deal was
played once and in one cell only, games are independent and Goodman's multinomial intervals apply.
Where a deal was replayed with rotated seats or under other clan sets, its games share their luck:
then the spread between blocks of deals is used, with Bonferroni over the seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.intervals import goodman
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def win_share(sums: BlockSums, places: str) -> FloatArray:
    """Wins by place / games; `places` names an array by seat such as "turn_won"."""
    return ratio(sums[places], SIXTIETHS * sums["games"][..., None])


def measure_win_share(
    estimand: Estimand, sums: Sums, places: str, names: Sequence[str], population: str
) -> Estimates:
    """P(win) by place less 1 / players."""
    return estimand.measure(
        lambda blocks: win_share(blocks, places) - 1 / sums.players,
        sums.arrays,
        sums.sizes,
        names=names,
        population=population,
        games=sums.games,
    )


def simultaneous_estimates(
    sums: Sums, places: str, measured: Estimates, *, independent: bool
) -> tuple[Estimate, ...]:
    """Estimates whose intervals cover together, by Goodman where games are independent."""
    estimates = measured.estimates(comparisons=sums.players)
    if not independent or sums.games < MIN_EVENTS:
        return estimates
    wins = sums.arrays[places].sum(axis=0) / SIXTIETHS
    fair = 1 / sums.players
    low, high = goodman(np.asarray(wins, dtype=np.float64), sums.games)
    return tuple(
        replace(
            estimate,
            low=float(low[i]) - fair,
            high=float(high[i]) - fair,
            standard_error=None,
            blocks=0,
        )
        for i, estimate in enumerate(estimates)
    )
