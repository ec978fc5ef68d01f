"""Seat edge: the winning chance of the seat that acts first, second … less 1 / players.

Seats are counted in the order of play of the first age, from its first player on, since the place
at the table means nothing before the first player is drawn. Strategies are rotated over the seats
and the first player is drawn at random, so each strategy acts first equally often in the long run.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.estimators.win_shares import measure_win_share
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def measure_seat_edge(sums: Sums, population: str) -> Estimates:
    """The edge of every seat, in order of play, each with an interval of its own."""
    names = ORDINALS[: sums.players]
    return measure_win_share(SEAT_EDGE, sums, "turn_won", names, population)


def first_seat_edge(sums: BlockSums, players: int) -> FloatArray:
    """The edge of the seat that acts first over the games with a clan in play, by clan."""
    return ratio(sums["in_first_won"], SIXTIETHS * sums["in_games"]) - 1 / players


def measure_first_seat_edge(sums: Sums, population: str) -> Estimates:
    """The first seat's edge for every clan in play."""
    games = np.asarray(sums.arrays["in_games"].sum(axis=0))
    return SEAT_EDGE.measure(
        lambda blocks: first_seat_edge(blocks, sums.players),
        sums.arrays,
        sums.sizes,
        names=sums.clans,
        population=population,
        games=games,
    )


SEAT_EDGE = Estimand(
    name="seat_edge",
    title="Seat edge",
    meaning=(
        "Winning chance of the seat that acts first, second … in the first age, less a fair share."
    ),
    formula="sum of w of the seat / games − 1/n",
    unit="share_difference",
    label="{Name} seat: edge",
    margin=POWER.minor,
    bands=POWER,
    family="seats",
    found=of_ordinary_games(lambda sums, words: [measure_seat_edge(sums, words)]),
)
