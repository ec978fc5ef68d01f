"""Games and decisions a second by edition, players, line-up and threads.

    python benchmarks/throughput.py [--players 4] [--strategies greedy] [--threads 1 2] [--json]

A machine's speed drifts while one measures, so workloads take turns in short samples, and each
workload's figure is the median of its samples. What is timed is play in memory, as in a sweep, with
everything compiled and warm.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from joblib import cpu_count

from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.simulator.batch import play_table
from ethnos_sim.simulator.rules import EDITIONS, load_rules
from ethnos_sim.simulator.table import GameTable

#: Samples of each workload; the median of an odd number is one of them.
ROUNDS = 5

#: Clan sets that each sample plays.
CLAN_SETS = 4

#: Games that a thread plays at a time, and games of the first look at a workload's speed.
GAMES_AT_A_TIME = 250
FIRST_GAMES = 1_000


@dataclass(frozen=True, slots=True)
class Workload:
    """What is measured: a match's games, and the threads that play them."""

    match: Match
    threads: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Games and decisions per second. A decision is a turn or a chained party."""

    games_per_s: float
    decisions_per_s: float


def measure(
    workloads: Sequence[Workload],
    seconds: float,
    *,
    rounds: int = ROUNDS,
    on_sample: Callable[[], None] = lambda: None,
) -> list[Rate]:
    """The rate of each workload, the median of `rounds` samples taken in turn.

    Args:
        workloads: what to measure.
        seconds: how long to play each workload, all samples together.
        rounds: samples of each workload.
        on_sample: called after each sample.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    games = [_games_for(workload, seconds / rounds) for workload in workloads]
    samples: list[list[Rate]] = [[] for _ in workloads]
    for number in range(rounds):
        for workload, count, found in zip(workloads, games, samples, strict=True):
            found.append(sample(workload, count, number + 1))
            on_sample()
    return [
        Rate(
            median(rate.games_per_s for rate in found),
            median(rate.decisions_per_s for rate in found),
        )
        for found in samples
    ]


def sample(workload: Workload, games: int, number: int = 0) -> Rate:
    """Play at least `games` games once and time them; another `number` plays other deals."""
    rotations = workload.match.rotations
    tables = workload.match.tables[:CLAN_SETS]
    step = max(1, GAMES_AT_A_TIME // rotations)
    pieces = max(1, -(-games // (len(tables) * step * rotations)))
    first = number * pieces * step
    tasks = [(table, first + piece * step) for piece in range(pieces) for table in tables]

    def play(task: tuple[GameTable, int]) -> tuple[int, int]:
        table, first_deal = task
        batch = play_table(table, seed=workload.match.seed, first_deal=first_deal, deals=step)
        return batch.games.size, int(batch.games["decisions"].sum())

    started = time.perf_counter()
    played = in_threads(play, tasks, workload.threads)
    took = time.perf_counter() - started
    return Rate(sum(size for size, _ in played) / took, sum(done for _, done in played) / took)


def _games_for(workload: Workload, seconds: float) -> int:
    """How many games take about so many seconds; compiles and warms up on the way."""
    sample(workload, 1)
    return max(1, int(sample(workload, FIRST_GAMES).games_per_s * seconds))


def main() -> None:
    """Measure every combination of what is asked for, in turn, and print the medians."""
    parser = argparse.ArgumentParser(description="Games and decisions a second.")
    parser.add_argument("--edition", nargs="+", default=list(EDITIONS))
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4, 5, 6])
    parser.add_argument("--mode", default="standard")
    parser.add_argument("--strategies", nargs="+", default=["greedy", "random", "learned"])
    parser.add_argument("--threads", nargs="+", type=int, default=sorted({1, cpu_count()}))
    parser.add_argument("--seconds", type=float, default=0.5, help="for each combination")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    keys = list(itertools.product(given.edition, given.players, given.strategies))
    matches = [
        prepare_match(load_rules(edition), line_up, players=players, mode=given.mode, seed=1)
        for edition, players, line_up in keys
    ]
    workloads = [Workload(match, count) for match in matches for count in given.threads]
    print(f"{len(workloads)} combinations, {given.seconds * len(workloads):.0f} s", file=sys.stderr)
    rates = measure(workloads, given.seconds)
    names = ("edition", "players", "strategies", "threads")
    rows = [
        dict(zip(names, (*key, count), strict=True))
        | {name: round(value) for name, value in asdict(rate).items()}
        for (key, count), rate in zip(itertools.product(keys, given.threads), rates, strict=True)
    ]
    if given.json:
        print(json.dumps(rows, indent=2))
        return
    print(*rows[0], sep="\t")
    for row in rows:
        print(*row.values(), sep="\t")


if __name__ == "__main__":
    main()
