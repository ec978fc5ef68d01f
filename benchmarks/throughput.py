"""Measure games and decisions per second by edition, players, line-up and threads.

    python benchmarks/throughput.py [--players 4] [--strategies greedy] [--threads 1 2]

A machine's speed drifts during a measurement, so workloads take turns in short samples, and each
workload's figure is the median of its samples. A ratio compares a sample with its neighbour that
uses the first number of threads. Games are played in memory, as in a sweep, with everything
compiled and warm.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple, TypeVar

import numpy as np
from joblib import cpu_count
from runner import run

from ethnos_sim.experiments.execution.threads import map_in_threads
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.simulator.rules import EDITIONS, load_rules
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.table import GameTable

Key = TypeVar("Key")

#: The number of samples of each workload: odd, so that the median is one of them.
ROUNDS = 5

#: The numbers of threads to measure. Other numbers are compared with the first number.
THREADS = tuple(sorted({1, cpu_count()}))

#: The number of clan sets in a sample.
CLAN_SETS = 4

#: About how many games a thread plays at a time.
GAMES_AT_A_TIME = 250
#: The number of games that give a first estimate of the speed.
FIRST_GAMES = 1_000


@dataclass(frozen=True, slots=True)
class Workload:
    """The games of a match, and the number of threads that play them."""

    match: Match
    threads: int = 1

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

        started = time.perf_counter()
        done = np.sum(map_in_threads(play, tasks, self.threads), axis=0)
        return Rate(*(done / (time.perf_counter() - started)).tolist())


class Rate(NamedTuple):
    """Games and decisions per second. A decision is a turn or a chained party."""

    games_per_s: float
    decisions_per_s: float


def sample_in_turn(
    programs: Mapping[Key, Callable[[int, int], Rate]], seconds: float, rounds: int = ROUNDS
) -> dict[Key, list[Rate]]:
    """The rates of programs that take turns, so that other work on the machine slows them alike.

    Args:
        programs: functions that take a number of games and the number of the sample.
        seconds: the time of all samples of one program together.
        rounds: the number of samples of each program.
    """
    games = {}
    for name, play in programs.items():
        play(1, 0)  # compile the code, and warm up
        games[name] = max(1, int(play(FIRST_GAMES, 0).games_per_s * seconds / rounds))
    samples = [
        {name: play(games[name], number) for name, play in programs.items()}
        for number in range(1, rounds + 1)
    ]
    return {name: [sample[name] for sample in samples] for name in programs}


def medians(rates: Sequence[Rate], reference: Sequence[Rate]) -> tuple[Rate, Rate]:
    """The median rate, and the median ratio of each rate to the rate beside it in `reference`."""
    ratios = [
        [a / b for a, b in zip(*pair, strict=True)] for pair in zip(rates, reference, strict=True)
    ]
    columns = (Rate(*map(median, zip(*column, strict=True))) for column in (rates, ratios))
    return next(columns), next(columns)


def measure(
    *,
    players: tuple[int, ...] = (2, 3, 4, 5, 6),
    strategies: tuple[str, ...] = ("greedy", "random", "learned"),
    threads: tuple[int, ...] = THREADS,
    seconds: float = 0.5,
) -> None:
    """Measure every combination of the options in turn, and print the medians."""
    keys = list(itertools.product(EDITIONS, players, strategies))
    matches = [
        prepare_match(load_rules(name), line_up, players=number, seed=1)
        for name, number, line_up in keys
    ]
    workloads = {
        (key, number): Workload(match, number).sample
        for key, match in zip(keys, matches, strict=True)
        for number in threads
    }
    print(f"{len(workloads)} combinations, {seconds * len(workloads):.0f} s", file=sys.stderr)
    measured = sample_in_turn(workloads, seconds)
    rows = []
    for (key, number), rates in measured.items():
        rate, ratio = medians(rates, measured[key, threads[0]])
        about = dict(zip(("edition", "players", "strategies"), key, strict=True))
        figures = {name: round(value) for name, value in rate._asdict().items()}
        rows.append({**about, "threads": number, **figures, "ratio": round(ratio.games_per_s, 2)})
    print(*rows[0], sep="\t")
    for row in rows:
        print(*row.values(), sep="\t")


if __name__ == "__main__":
    run(measure)
