"""Where prestige comes from: the mean by source, of winners and of losers.

A shared win counts in parts, as everywhere: a player with half a win adds half of his prestige to
the winners and half to the losers.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.evidence.sums import SOURCES, Sums
from ethnos_sim.simulator.records import SIXTIETHS

TOTAL = "total"
SIDES = ("winners", "losers")


def mean_by_source(
    source: np.ndarray, source_won: np.ndarray, games: np.ndarray, players: int, side: str
) -> FloatArray:
    """Mean prestige a seat by source, and the total as one more entry on the last axis.

    Args:
        source: prestige of all seats, (..., sources).
        source_won: the same weighted by won, in sixtieths.
        games: games behind them, (...).
        players: seats in a game.
        side: "winners" or "losers".
    """
    seats = SIXTIETHS * games[..., None]
    if side == "winners":
        means = ratio(source_won, seats)
    else:
        means = ratio(SIXTIETHS * source - source_won, seats * (players - 1))
    return np.concatenate([means, means.sum(axis=-1, keepdims=True)], axis=-1)


def measure_prestige(sums: Sums, side: str, population: str) -> Estimates:
    """Mean prestige of one side by source; the last name is the total."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return mean_by_source(
            blocks["source"], blocks["source_won"], blocks["games"], sums.players, side
        )

    return PRESTIGE_SOURCE.measure(
        statistic,
        sums.arrays,
        sums.sizes,
        names=(*SOURCES, TOTAL),
        population=population,
        games=sums.games,
        aspect=side,
    )


PRESTIGE_SOURCE = Estimand(
    name="prestige_source",
    title="Prestige by source",
    meaning=(
        "Mean final prestige of a winner and of a loser from each source. Prestige from coins is "
        "what they added to awards in the regions."
    ),
    formula=(
        "winners: sum of w × prestige / sum of w; losers: sum of (1 − w) × prestige / sum of "
        "(1 − w)"
    ),
    unit="prestige",
    found=of_ordinary_games(lambda sums, words: [measure_prestige(sums, s, words) for s in SIDES]),
)
