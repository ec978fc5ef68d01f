"""How often parties are led by each clan, and how much more often by winners than by losers.

Only games with the clan in play count. A shared win counts in parts: a player with half a win is
half a winner and half a loser, so the parties of all players are counted once, in total.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.statistics.jackknife import BlockSums, FloatArray, ratio
from ethnos_sim.experiments.statistics.measure import Measure, measure
from ethnos_sim.reports.sufficient import Sums, side_by_side
from ethnos_sim.simulator.records import SIXTIETHS


def usage(sums: BlockSums) -> FloatArray:
    """Parties led by the clan / all parties, by clan."""
    return ratio(sums["led"], sums["in_parties"])


def winners_usage(sums: BlockSums) -> FloatArray:
    """The same share among the parties of winners."""
    return ratio(sums["led_won"], sums["in_parties_won"])


def losers_usage(sums: BlockSums) -> FloatArray:
    """The same share among the parties of losers."""
    return ratio(
        SIXTIETHS * sums["led"] - sums["led_won"],
        SIXTIETHS * sums["in_parties"] - sums["in_parties_won"],
    )


def usage_gap(sums: BlockSums) -> FloatArray:
    """Winners' share less losers' share in the same games."""
    return winners_usage(sums) - losers_usage(sums)


def led_per_game(sums: BlockSums) -> FloatArray:
    """Parties led by the clan in a game that has it in play, all players together."""
    return ratio(sums["led"], sums["in_games"])


STATISTICS = {
    "usage": (usage, "share"),
    "usage_winners": (winners_usage, "share"),
    "usage_losers": (losers_usage, "share"),
    "usage_gap": (usage_gap, "share_difference"),
    "led_per_game": (led_per_game, "count"),
}
"""The statistics of this module with their units, by definition key."""


def measure_usage(sums: Sums, definition: str, population: str) -> Measure:
    """One of STATISTICS for every clan."""
    return measure_mean_usage([sums], definition, population)


def measure_mean_usage(parts: Sequence[Sums], definition: str, population: str) -> Measure:
    """The same averaged over player counts that weigh the same each."""
    statistic, unit = STATISTICS[definition]
    arrays, sizes = side_by_side(parts)
    return measure(
        lambda blocks: np.asarray(statistic(blocks).mean(axis=-2)),
        arrays,
        sizes,
        definition=definition,
        unit=unit,
        names=parts[0].clans,
        population=population,
        games=arrays["in_games"].sum(axis=(0, 1)),
        events=np.asarray(arrays["in_parties"].sum(axis=0).min(axis=0)),
    )
