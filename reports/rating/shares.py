"""The win shares of strategies in a match, and intervals of shares over deals.

The unit of replication is the deal: all rotations of a deal share its luck, so they are one
observation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.matches.match import PlayedMatch
from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS
from ethnos_sim.experiments.statistics.estimates import CONFIDENCE
from ethnos_sim.experiments.statistics.intervals import wilson_interval
from ethnos_sim.experiments.statistics.student import t_quantile
from ethnos_sim.simulator.game.records import BRUNO, SIXTIETHS


@dataclass(frozen=True, slots=True)
class StrategyShare:
    """The win share and the mean prestige of a strategy, over the seats that it fills.

    Attributes:
        name: the strategy with its parameters, as in the line-up.
        seats: the number of seats in the line-up with this name.
        win_share: the share of games that one of these seats wins, 0 to 1 (a win shared by k
            players counts 1/k); among several players 1/players is an even share.
        low: lower end of the 95 % interval of `win_share`.
        high: upper end of this interval.
        mean_prestige: mean prestige of one of these seats at the end of a game.
    """

    name: str
    seats: int
    win_share: float
    low: float
    high: float
    mean_prestige: float

    @property
    def exact(self) -> bool:
        """Whether the share is exactly 1/players, because the strategy fills all seats."""
        return self.low == self.high


def strategy_shares(played: PlayedMatch) -> tuple[StrategyShare, ...]:
    """The share of each strategy of a match, in the order of its line-up.

    An observation is a deal: the mean share of the strategy's seats, over all rotations. A strategy
    in every seat has exactly 1/players. In solo the share is that of games won against Bruno.
    """
    names = played.match.line_up.names
    return tuple(_strategy_share(played, name) for name in dict.fromkeys(names))


def bruno_prestige(played: PlayedMatch) -> float | None:
    """Bruno's mean prestige at the end of a game; None if nobody plays against him."""
    if not played.match.tables[0].solo:
        return None
    return int(played.prestige[:, BRUNO].sum()) / played.games


def _strategy_share(played: PlayedMatch, name: str) -> StrategyShare:
    entries = [
        place for place, strategy in enumerate(played.match.line_up.names) if strategy == name
    ]
    count = len(entries)
    rotations = played.match.rotations
    # A deal's share of its wins, from 0 to 1. Whole sums are divided once, so that it is exact.
    wins = played.won[:, entries].sum(axis=1)
    whole = SIXTIETHS * rotations
    share = int(wins.sum()) / (whole * played.deals)
    if count == played.match.sides:
        low = high = share
    else:
        low, high = deal_interval(wins / whole, share)
    prestige = int(played.prestige[:, entries].sum()) / (rotations * played.deals)
    return StrategyShare(name, count, share / count, low / count, high / count, prestige / count)


def deal_interval(
    shares: np.ndarray, mean: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of a mean of shares from independent deals; 95 % unless given.

    The half-width is Student's t with deals - 1 degrees of freedom times the standard error from
    the spread between deals (Student 1908, Biometrika 6: 1-25). With fewer than 20 deals, or with
    equal shares in all deals, this spread is unreliable. Then the interval is Wilson's with deals
    as trials, which is rather too wide for shares.
    """
    deals = len(shares)
    if deals < MIN_BLOCKS or np.ptp(shares) == 0:
        low, high = wilson_interval(mean * deals, deals, confidence)
    else:
        reach = float(t_quantile(deals - 1, 1 - (1 - confidence) / 2))
        reach *= float(shares.std(ddof=1)) / np.sqrt(deals)
        low, high = mean - reach, mean + reach
    return max(0.0, float(low)), min(1.0, float(high))


def mean_share(shares: np.ndarray, confidence: float = CONFIDENCE) -> dict[str, float]:
    """The mean of shares by deal, `value`, with its interval from `low` to `high`.

    `shares` has shape (deals,); the interval is 95 % unless given.
    """
    mean = float(shares.mean())
    low, high = deal_interval(shares, mean, confidence)
    return {"value": mean, "low": low, "high": high}
