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

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.statistics.jackknife import BlockSums, FloatArray, ratio
from ethnos_sim.experiments.statistics.measure import Measure, measure
from ethnos_sim.reports.one_seat import FORCED, RESTRICTED, OneSeatSums
from ethnos_sim.simulator.records import SIXTIETHS

DEFINITIONS = {RESTRICTED: "restricted_play", FORCED: "forced_play"}
"""The estimand of each kind of one-seat line-up."""


RELATIVE = "relative_power"
"""The estimand of restricted play against the average clan."""


def measure_one_seat(sums: OneSeatSums, kind: str, population: str) -> Measure:
    """Restricted or forced play of every clan; not a number for clans that were not asked about."""
    return measure_mean_one_seat([sums], kind, population)


def measure_mean_one_seat(parts: Sequence[OneSeatSums], kind: str, population: str) -> Measure:
    """The same averaged over player counts that weigh the same each."""
    return _measured(parts, kind, DEFINITIONS[kind], population)


def measure_relative_power(parts: Sequence[OneSeatSums], population: str) -> Measure:
    """Restricted play of every clan less its mean over the clans; over player counts as above."""
    return _measured(parts, RESTRICTED, RELATIVE, population)


def _measured(parts: Sequence[OneSeatSums], kind: str, definition: str, population: str) -> Measure:
    """What the one seat won more or less than a fair share, or than with the average clan."""
    side = -1 if kind == RESTRICTED else 1
    arrays = {
        name: np.stack([part.arrays[name] for part in parts], axis=1) for name in ("games", "won")
    }
    players = np.asarray([part.players for part in parts], dtype=np.float64)[:, None]
    asked = arrays["games"].any(axis=(0, 1))

    def statistic(blocks: BlockSums) -> FloatArray:
        share = ratio(blocks["won"], SIXTIETHS * blocks["games"])
        power = np.asarray(side * (share - 1 / players).mean(axis=-2))
        if definition == RELATIVE:
            power = power - power[..., asked].mean(axis=-1, keepdims=True)
        return power

    games = np.asarray(arrays["games"].sum(axis=0))
    # Counted are the wins of a fair share: a seat that hardly ever wins is no reason for doubt.
    fair = np.asarray(games // players.astype(np.int64))
    return measure(
        statistic,
        arrays,
        arrays["games"].sum(axis=(1, 2)),
        definition=definition,
        unit="share_difference",
        names=parts[0].clans,
        population=population,
        games=games.sum(axis=0),
        events=fair.sum(axis=0),
    )
