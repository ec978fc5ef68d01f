"""Measure the cost of writing: a sweep into Parquet files against the same games in memory.

    python benchmarks/sweep.py [--games 200000] [--rounds 3] [--jobs 1]

Both play the bundled sweep's cells, in turn. The figure is the median over the rounds of the ratio
of the two rates.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from runner import run
from throughput import samples_in_turn

from ethnos_sim.experiments.execution.playing import MOST_GAMES_AT_A_TIME, prepare_tables
from ethnos_sim.experiments.execution.sweep import choose_plan, sweep
from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.specs.spec import Changes
from ethnos_sim.simulator.tables.batch import play_table


def in_memory(plan: Plan, jobs: int, _number: int = 0) -> float:
    """Play a plan's games in memory; return games per second."""
    tables = prepare_tables(plan)

    def play(number: int) -> int:
        cell = plan.cells[number]
        deals = plan.rounds[cell.partition] * cell.deals_per_round
        step = max(1, MOST_GAMES_AT_A_TIME // cell.rotations)
        return sum(
            play_table(
                tables.of(cell),
                seed=plan.seed,
                first_deal=first,
                deals=min(step, deals - first),
            ).games.size
            for first in range(0, deals, step)
        )

    started = time.perf_counter()
    games = sum(in_threads(play, range(len(plan.cells)), jobs))
    return games / (time.perf_counter() - started)


def into_files(plan: Plan, jobs: int, _number: int = 0) -> float:
    """Play a sweep into a new folder; return games per second."""
    with tempfile.TemporaryDirectory() as folder:
        return sweep(plan, Path(folder) / "sweep", jobs=jobs, quiet=True).played.games_per_second


def measure(*, games: int = 200_000, rounds: int = 3, jobs: int = 1) -> None:
    """Measure and print both rates and their ratio."""
    in_memory(choose_plan(None, None, Changes(games=1)), 1)
    plan = choose_plan(None, None, Changes(games=games))
    ways = {"in memory": in_memory, "into Parquet": into_files}
    samples = {name: partial(play, plan, jobs) for name, play in ways.items()}
    rates = samples_in_turn(samples, rounds)
    print(f"{plan.games:,} games in {len(plan.cells):,} cells, {jobs} threads")
    for name, measured in rates.items():
        print(f"{name}: {median(measured):,.0f} games/s")
    pairs = zip(*rates.values(), strict=True)
    print(f"ratio: {median(files / memory for memory, files in pairs):.2f}")


if __name__ == "__main__":
    run(measure)
