"""What more threads bring: the same games with one thread and with several, in turn.

    python benchmarks/threads.py [--threads 2] [--seconds 10] [--rounds 9]

Four players, 2nd edition, `greedy` in all seats. The figure is the median over the rounds of the
ratio of two samples that stand side by side.
"""

from __future__ import annotations

import argparse
from statistics import median

from throughput import Workload, sample

from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.simulator.rules import load_rules


def main() -> None:
    """Estimates and print both rates and their ratio."""
    parser = argparse.ArgumentParser(description="Games per second with one thread and with more.")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="for all samples together")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    match = prepare_match(load_rules("second"), "greedy", players=4, seed=1)
    one, several = Workload(match, 1), Workload(match, given.threads)
    sample(several, 1)
    games = max(1, int(sample(one, 2_000).games_per_s * given.seconds / given.rounds / 2))
    pairs = [
        (sample(one, games, number).games_per_s, sample(several, games, number).games_per_s)
        for number in range(given.rounds)
    ]
    print(f"1 thread: {median(alone for alone, _ in pairs):,.0f} games/s")
    print(f"{given.threads} threads: {median(together for _, together in pairs):,.0f} games/s")
    print(f"ratio: {median(together / alone for alone, together in pairs):.2f}")


if __name__ == "__main__":
    main()
