"""How often each clan leads parties, and how this correlates with winning.

A shared win counts in parts: a player with half a win is half a winner and half a loser. Win lift
compares a clan's parties with all parties, not with all seats, because winners play more parties.
Both numbers show association, not cause: players who are ahead may lead other clans.
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


def _clan_estimand(
    name: str,
    statistic: Callable[[BlockSums, int], FloatArray],
    unit: str = "share",
    counted: str = "in_parties",
    **headline: Any,
) -> Estimand:
    """An estimand with a number for each clan; its events are the sum called `counted`."""

    def measured(estimand: Estimand, sums: Sums, population: str) -> Estimates:
        games, events = (sums.arrays[array].sum(axis=0) for array in ("in_games", counted))
        return estimand.jackknife(
            lambda blocks: statistic(blocks, sums.players),
            sums.arrays,
            population,
            sums.clans,
            games=games,
            events=events,
        )

    return Estimand(name=name, unit=unit, estimator=measured, **headline)


def _win_lift(blocks: BlockSums, players: int) -> FloatArray:
    """The win share of the clan's parties less the win share of all parties, in fair shares."""
    led = ratio(blocks["led_won"], SIXTIETHS * blocks["led"])
    return players * (led - ratio(blocks["in_parties_won"], SIXTIETHS * blocks["in_parties"]))


WIN_LIFT = _clan_estimand(
    "win_lift",
    _win_lift,
    "fair_shares",
    "led",
    label="{clan}: win lift",
    margin=margins.CLAN,
    family="clans",
)
USAGE = _clan_estimand(
    "usage",
    lambda blocks, players: ratio(blocks["led"], blocks["in_parties"]),
    label="{clan}: usage",
    margin=margins.USAGE,
    family="clans",
)
