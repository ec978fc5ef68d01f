"""Measure the time and disk space of a plan on a few games that do not belong to it.

Every kind of cell (rules, players, mode and strategies) plays for a moment with another seed and
other deals than the sweep, in as many threads as the sweep will have. Nothing is written.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import polars as pl

from ethnos_sim.experiments.execution.playing import Tables
from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan
from ethnos_sim.experiments.storage.files import nearest_folder
from ethnos_sim.experiments.storage.manifest import TABLES
from ethnos_sim.experiments.storage.tables import Columns, columns_of, parquet
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.utilities.errors import IllegalMove, WrongInput

#: The seconds after which the measurement of a cell ends.
SECONDS_A_CELL = 0.2
#: The games after which the measurement ends, if these games take less time.
MOST_GAMES = 4_000

#: About this many cells are measured. If a plan has fewer kinds of cells, several clan sets of each
#: kind are measured.
CELLS = 8

#: The most seconds that a shard should take.
MOST_SECONDS_A_SHARD = 30.0

#: The seconds for which each kind of cell is tested, to find shards that would take too long.
SECONDS_A_GLANCE = 0.005

#: A plan of fewer games than this has small shards, which need no test.
SMALL = 5_000

#: The seed of calibration, which no sweep uses.
SEED = 2**62 + 1
#: The first deal of calibration; no sweep reaches it.
FIRST_DEAL = 2**40

#: No game takes more bytes on disk than this. A plan that fits even so is not measured.
MOST_BYTES_A_GAME = 1_000

CellKind = tuple[Partition, tuple[str, ...]]
"""A partition and a line-up, whichever clans its entries may or must lead with."""


class Sample(NamedTuple):
    """What one game of a kind of cell takes: seconds of one thread, and bytes of its tables."""

    seconds_a_game: float
    bytes_a_game: float


class Needs(NamedTuple):
    """What a plan takes: games, seconds, and bytes on disk."""

    games: int
    seconds: float
    bytes: float


def sample_kinds(plan: Plan, tables: Tables, jobs: int) -> dict[CellKind, Sample]:
    """Measure every kind of cell of a plan, in `jobs` threads at the same time."""
    kinds = _kinds(plan)
    chosen = {
        kind: cells[:: max(1, len(cells) * len(kinds) // CELLS)] for kind, cells in kinds.items()
    }
    for cells in chosen.values():
        _load(tables, cells[0])
    every = [cell for cells in chosen.values() for cell in cells]
    played = iter(in_threads(lambda cell: _played(tables, cell, SECONDS_A_CELL), every, jobs))
    return {kind: _sample([next(played) for _ in cells]) for kind, cells in chosen.items()}


def needs_of(plan: Plan, samples: Mapping[CellKind, Sample], jobs: int) -> Needs:
    """What a plan's games take if `jobs` threads share the work evenly."""
    games, seconds, size = 0, 0.0, 0.0
    for cell in plan.cells:
        of_cell = plan.rounds[cell.partition] * cell.games_per_round
        sample = samples[_kind(cell)]
        games += of_cell
        seconds += of_cell * sample.seconds_a_game
        size += of_cell * sample.bytes_a_game
    return Needs(games, seconds / jobs, size)


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
    needs = needs_of(plan, sample_kinds(plan, tables, jobs=1), jobs=1)
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
    glances = {}
    for kind, (cell, *_) in _kinds(plan).items():
        _load(tables, cell)
        glances[kind] = _played(tables, cell, SECONDS_A_GLANCE)[1]
    sizes = {}
    for partition, cells in plan.cells_of.items():
        games = sum(cell.games_per_round for cell in cells)
        seconds = sum(glances[_kind(cell)] * cell.games_per_round for cell in cells)
        fitting = max(1, int(MOST_SECONDS_A_SHARD * games / seconds))
        if fitting < plan.usual_shard_games:
            sizes[partition] = 2 ** (fitting.bit_length() - 1)
    return replace(plan, shard_games=sizes)


def _kind(cell: Cell) -> CellKind:
    return cell.partition, cell.line_up


def _kinds(plan: Plan) -> dict[CellKind, list[Cell]]:
    kinds: dict[CellKind, list[Cell]] = {}
    for cell in plan.cells:
        kinds.setdefault(_kind(cell), []).append(cell)
    return kinds


def _load(tables: Tables, cell: Cell) -> None:
    """Compile and load a cell's code, so that this does not count as time of a game.

    Raises:
        IllegalMove: a strategy fails in this game, which is always the same.
    """
    try:
        play_table(tables.of(cell), seed=SEED, first_deal=FIRST_DEAL, deals=1)
    except IllegalMove as error:
        told = f"{error} (in a game that is no part of the sweep and only measures time and space)"
        raise type(error)(told) from error


def _sample(played: Sequence[tuple[Mapping[str, Columns], float]]) -> Sample:
    """What one of the games in `played` takes; one Parquet file of all games gives the bytes.

    In files of few games each game would take two to three times as much space.
    """
    frames = [pl.concat(pl.DataFrame(columns[table]) for columns, _ in played) for table in TABLES]
    started = time.perf_counter()
    size = sum(len(parquet(frame)) for frame in frames)
    packing = (time.perf_counter() - started) / len(frames[0])
    seconds = fmean(seconds for _, seconds in played) + packing
    size -= sum(len(parquet(frame.clear())) for frame in frames)
    return Sample(seconds, size / len(frames[0]))


def _played(tables: Tables, cell: Cell, seconds: float) -> tuple[dict[str, Columns], float]:
    """Play a cell in growing batches for a time; return the last batch and its seconds per game.

    How many games are played depends on the machine. So a strategy that fails after the first batch
    ends the measurement, and nothing else.
    """
    table = tables.of(cell)
    games, took, deals = 0, 0.0, 1
    measured: tuple[dict[str, Columns], float] | None = None
    while True:
        started = time.perf_counter()
        try:
            batch = play_table(table, seed=SEED, first_deal=FIRST_DEAL + games, deals=deals)
        except IllegalMove:
            if measured is None:
                raise
            return measured
        rows = batch.games.size
        columns = columns_of(cell.number, batch.games, batch.seats, batch.table)
        spent = time.perf_counter() - started
        games, took, measured = games + rows, took + spent, (columns, spent / rows)
        fitting = int(deals * (seconds - took) / max(spent, 1e-6))
        if fitting < deals or games >= MOST_GAMES:
            return measured
        deals = min(4 * deals, fitting)
