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
from typing import Any

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Bands, Estimand, of_ordinary_games
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def measure_win_lift(sums: Sums, population: str) -> Estimates:
    """Win lift of every clan."""

    def statistic(of: BlockSums) -> FloatArray:
        led = ratio(of["led_won"], SIXTIETHS * of["led"])
        return sums.players * (led - ratio(of["in_parties_won"], SIXTIETHS * of["in_parties"]))

    return _by_clan(WIN_LIFT, statistic, sums, population, "led")


def measure_usage(sums: Sums, definition: str, population: str) -> Estimates:
    """One of USAGES for every clan."""
    return _by_clan(USAGES[definition], STATISTICS[definition], sums, population, "in_parties")


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


STATISTICS: dict[str, Callable[[BlockSums], FloatArray]] = {
    "usage": lambda of: ratio(of["led"], of["in_parties"]),
    "usage_winners": _winners_usage,
    "usage_losers": _losers_usage,
    "usage_gap": lambda of: _winners_usage(of) - _losers_usage(of),
    "led_per_game": lambda of: ratio(of["led"], of["in_games"]),
}
"""What each of USAGES is, by its name."""


def _usage(name: str, unit: str = "share", **headline: Any) -> Estimand:
    """The estimand of one of STATISTICS."""
    found = of_ordinary_games(lambda sums, words: measure_usage(sums, name, words))
    return Estimand(name=name, unit=unit, found=found, **headline)


WIN_LIFT = Estimand(
    name="win_lift",
    unit="fair_shares",
    label="{clan}: win lift",
    margin=0.02,
    bands=Bands(minor=0.02, notable=0.06, strong=0.12),
    family="clans",
    found=of_ordinary_games(measure_win_lift),
)

USAGE = _usage("usage", label="{clan}: usage", margin=0.0025, family="clans")
USAGE_WINNERS = _usage("usage_winners")
USAGE_LOSERS = _usage("usage_losers")
USAGE_GAP = _usage("usage_gap", "share_difference")
LED_PER_GAME = _usage("led_per_game", "count")

USAGES = {each.name: each for each in (USAGE, USAGE_WINNERS, USAGE_LOSERS, USAGE_GAP, LED_PER_GAME)}
"""How often clans lead, by name."""
