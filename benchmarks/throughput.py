"""Games and decisions per second by edition, players, line-up and threads.

    python benchmarks/throughput.py [--players 4] [--strategies greedy] [--threads 1 2] [--json]

A machine's speed drifts during a measurement, so workloads take turns in short samples, and each
workload's figure is the median of its samples. The ratio to the first number of threads is of two
neighbouring samples. Games are played in memory, as in a sweep, with everything compiled and warm.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple, TypeVar

import numpy as np
from joblib import cpu_count

from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.simulator.rules import EDITIONS, load_rules
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.table import GameTable

Key = TypeVar("Key")

#: Samples of each workload; the median of an odd number is one of them.
ROUNDS = 5

#: Clan sets that each sample plays.
CLAN_SETS = 4

#: The games that a thread plays at a time, and the games of the first estimate of a speed.
GAMES_AT_A_TIME = 250
FIRST_GAMES = 1_000


@dataclass(frozen=True, slots=True)
class Workload:
    """A workload: a match's games, the threads that play them, and the clock."""

    match: Match
    threads: int = 1
    clock: Callable[[], float] = time.perf_counter

    def sample(self, games: int, number: int = 0) -> Rate:
        """Play at least `games` games and time them; `number` chooses the deals."""
        rotations = self.match.rotations
        tables = self.match.tables[:CLAN_SETS]
        step = max(1, GAMES_AT_A_TIME // rotations)
        pieces = max(1, -(-games // (len(tables) * step * rotations)))
        first = number * pieces * step
        tasks = [(table, first + piece * step) for piece in range(pieces) for table in tables]

        def play(task: tuple[GameTable, int]) -> np.ndarray:
            table, first_deal = task
            played = play_table(table, seed=self.match.seed, first_deal=first_deal, deals=step)
            return np.array([played.games.size, played.games["decisions"].sum()])

        started = self.clock()
        done = np.sum(in_threads(play, tasks, self.threads), axis=0)
        return Rate(*(done / (self.clock() - started)).tolist())


class Rate(NamedTuple):
    """Games and decisions per second. A decision is a turn or a chained party."""

    games_per_s: float
    decisions_per_s: float


def in_turn(
    programs: Mapping[Key, Callable[[int, int], Rate]], seconds: float, rounds: int = ROUNDS
) -> dict[Key, list[Rate]]:
    """The rates of programs that take turns, so that other work on the machine slows all.

    Args:
        programs: functions of the number of games and the sample's number.
        seconds: of each program, all samples together.
        rounds: samples of each.
    """
    games = {}
    for name, play in programs.items():
        play(1, 0)  # compiles, and warms up
        games[name] = max(1, int(play(FIRST_GAMES, 0).games_per_s * seconds / rounds))
    samples = [
        {name: play(games[name], number) for name, play in programs.items()}
        for number in range(1, rounds + 1)
    ]
    return {name: [sample[name] for sample in samples] for name in programs}


def medians(rates: Sequence[Rate], usual: Sequence[Rate]) -> tuple[Rate, Rate]:
    """The median rate, and the median ratio to the neighbouring samples."""
    ratios = [
        [a / b for a, b in zip(*pair, strict=True)] for pair in zip(rates, usual, strict=True)
    ]
    columns = (Rate(*map(median, zip(*column, strict=True))) for column in (rates, ratios))
    return next(columns), next(columns)


def main() -> None:
    """Measure every combination of the options in turn, and print the medians."""
    parser = argparse.ArgumentParser(description="Games and decisions a second.")
    parser.add_argument("--edition", nargs="+", default=list(EDITIONS))
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4, 5, 6])
    parser.add_argument("--mode", default="standard")
    parser.add_argument("--strategies", nargs="+", default=["greedy", "random", "learned"])
    parser.add_argument("--threads", nargs="+", type=int, default=sorted({1, cpu_count()}))
    parser.add_argument("--seconds", type=float, default=0.5, help="for each combination")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    keys = list(itertools.product(given.edition, given.players, given.strategies))
    matches = [
        prepare_match(load_rules(edition), line_up, players=players, mode=given.mode, seed=1)
        for edition, players, line_up in keys
    ]
    workloads = {
        (*key, threads): Workload(match, threads).sample
        for key, match in zip(keys, matches, strict=True)
        for threads in given.threads
    }
    print(f"{len(workloads)} combinations, {given.seconds * len(workloads):.0f} s", file=sys.stderr)
    measured = in_turn(workloads, given.seconds, given.rounds)
    rows = []
    for (*key, threads), rates in measured.items():
        rate, ratio = medians(rates, measured[*key, given.threads[0]])
        about = dict(zip(("edition", "players", "strategies"), key, strict=True))
        figures = {name: round(value) for name, value in rate._asdict().items()}
        rows.append({**about, "threads": threads, **figures, "ratio": round(ratio.games_per_s, 2)})
    if given.json:
        print(json.dumps(rows, indent=2))
        return
    print(*rows[0], sep="\t")
    for row in rows:
        print(*row.values(), sep="\t")


if __name__ == "__main__":
    main()
