"""Is a net better than another: a sequential test, and a plain measurement, on fresh deals.

Wald (1945), "Sequential tests of statistical hypotheses". A part of a win counts as that part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.training.self_play import SelfPlay, draw_clans
from ethnos_sim.simulator.batch import play_table
from ethnos_sim.simulator.modes import STANDARD
from ethnos_sim.simulator.records import SIXTIETHS
from ethnos_sim.simulator.table import GameTable, Seat

#: The gain over an even share that is worth finding, and both chances of error.
GAIN = 0.02
ERROR = 0.05

#: Games after which an undecided trial ends, and deals that are played at a time.
MOST_GAMES = 4000
DEALS = 4

#: Deals that trials are apart.
DEALS_A_TRIAL = 1 << 20


@dataclass(frozen=True)
class Trial:
    """What a trial found: the share of wins by deal, and whether the gain is there."""

    shares: np.ndarray
    players: int
    passed: bool

    @property
    def share(self) -> float:
        """The share of wins."""
        return float(self.shares.mean())

    @property
    def games(self) -> int:
        """How many games were played, each deal in all seats."""
        return len(self.shares) * self.players


def play_trial(
    self_play: SelfPlay,
    number: int,
    seat: Seat,
    others: Seat,
    *,
    players: int,
    games: int = MOST_GAMES,
    sequential: bool = True,
) -> Trial:
    """One seat against others of one kind, every deal in all seats, each deal with other clans."""
    random = np.random.default_rng([self_play.seed, 2, number])
    even = 1.0 / players
    limit = np.log((1 - ERROR) / ERROR)
    score = 0.0
    shares: list[float] = []
    while len(shares) * players < games and (not sequential or abs(score) < limit):
        rules = self_play.table_rules(players, random)
        clans = draw_clans(rules, players, random)
        table = GameTable.prepare(
            rules, players, STANDARD, clans, (seat, *[others] * (players - 1))
        )
        batch = play_table(
            table,
            seed=self_play.seed_of("trials"),
            first_deal=number * DEALS_A_TRIAL + len(shares),
            deals=DEALS,
        )
        own = batch.seats["entry"] == 0
        won = (batch.seats["won"] * own).sum(axis=1) / SIXTIETHS
        shares += won.reshape(DEALS, players).mean(axis=1).tolist()
        wins = float(won.sum())
        lost = len(won) - wins
        score += wins * np.log((even + GAIN) / even)
        score += lost * np.log((1 - even - GAIN) / (1 - even))
    return Trial(np.array(shares), players, bool(score >= limit))
