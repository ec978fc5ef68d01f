"""The shape of a game: length, scores, how close it is, how often the lead changes hands.

`leader_after_age_k`: the share of wins of the seats with the most prestige after age k.
`comeback`: the share of wins of the seats COMEBACK_FROM points or more behind the leader after the
last age but one. `prestige_spread`: the standard deviation of the scores of one game, from the mean
variance within games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.intervals import wilson
from ethnos_sim.experiments.statistics.jackknife import BlockSums, FloatArray, ratio
from ethnos_sim.experiments.statistics.measure import Measure, measure
from ethnos_sim.reports.game_numbers import DEFICITS, ages
from ethnos_sim.reports.sufficient import Sums
from ethnos_sim.simulator.records import SIXTIETHS

COMEBACK_CLASS = 2
COMEBACK_FROM = DEFICITS[COMEBACK_CLASS - 1]
"""How many points behind a seat has to be for a comeback, and the first class of such deficits."""


def measure_shape(sums: Sums, population: str) -> tuple[Measure, ...]:
    """Every number of the shape of a game: counts, points of prestige, and shares of wins."""
    return (
        _counts(sums, population),
        _points(sums, population),
        _shares(sums, population),
    )


def estimate_shape(sums: Sums, population: str, *, independent: bool) -> tuple[Estimate, ...]:
    """The same as estimates; shared wins of independent games with Wilson's interval."""
    return tuple(
        _by_wilson(estimate, sums) if independent and estimate.name == "shared_wins" else estimate
        for measured in measure_shape(sums, population)
        for estimate in measured.estimates()
    )


def mean_prestige(blocks: BlockSums, players: int) -> FloatArray:
    """Mean prestige of a seat."""
    return ratio(blocks["prestige"], players * blocks["games"])


def prestige_spread(blocks: BlockSums, players: int) -> FloatArray:
    """The standard deviation of the scores within a game, n - 1 in the denominator."""
    within = players * blocks["prestige_squared"] - blocks["totals_squared"]
    return np.sqrt(ratio(within, players * (players - 1) * blocks["games"]))


def comeback_counts(blocks: BlockSums, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Seats that were far behind after the last age but one, and what they won in sixtieths."""
    age = ages(players) - 2
    behind, won = (
        blocks[name][..., age, COMEBACK_CLASS:].sum(axis=-1) for name in ("behind", "behind_won")
    )
    return behind, won


def _counts(sums: Sums, population: str) -> Measure:
    """Numbers that are counted a game, a seat or a party."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return np.stack(
            [
                ratio(blocks["turns"], blocks["games"]),
                ratio(blocks["parties"], sums.players * blocks["games"]),
                ratio(blocks["cards"], blocks["parties"]),
                ratio(blocks["lead_changes"], blocks["games"]),
            ],
            axis=-1,
        )

    names = ("turns", "parties", "cards_in_party", "lead_changes")
    return _measured(sums, statistic, "count", names, sums.games, population)


def _points(sums: Sums, population: str) -> Measure:
    """Numbers in points of prestige."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return np.stack(
            [
                mean_prestige(blocks, sums.players),
                prestige_spread(blocks, sums.players),
                ratio(blocks["margin"], blocks["games"]),
            ],
            axis=-1,
        )

    names = ("mean_prestige", "prestige_spread", "margin")
    return _measured(sums, statistic, "prestige", names, sums.games, population)


def _shares(sums: Sums, population: str) -> Measure:
    """Shares of games or of wins."""
    early = ages(sums.players) - 1

    def statistic(blocks: BlockSums) -> FloatArray:
        shared = ratio(blocks["shared"], blocks["games"])[..., None]
        leaders = ratio(blocks["leaders_won"], SIXTIETHS * blocks["leaders"])
        behind, won = comeback_counts(blocks, sums.players)
        back = ratio(won, SIXTIETHS * behind)[..., None]
        return np.concatenate([shared, leaders[..., :early], back], axis=-1)

    leaders = sums.arrays["leaders"].sum(axis=0)[:early]
    behind, _ = comeback_counts(sums.arrays, sums.players)
    events = np.asarray([sums.arrays["shared"].sum(), *leaders, behind.sum()])
    after = tuple(f"leader_after_age_{age}" for age in range(1, early + 1))
    names = ("shared_wins", *after, "comeback")
    return _measured(sums, statistic, "share", names, events, population)


def _measured(
    sums: Sums,
    statistic: Callable[[BlockSums], FloatArray],
    unit: str,
    names: tuple[str, ...],
    events: np.ndarray | int,
    population: str,
) -> Measure:
    """A statistic of the game's shape jackknifed over blocks of deals."""
    return measure(
        statistic,
        sums.arrays,
        sums.sizes,
        definition="game_shape",
        unit=unit,
        names=names,
        population=population,
        games=sums.games,
        events=events,
    )


def _by_wilson(estimate: Estimate, sums: Sums) -> Estimate:
    """One proportion of independent games, with Wilson's interval."""
    if sums.games < MIN_EVENTS:
        return estimate
    low, high = wilson(int(sums.arrays["shared"].sum()), sums.games)
    return replace(estimate, low=low, high=high, standard_error=None, blocks=0)
