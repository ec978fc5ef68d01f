"""Clan power by intervention: what a seat loses if it may not lead a clan, or gains by leading it.

Restricted play: one seat may not lead the clan, the others may, on the same deals, the seat
rotated; power = 1/n − its winning chance (after Jaffe et al. 2012, "Evaluating competitive game
balance with restricted play", AIIDE). Forced play: one seat leads the clan whenever it can; its
winning chance − 1/n. Where different strategies meet, each of them is hindered in turn, so that
without the clan's power the mean over them is 1/n exactly.

A seat that may not lead one clan of six loses something whichever clan it is, so every clan has
power; which clans are strong shows against the average clan: `relative_power`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ethnos_sim.reports.estimators.measure import Measure, measure
from ethnos_sim.reports.intervals import BlockSums, FloatArray, ratio
from ethnos_sim.reports.one_seat import FORCED, RESTRICTED, OneSeatSums
from ethnos_sim.simulator.records import SIXTIETHS

DEFINITIONS = {RESTRICTED: "restricted_play", FORCED: "forced_play"}
"""The estimand of each kind of one-seat line-up."""


RELATIVE = "relative_power"
"""The estimand of restricted play against the average clan."""


def measure_one_seat(sums: OneSeatSums, kind: str, population: str) -> Measure:
    """Restricted or forced play of every clan; not a number for clans that were not asked about."""
    side = -1 if kind == RESTRICTED else 1

    def statistic(blocks: BlockSums) -> FloatArray:
        share = ratio(blocks["won"], SIXTIETHS * blocks["games"])
        return side * (share - 1 / sums.players)

    return _measured(sums, statistic, DEFINITIONS[kind], population)


def measure_relative_power(sums: OneSeatSums, population: str) -> Measure:
    """Restricted play of every clan less its mean over the clans that were asked about."""
    asked = sums.arrays["games"].any(axis=0)

    def statistic(blocks: BlockSums) -> FloatArray:
        loss = -ratio(blocks["won"], SIXTIETHS * blocks["games"])
        return loss - loss[..., asked].mean(axis=-1, keepdims=True)

    return _measured(sums, statistic, RELATIVE, population)


def _measured(
    sums: OneSeatSums,
    statistic: Callable[[BlockSums], FloatArray],
    definition: str,
    population: str,
) -> Measure:
    """A statistic of what the one seat won, jackknifed over blocks of deals."""
    games = np.asarray(sums.arrays["games"].sum(axis=0))
    won = np.asarray(sums.arrays["won"].sum(axis=0)) // SIXTIETHS
    return measure(
        statistic,
        sums.arrays,
        sums.sizes,
        definition=definition,
        unit="share_difference",
        names=sums.clans,
        population=population,
        games=games,
        events=np.minimum(won, games - won),
    )
