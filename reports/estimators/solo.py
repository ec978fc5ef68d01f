"""Solo games: how often Bruno is beaten, what a strategy wins more than another, how both play.

Every solo game has a deal of its own, so a win rate is one proportion of independent games. The
strategies of a difficulty play the same deals, so the difference between two of them is taken deal
by deal. Means and shares are jackknifed over blocks of deals, like everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.intervals import wilson
from ethnos_sim.experiments.statistics.jackknife import (
    CONFIDENCE,
    BlockSums,
    FloatArray,
    IntArray,
    ratio,
    t_quantile,
)
from ethnos_sim.experiments.statistics.measure import measure
from ethnos_sim.reports.estimators.prestige_source import TOTAL
from ethnos_sim.reports.solo_evidence import SIDES, SoloSums
from ethnos_sim.reports.sufficient import SOURCES
from ethnos_sim.simulator.modes import SOLO_CLANS
from ethnos_sim.simulator.records import SIXTIETHS

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def estimate_win_rate(sums: SoloSums, strategy: str) -> Estimate:
    """The share of games won against Bruno, with Wilson's interval; a shared win counts half."""
    low = high = None
    if sums.games >= MIN_EVENTS:
        low, high = wilson(sums.won / SIXTIETHS, sums.games)
    return Estimate(
        name=strategy,
        definition="solo_win_rate",
        value=sums.won / SIXTIETHS / sums.games,
        low=low,
        high=high,
        standard_error=None,
        games=sums.games,
        blocks=0,
        unit="share",
        population=strategy,
    )


@dataclass(frozen=True, slots=True)
class Gain:
    """What a strategy wins more than another on the same deals.

    `pairing` is the variance of the difference with deals of their own, divided by the variance on
    the same deals; None where that cannot be told.
    """

    estimate: Estimate
    pairing: float | None


def estimate_gain(sums: SoloSums, strategy: str, other_sums: SoloSums, other: str) -> Gain:
    """The win rate of a strategy less another's, deal by deal.

    Mean of the differences by deal, plus or minus Student's t with deals - 1 degrees of freedom
    times the standard error (Student 1908, Biometrika 6: 1-25). The variance comes from whole
    sums: of the squares of both wins, and of their products.
    """
    deals = sums.games
    if other_sums.games != deals:
        raise ValueError(f"{strategy} and {other} did not play the same deals")
    whole = SIXTIETHS * SIXTIETHS * deals
    difference = (sums.won - other_sums.won) / SIXTIETHS / deals
    squares = sums.products[strategy] + other_sums.products[other] - 2 * sums.products[other]
    variance = squares / whole - difference**2
    apart = sum(
        each.products[name] / whole - (each.won / SIXTIETHS / deals) ** 2
        for each, name in ((sums, strategy), (other_sums, other))
    )
    low = high = error = None
    if deals >= MIN_EVENTS:
        error = sqrt(max(variance, 0.0) / (deals - 1))
        reach = t_quantile(1 - (1 - CONFIDENCE) / 2, deals - 1) * error
        low, high = difference - reach, difference + reach
    estimate = Estimate(
        name=strategy,
        definition="solo_gain",
        value=difference,
        low=low,
        high=high,
        standard_error=error,
        games=deals,
        blocks=0,
        unit="share_difference",
        population=f"{strategy} and {other} on the same deals",
    )
    return Gain(estimate, apart / variance if variance > 0 else None)


def estimate_prestige(sums: SoloSums, strategy: str, side: str) -> tuple[Estimate, ...]:
    """Mean prestige of the player or of Bruno by source; the last name is the total."""
    place = SIDES.index(side)

    def statistic(blocks: BlockSums) -> FloatArray:
        means = ratio(blocks["source"][..., place, :], blocks["games"][..., None])
        return np.concatenate([means, means.sum(axis=-1, keepdims=True)], axis=-1)

    return _estimates(sums, statistic, "solo_prestige", "prestige", (*SOURCES, TOTAL), strategy)


def estimate_margin(sums: SoloSums, strategy: str) -> Estimate:
    """The player's total less Bruno's, on average."""

    def statistic(blocks: BlockSums) -> FloatArray:
        totals = blocks["source"].sum(axis=-1)
        return ratio(totals[..., 0] - totals[..., 1], blocks["games"])[..., None]

    (estimate,) = _estimates(
        sums, statistic, "solo_margin", "prestige_difference", ("margin",), strategy
    )
    return estimate


def estimate_columns(
    sums: SoloSums, strategy: str, colors: tuple[str, ...]
) -> tuple[Estimate, ...]:
    """How often a game sees each of Bruno's columns played; the last name is all of them."""
    bruno = SIDES.index("bruno")

    def statistic(blocks: BlockSums) -> FloatArray:
        means = ratio(blocks["columns"][..., bruno, :], blocks["games"][..., None])
        return np.concatenate([means, means.sum(axis=-1, keepdims=True)], axis=-1)

    return _estimates(sums, statistic, "solo_columns", "count", (*colors, TOTAL), strategy)


def estimate_leaders(sums: SoloSums, strategy: str, side: str) -> tuple[Estimate, ...]:
    """The share of the player's or of Bruno's parties that each clan leads."""
    place = SIDES.index(side)

    def statistic(blocks: BlockSums) -> FloatArray:
        return ratio(blocks["led"][..., place, :], blocks["parties"][..., place, None])

    return _estimates(sums, statistic, "solo_leaders", "share", SOLO_CLANS, strategy)


def _estimates(
    sums: SoloSums,
    statistic: Callable[[BlockSums], FloatArray],
    definition: str,
    unit: str,
    names: tuple[str, ...],
    strategy: str,
) -> tuple[Estimate, ...]:
    """A statistic of a line jackknifed over blocks of deals."""
    return measure(
        statistic,
        sums.arrays,
        sums.sizes,
        definition=definition,
        unit=unit,
        names=names,
        population=strategy,
        games=sums.games,
    ).estimates()


def quantiles(counted: tuple[IntArray, IntArray]) -> tuple[int, ...]:
    """The values at QUANTILES of counted values: the least that at least that share reaches."""
    values, games = counted
    reached = np.cumsum(games)
    places = np.searchsorted(reached, np.ceil(np.asarray(QUANTILES) * reached[-1]))
    return tuple(int(value) for value in values[places])
