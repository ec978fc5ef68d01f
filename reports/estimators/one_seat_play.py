"""Clan power by intervention: what a seat loses if it may not lead a clan, or gains by leading it.

Restricted play: one seat may not lead the clan, the others may, on the same deals, the seat
rotated; power = 1/n − its winning chance (after Jaffe et al. 2012, "Evaluating competitive game
balance with restricted play", AIIDE). Forced play: one seat leads the clan whenever it can; its
winning chance − 1/n. Where different strategies meet, each of them is hindered in turn, so that
without the clan's power the mean over them is 1/n exactly.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.reports.estimators.measure import Measure, measure
from ethnos_sim.reports.intervals import BlockSums, FloatArray, ratio
from ethnos_sim.reports.one_seat import FORCED, RESTRICTED, OneSeatSums
from ethnos_sim.simulator.records import SIXTIETHS

DEFINITIONS = {RESTRICTED: "restricted_play", FORCED: "forced_play"}
"""The estimand of each kind of one-seat line-up."""


def measure_one_seat(sums: OneSeatSums, kind: str, population: str) -> Measure:
    """Restricted or forced play of every clan; not a number for clans that were not asked about."""
    side = -1 if kind == RESTRICTED else 1

    def statistic(blocks: BlockSums) -> FloatArray:
        share = ratio(blocks["won"], SIXTIETHS * blocks["games"])
        return side * (share - 1 / sums.players)

    games = np.asarray(sums.arrays["games"].sum(axis=0))
    won = np.asarray(sums.arrays["won"].sum(axis=0)) // SIXTIETHS
    return measure(
        statistic,
        sums.arrays,
        sums.sizes,
        definition=DEFINITIONS[kind],
        unit="share_difference",
        names=sums.clans,
        population=population,
        games=games,
        events=np.minimum(won, games - won),
    )
