"""Decisions per second of the caller in stepped games, with random legal actions from NumPy.

    python benchmarks/environments.py [--seconds 10] [--rounds 5]

The 2nd edition, four players: every seat played by the caller, or one seat against three compiled
greedy players. The two take turns, sample by sample, in one process. Rates are of processor time.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np
from runner import run
from throughput import Rate, in_turn

from ethnos_sim import make_env

GAMES = 256


class Stepped:
    """Stepped games in which the caller plays some seats."""

    def __init__(self, opponents: str | None) -> None:
        """Begin the games; without opponents every seat is the caller's."""
        self._games = make_env("second", players=4, opponents=opponents, games=GAMES)
        self._games.start(seed=1)
        self._draw = np.random.default_rng(1)

    def sample(self, decisions: int, _number: int) -> Rate:
        """Make some decisions; return the caller's decisions and the turns per second."""
        games, turns, steps = self._games, 0, -(-decisions // GAMES)
        started = time.process_time()
        for _ in range(steps):
            chosen = (self._draw.random(GAMES) * games.legal_counts).astype(np.int64)
            games.step(games.legal[np.arange(GAMES), chosen])
            turns += int(games.games["decisions"][games.over].sum())
        seconds = time.process_time() - started
        return Rate(steps * GAMES / seconds, turns / seconds)


def measure(*, seconds: float = 10.0, rounds: int = 5) -> None:
    """Measure and print rates; `seconds` is the time of all samples together."""
    programs = {"every seat": Stepped(None).sample, "one, three greedy": Stepped("greedy").sample}
    measured = in_turn(programs, seconds / len(programs), rounds)
    print(f"{'seats':20}{'own decisions/s':>18}{'turns/s':>12}")
    for name, rates in measured.items():
        rate = Rate(*map(median, zip(*rates, strict=True)))
        print(f"{name:20}{rate.games_per_s:18,.0f}{rate.decisions_per_s:12,.0f}")


if __name__ == "__main__":
    run(measure)
