"""What tuned parameters are worth, on deals that had no part in choosing them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.intervals import Interval
from ethnos_sim.reports.rating.match import deal_interval


@dataclass(frozen=True, slots=True)
class TuningResult:
    """How the tuned and the first parameters did on the same fresh deals.

    `gain` is tuned less first, deal by deal, so that the luck of the deals cancels.
    """

    tuned: Interval[float]
    first: Interval[float]
    gain: Interval[float]
    games: int


def tuning_result(tuned: np.ndarray, first: np.ndarray, players: int) -> TuningResult:
    """Estimate from win shares by deal.

    Args:
        tuned: win share of a seat with the tuned parameters, shape (deals,).
        first: the same with the first parameters, on the same deals.
        players: seats of a table, each taken once on every deal.
    """
    gain = tuned - first
    mean = float(gain.mean())
    low, high = deal_interval((gain + 1) / 2, (mean + 1) / 2)
    exact = not gain.any()
    return TuningResult(
        tuned=share_of_deals(tuned),
        first=share_of_deals(first),
        gain=Interval(mean, mean if exact else 2 * low - 1, mean if exact else 2 * high - 1),
        games=len(tuned) * players,
    )


def share_of_deals(by_deal: np.ndarray) -> Interval[float]:
    """The mean of shares by deal (shape (deals,)), with its interval."""
    mean = float(by_deal.mean())
    return Interval(mean, *deal_interval(by_deal, mean))
