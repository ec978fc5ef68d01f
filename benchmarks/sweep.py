"""The cost of writing: a sweep into Parquet files against the same games played in memory.

    python benchmarks/sweep.py [--games 200000] [--rounds 3] [--jobs 1]

Both play the bundled sweep's cells, in turn. The figure is the median over the rounds of the ratio
of the two rates.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

from ethnos_sim.experiments.execution.playing import MOST_GAMES_AT_A_TIME, prepare_tables
from ethnos_sim.experiments.execution.sweep import choose_plan, sweep
from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.specs.spec import Changes
from ethnos_sim.simulator.tables.batch import play_table


def in_memory(plan: Plan, jobs: int) -> float:
    """Games per second of a plan's games in memory."""
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


def into_files(plan: Plan, jobs: int) -> float:
    """Games per second of a sweep into a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        return sweep(plan, Path(folder) / "sweep", jobs=jobs, quiet=True).played.games_per_second


def main() -> None:
    """Measure and print both rates and their ratio."""
    parser = argparse.ArgumentParser(description="A sweep into files against play in memory.")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    small = choose_plan(None, None, Changes(games=1))
    in_memory(small, 1)
    plan = choose_plan(None, None, Changes(games=given.games))
    pairs = [
        (in_memory(plan, given.jobs), into_files(plan, given.jobs)) for _ in range(given.rounds)
    ]
    print(f"{plan.games:,} games in {len(plan.cells):,} cells, {given.jobs} threads")
    print(f"in memory: {median(memory for memory, _ in pairs):,.0f} games/s")
    print(f"into Parquet: {median(files for _, files in pairs):,.0f} games/s")
    print(f"ratio: {median(files / memory for memory, files in pairs):.2f}")


if __name__ == "__main__":
    main()
