"""Measure the cost of a page: gathering a folder's rows, writing the page, and a plain grouping.

    python benchmarks/report.py DIR

The peer is polars, which reads the same files and groups all seats by cell and line-up entry. All
three parts are timed in one process, the peer first, by the processor time of all its threads;
memory is the peak of the process.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
from runner import run

from ethnos_sim.experiments.evidence.gathering import gather_results, open_summed
from ethnos_sim.experiments.storage.results import Results, sweeps_in
from ethnos_sim.reports.page.report import write_report


def seconds(work: Callable[[], object]) -> float:
    """The processor time of a piece of work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def group(opened: list[Results]) -> None:
    """Group every table of seats by cell and entry: mean prestige and wins."""
    for results in opened:
        for partition in results.partitions:
            seats = results.of(partition, "seats")
            seats.group_by("cell", "entry").agg(pl.col("prestige", "won").mean()).collect()


def measure(folder: Path) -> None:
    """Measure and print all parts."""
    folders = sweeps_in(folder)
    opened = [open_summed(folder) for folder in folders]
    games = sum(results.games_held for results in opened)
    peer = seconds(lambda: group(opened))
    gathering = seconds(lambda: gather_results(opened))
    with tempfile.TemporaryDirectory() as scratch:
        page = seconds(lambda: write_report(folders, Path(scratch) / "page.html"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{games:,} games in {len(folders)} sweeps")
    print(f"grouping all seats with polars: {peer:.1f} s")
    print(f"gathering: {gathering:.1f} s, {gathering / peer:.1f} times that")
    print(f"the whole page, gathering included: {page:.1f} s, {1e6 * page / games:.1f} s a million")
    print(f"highest memory: {memory:,.0f} MB")


if __name__ == "__main__":
    run(measure)
