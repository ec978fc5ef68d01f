"""Seat edge: the winning chance of the seat that acts first, second … less 1 / players.

Seats are counted in the order of play of the first age, from its first player on, since the place
at the table means nothing before the first player is drawn. Strategies are rotated over the seats
and the first player is drawn at random, so each strategy acts first equally often in the long run.
"""

from __future__ import annotations

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.estimators.win_shares import measure_win_share
from ethnos_sim.reports.evidence.sums import Sums

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def measure_seat_edge(sums: Sums, population: str) -> Estimates:
    """The edge of every seat, in order of play, each with an interval of its own."""
    names = ORDINALS[: sums.players]
    return measure_win_share(SEAT_EDGE, sums, "turn_won", names, population)


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
