"""How often parties are led by each clan, and how that goes with winning.

Only games with the clan in play count. A shared win counts in parts: a player with half a win is
half a winner and half a loser, so the parties of all players are counted once, in total.

Win lift is in fair shares: players x P(win | party led by the clan) - players x P(win | party), a
party drawn at random from all parties. The second term is the baseline, and it is not 1, because
winners play more parties. All of this is association under the strategies that played, not cause:
whoever is ahead may play other clans than whoever is behind.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Bands, Estimand, Finder, of_ordinary_games
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def measure_win_lift(sums: Sums, population: str) -> Estimates:
    """Win lift of every clan."""

    def statistic(of: BlockSums) -> FloatArray:
        led = ratio(of["led_won"], SIXTIETHS * of["led"])
        return sums.players * (led - ratio(of["in_parties_won"], SIXTIETHS * of["in_parties"]))

    return _by_clan(WIN_LIFT, statistic, sums, population, "led")


def measure_usage(sums: Sums, definition: str, population: str) -> Estimates:
    """One of STATISTICS for every clan."""
    estimand, statistic = STATISTICS[definition]
    return _by_clan(estimand, statistic, sums, population, "in_parties")


def _by_clan(
    estimand: Estimand,
    statistic: Callable[[BlockSums], FloatArray],
    sums: Sums,
    population: str,
    counted: str,
) -> Estimates:
    """A statistic of every clan, trusted by what is counted in the games with the clan in play."""
    games, events = (sums.arrays[name].sum(axis=0) for name in ("in_games", counted))
    return estimand.measure(
        statistic, sums.arrays, population, sums.clans, games=games, events=events
    )


def _losers(of: BlockSums, name: str) -> FloatArray:
    """A sum over losers: what all have less what winners have, in sixtieths."""
    return np.asarray(SIXTIETHS * of[name] - of[f"{name}_won"])


def _winners_usage(of: BlockSums) -> FloatArray:
    """The clan's part of the parties of winners."""
    return ratio(of["led_won"], of["in_parties_won"])


def _losers_usage(of: BlockSums) -> FloatArray:
    """The same of losers."""
    return ratio(_losers(of, "led"), _losers(of, "in_parties"))


def _usage(name: str) -> Finder:
    """What finds one of STATISTICS."""
    return of_ordinary_games(lambda sums, words: measure_usage(sums, name, words))


WIN_LIFT = Estimand(
    name="win_lift",
    unit="fair_shares",
    label="{clan}: win lift",
    margin=0.02,
    bands=Bands(minor=0.02, notable=0.06, strong=0.12),
    family="clans",
    found=of_ordinary_games(measure_win_lift),
)

USAGE = Estimand(
    name="usage",
    unit="share",
    label="{clan}: usage",
    margin=0.0025,
    family="clans",
    found=_usage("usage"),
)

USAGE_WINNERS = Estimand(
    name="usage_winners",
    unit="share",
    found=_usage("usage_winners"),
)

USAGE_LOSERS = Estimand(
    name="usage_losers",
    unit="share",
    found=_usage("usage_losers"),
)

USAGE_GAP = Estimand(
    name="usage_gap",
    unit="share_difference",
    found=_usage("usage_gap"),
)

LED_PER_GAME = Estimand(
    name="led_per_game",
    unit="count",
    found=_usage("led_per_game"),
)

STATISTICS: dict[str, tuple[Estimand, Callable[[BlockSums], FloatArray]]] = {
    "usage": (USAGE, lambda of: ratio(of["led"], of["in_parties"])),
    "usage_winners": (USAGE_WINNERS, _winners_usage),
    "usage_losers": (USAGE_LOSERS, _losers_usage),
    "usage_gap": (USAGE_GAP, lambda of: _winners_usage(of) - _losers_usage(of)),
    "led_per_game": (LED_PER_GAME, lambda of: ratio(of["led"], of["in_games"])),
}
"""The estimands of usage with their statistics, by name."""
