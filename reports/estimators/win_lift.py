"""Win lift: how much more often a party led by a clan is found with the winner than any party.

In fair shares: players x P(win | party led by the clan) - players x P(win | party), a party
drawn at random from all parties of the games with the clan in play. The second term is the
baseline, and it is not 1, because winners play more parties. Association under the strategies that
played, not cause: whoever is ahead may play other clans than whoever is behind.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.bands import Bands
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.evidence.sums import Sums, side_by_side
from ethnos_sim.simulator.records import SIXTIETHS


def win_lift(sums: BlockSums, players: int | FloatArray) -> FloatArray:
    """Win lift by clan; `players` broadcasts over the axes before the clans."""
    led = ratio(sums["led_won"], SIXTIETHS * sums["led"])
    any_party = ratio(sums["in_parties_won"], SIXTIETHS * sums["in_parties"])
    return players * (led - any_party)


def measure_win_lift(sums: Sums, population: str) -> Estimates:
    """Win lift of every clan at one player count."""
    return measure_mean_win_lift([sums], population)


def measure_mean_win_lift(parts: Sequence[Sums], population: str) -> Estimates:
    """Win lift of every clan, averaged over player counts that weigh the same each."""
    arrays, sizes = side_by_side(parts)
    players = np.asarray([part.players for part in parts], dtype=np.float64)[:, None]
    return WIN_LIFT.measure(
        lambda sums: win_lift(sums, players).mean(axis=-2),
        arrays,
        sizes,
        names=parts[0].clans,
        population=population,
        games=arrays["in_games"].sum(axis=(0, 1)),
        events=arrays["led"].sum(axis=0).min(axis=0),
    )


WIN_LIFT = Estimand(
    name="win_lift",
    title="Win lift",
    meaning=(
        "How much more often a party led by the clan belongs to the game's winner than any party "
        "does, in fair shares: +0.10 means a tenth of a fair share (1/n) more. Only games with "
        "the clan in play. Association under the strategies that played, not cause."
    ),
    formula=(
        "n × sum of w over the clan's parties / the clan's parties − n × sum of w over all "
        "parties / all parties"
    ),
    unit="fair_shares",
    label="{clan}: win lift",
    margin=0.02,
    bands=Bands(minor=0.02, notable=0.06, strong=0.12),
    family="clans",
    found=of_ordinary_games(lambda sums, words: [measure_win_lift(sums, words)]),
)
