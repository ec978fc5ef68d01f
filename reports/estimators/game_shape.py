"""The shape of a game: how long it is, how many parties it sees, and how early it is decided."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ethnos_sim.reports.estimate import MIN_EVENTS, Estimate
from ethnos_sim.reports.estimators.measure import measure
from ethnos_sim.reports.intervals import BlockSums, FloatArray, ratio, wilson
from ethnos_sim.reports.sufficient import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def estimate_shape(
    sums: Sums, ages: int, population: str, *, independent: bool
) -> tuple[Estimate, ...]:
    """Turns a game, parties a seat, cards a party, shared wins, and wins of early leaders."""
    seats = sums.players

    def counts(blocks: BlockSums) -> FloatArray:
        return np.stack(
            [
                ratio(blocks["turns"], blocks["games"]),
                ratio(blocks["parties"], seats * blocks["games"]),
                ratio(blocks["cards"], blocks["parties"]),
            ],
            axis=-1,
        )

    def shares(blocks: BlockSums) -> FloatArray:
        shared = ratio(blocks["shared"], blocks["games"])[..., None]
        leaders = ratio(blocks["leaders_won"], SIXTIETHS * blocks["leaders"])
        return np.concatenate([shared, leaders[..., : ages - 1]], axis=-1)

    leaders = sums.arrays["leaders"].sum(axis=0)[: ages - 1]
    share_events = np.asarray([sums.arrays["shared"].sum(), *leaders])
    share_names = ("shared_wins", *(f"leader_after_age_{age}" for age in range(1, ages)))
    parts = (
        (counts, "count", ("turns", "parties", "cards_in_party"), np.full(3, sums.games)),
        (shares, "share", share_names, share_events),
    )
    shape = tuple(
        estimate
        for statistic, unit, names, events in parts
        for estimate in measure(
            statistic,
            sums.arrays,
            sums.sizes,
            definition="game_shape",
            unit=unit,
            names=names,
            population=population,
            games=sums.games,
            events=events,
        ).estimates()
    )
    return tuple(
        _by_wilson(estimate, sums) if independent and estimate.name == "shared_wins" else estimate
        for estimate in shape
    )


def _by_wilson(estimate: Estimate, sums: Sums) -> Estimate:
    """One proportion of independent games, with Wilson's interval."""
    if sums.games < MIN_EVENTS:
        return estimate
    low, high = wilson(int(sums.arrays["shared"].sum()), sums.games)
    return replace(estimate, low=low, high=high, standard_error=None, blocks=0)
