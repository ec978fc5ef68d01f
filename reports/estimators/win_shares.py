"""Shares of wins over the seats of a game."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
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
