"""Measure the time and disk space of a plan on a few games that do not belong to it.

Every partition plays a few rounds, of one cell for each line-up, with another seed and other deals
than the sweep. Nothing is written.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ethnos_sim.experiments.execution.playing import Tables
from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan
from ethnos_sim.experiments.storage.files import nearest_folder
from ethnos_sim.experiments.storage.manifest import TABLES
from ethnos_sim.experiments.storage.tables import columns_of, parquet
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import IllegalMove, WrongInput

#: The fewest seconds for which a partition is measured, if it does not reach MOST_GAMES before.
SECONDS = 0.1
MOST_GAMES = 10_000

#: The fewest seconds for which it is measured to find shards that would take too long.
SECONDS_A_GLANCE = 0.02

#: The most seconds that a shard should take.
MOST_SECONDS_A_SHARD = 30.0

#: A plan of fewer games than this has small shards, which need no test.
SMALL = 5_000

#: The seed of calibration, which no sweep uses, and its first deal, which no sweep reaches.
SEED, FIRST_DEAL = 2**62 + 1, 2**40

#: No game takes more bytes on disk than this. A plan that fits even so is not measured.
MOST_BYTES_A_GAME = 1_000


class Needs(NamedTuple):
    """What games take: their number, seconds, and bytes on disk."""

    games: int
    seconds: float
    bytes: float


def needs_of(plan: Plan, tables: Tables, jobs: int) -> Needs:
    """What a plan's games take if `jobs` threads share the work evenly."""
    of_games = _needs_of_games(plan, tables, jobs, SECONDS)
    games = {part: plan.rounds[part] * plan.games_per_round(part) for part in of_games}
    return Needs(
        plan.games,
        sum(games[part] * needs.seconds for part, needs in of_games.items()) / jobs,
        sum(games[part] * needs.bytes for part, needs in of_games.items()),
    )


def size_in_words(size: float) -> str:
    """A number of bytes in the largest fitting unit, as in 3.4 MB."""
    units = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
    unit, least = next((known for known in units if size >= known[1]), units[-1])
    return f"{size / least:,.1f} {unit}"


def check_space(plan: Plan, folder: Path, tables: Tables) -> None:
    """Refuse a plan whose tables take more space than the disk of its folder has left.

    Raises:
        WrongInput: the space is too small; the message says how much all games take.
    """
    free = shutil.disk_usage(nearest_folder(folder)).free
    if plan.games * MOST_BYTES_A_GAME <= free:
        return
    needs = needs_of(plan, tables, jobs=1)
    held = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    if needs.bytes - held > free:
        raise WrongInput(
            f"{needs.games:,} games take about {size_in_words(needs.bytes)}, and the disk of "
            f"'{folder}' has {size_in_words(free)} left; "
            "ask for fewer with --games"
        )


def with_shard_sizes(plan: Plan, tables: Tables) -> Plan:
    """The plan with smaller shards where strategies are so slow that a shard would take too long.

    Sizes that are set already stay. New sizes are powers of two, so that they hardly depend on
    fluctuations of the machine.
    """
    if plan.shard_games or plan.games < SMALL:
        return plan
    sizes = {}
    for partition, needs in _needs_of_games(plan, tables, 1, SECONDS_A_GLANCE).items():
        fitting = max(1, int(MOST_SECONDS_A_SHARD / needs.seconds))
        if fitting < plan.usual_shard_games:
            sizes[partition] = 2 ** (fitting.bit_length() - 1)
    return replace(plan, shard_games=sizes)


def _needs_of_games(
    plan: Plan, tables: Tables, jobs: int, seconds: float
) -> dict[Partition, Needs]:
    """What one game of each partition takes; `jobs` partitions play at the same time."""
    several = {
        partition: [*{(cell.line_up, cell.kind): cell for cell in cells}.values()]
        for partition, cells in plan.cells_of.items()
    }
    measured = in_threads(
        lambda cells: _measured(tables, cells, seconds), [*several.values()], jobs
    )
    return dict(zip(several, measured, strict=True))


def _measured(tables: Tables, cells: Sequence[Cell], seconds: float) -> Needs:
    """What one game takes on average over some rounds of the cells.

    How many rounds are played depends on the machine. So a strategy that fails after the first
    round ends the measurement, and nothing else.

    Raises:
        IllegalMove: a strategy fails in the first round, which is always the same.
    """
    prepared = PreparedTables(map(tables.of, cells))
    try:
        measured = _played(prepared, cells, 1)  # Loads code, which is no time of a game.
    except IllegalMove as error:
        told = f"{error} (in a game that is no part of the sweep and only measures time and space)"
        raise type(error)(told) from error
    rounds, spent = 1, 0.0
    while spent < seconds and measured.games < MOST_GAMES:
        try:
            measured = _played(prepared, cells, rounds)
        except IllegalMove:
            break
        spent, rounds = measured.seconds, 4 * rounds
    return Needs(1, measured.seconds / measured.games, measured.bytes / measured.games)


def _played(prepared: PreparedTables, cells: Sequence[Cell], rounds: int) -> Needs:
    """Play rounds of cells; what their games take, without the files' fixed size."""
    started = time.perf_counter()
    deals = [rounds * cell.deals_per_round for cell in cells]
    works = prepared.rows(np.arange(len(cells)), FIRST_DEAL, deals, SEED)
    games, seats = prepared.play(works)
    columns = columns_of(
        np.repeat([cell.number for cell in cells], works["games"]),
        games,
        seats.reshape(games.size, -1),
        prepared.tables[0],
        np.repeat(prepared.homes, works["games"], axis=0),
    )
    frames = [pl.DataFrame(columns[table]) for table in TABLES]
    size = sum(len(parquet(frame)) for frame in frames)
    spent = time.perf_counter() - started
    return Needs(games.size, spent, size - sum(len(parquet(frame.clear())) for frame in frames))
