"""How often each clan leads parties, and how leading it correlates with winning.

A shared win counts in parts: a player with half a win is half a winner and half a loser. The
baseline of win lift is not 1, because winners play more parties. These numbers show association,
not cause: a player who is ahead may lead other clans than a player who is behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.simulator.game.records import SIXTIETHS


def _of_clans(
    name: str,
    statistic: Callable[[BlockSums, int], FloatArray],
    unit: str = "share",
    counted: str = "in_parties",
    **headline: Any,
) -> Estimand:
    """An estimand with one number per clan; the sum called `counted` gives its events."""

    def measured(estimand: Estimand, sums: Sums, population: str) -> Estimates:
        games, events = (sums.arrays[array].sum(axis=0) for array in ("in_games", counted))
        return estimand.measure(
            lambda blocks: statistic(blocks, sums.players),
            sums.arrays,
            population,
            sums.clans,
            games=games,
            events=events,
        )

    return Estimand(name=name, unit=unit, measured=measured, **headline)


def _lift(blocks: BlockSums, players: int) -> FloatArray:
    """The win share of the clan's parties less the win share of all parties, in fair shares."""
    led = ratio(blocks["led_won"], SIXTIETHS * blocks["led"])
    return players * (led - ratio(blocks["in_parties_won"], SIXTIETHS * blocks["in_parties"]))


WIN_LIFT = _of_clans(
    "win_lift",
    _lift,
    "fair_shares",
    "led",
    label="{clan}: win lift",
    margin=margins.CLAN,
    family="clans",
)
USAGE = _of_clans(
    "usage",
    lambda blocks, players: ratio(blocks["led"], blocks["in_parties"]),
    label="{clan}: usage",
    margin=margins.USAGE,
    family="clans",
)
