"""How long a plan takes and how much disk: measured on a few games that are none of its own.

Every kind of cell (rules, players, mode and strategies) plays for a moment with a seed and deals of
this module's own, in as many threads as the sweep will have. Nothing is written.
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

from ethnos_sim.experiments.designs.interventions import without_intervention
from ethnos_sim.experiments.execution.playing import Tables
from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan
from ethnos_sim.experiments.storage.files import nearest_folder
from ethnos_sim.experiments.storage.manifest import TABLES
from ethnos_sim.experiments.storage.tables import Columns, columns_of, parquet
from ethnos_sim.simulator.batch import play_table
from ethnos_sim.simulator.errors import WrongInput

#: How long a cell plays to be known, and how many games it plays at most.
SECONDS_A_CELL = 0.2
MOST_GAMES = 4_000

#: Where a plan has few kinds, several clan sets of each are measured.
CELLS = 8

#: No shard should take longer; a glance at each kind, of so many seconds, tells which ones would.
MOST_SECONDS_A_SHARD = 30.0
SECONDS_A_GLANCE = 0.005

#: A plan of fewer games has shards so small that no glance is needed.
SMALL = 5_000

#: Calibration plays deals that no sweep reaches, with a seed of its own.
SEED = 2**62 + 1
FIRST_DEAL = 2**40

#: No game takes more on disk; a plan that fits even so needs no measuring.
MOST_BYTES_A_GAME = 1_000

CellKind = tuple[Partition, tuple[str, ...]]
"""A partition and a line-up, whichever clans its entries may or must lead with."""


class Sample(NamedTuple):
    """What a kind of cell needs for one game: seconds of one thread, and bytes of its tables."""

    seconds_a_game: float
    bytes_a_game: float


class Needs(NamedTuple):
    """What a plan needs: games, seconds, and bytes on disk."""

    games: int
    seconds: float
    bytes: float


def sample_kinds(plan: Plan, tables: Tables, jobs: int) -> dict[CellKind, Sample]:
    """What every kind of cell of a plan needs, measured side by side in `jobs` threads."""
    kinds = _kinds(plan)
    chosen = {
        kind: cells[:: max(1, len(cells) * len(kinds) // CELLS)] for kind, cells in kinds.items()
    }
    for cells in chosen.values():
        _load(tables, cells[0])
    every = [cell for cells in chosen.values() for cell in cells]
    played = iter(in_threads(lambda cell: _played(tables, cell, SECONDS_A_CELL), every, jobs))
    return {kind: _sample([next(played) for _ in cells]) for kind, cells in chosen.items()}


def needs_of(
    plan: Plan, rounds: Mapping[Partition, int], samples: Mapping[CellKind, Sample], jobs: int
) -> Needs:
    """What so many rounds of each partition need, if `jobs` threads share the work evenly."""
    games, seconds, size = 0, 0.0, 0.0
    for cell in plan.cells:
        of_cell = rounds[cell.partition] * cell.games_per_round
        sample = samples[_kind(cell)]
        games += of_cell
        seconds += of_cell * sample.seconds_a_game
        size += of_cell * sample.bytes_a_game
    return Needs(games, seconds / jobs, size)


def size_in_words(size: float) -> str:
    """So many bytes in the largest unit of which there is one, as in 3.4 MB."""
    units = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
    unit, least = next((each for each in units if size >= each[1]), units[-1])
    return f"{size / least:,.1f} {unit}"


def check_space(plan: Plan, folder: Path, tables: Tables) -> None:
    """Refuse a plan whose tables take more room than there is where its folder is or will be.

    Of a sweep with a target the games count by which it is as likely as not to have ended.

    Raises:
        WrongInput: with the bytes that all games take, and those that are free.
    """
    mend = "ask for fewer with --games"
    if plan.schedule is not None:
        plan = plan.with_at_least(plan.schedule.expected(plan.cells_of))
        mend = "ask for a wider interval in the spec's target"
    free = shutil.disk_usage(nearest_folder(folder)).free
    if plan.games * MOST_BYTES_A_GAME <= free:
        return
    needs = needs_of(plan, plan.rounds, sample_kinds(plan, tables, jobs=1), jobs=1)
    held = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    if needs.bytes - held > free:
        raise WrongInput(
            f"{needs.games:,} games take about {size_in_words(needs.bytes)}, and the disk of "
            f"'{folder}' has {size_in_words(free)} left; {mend}"
        )


def with_shard_sizes(plan: Plan, tables: Tables) -> Plan:
    """The plan with smaller shards where strategies are so slow that a shard would take too long.

    Sizes that somebody decided stay. They are powers of two, so that a machine's moods decide
    little.
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
    return cell.partition, tuple(without_intervention(name) for name in cell.line_up)


def _kinds(plan: Plan) -> dict[CellKind, list[Cell]]:
    kinds: dict[CellKind, list[Cell]] = {}
    for cell in plan.cells:
        kinds.setdefault(_kind(cell), []).append(cell)
    return kinds


def _load(tables: Tables, cell: Cell) -> None:
    """Have a cell's code compiled and loaded, which is no part of a game's time."""
    play_table(tables.of(cell), seed=SEED, first_deal=FIRST_DEAL, deals=1)


def _sample(played: Sequence[tuple[Mapping[str, Columns], float]]) -> Sample:
    """What played cells of a kind need, by Parquet files of all their games, as shards have them.

    A file of few games takes two to three times the room for each.
    """
    frames = [pl.concat(pl.DataFrame(columns[table]) for columns, _ in played) for table in TABLES]
    started = time.perf_counter()
    size = sum(len(parquet(frame)) for frame in frames)
    packing = (time.perf_counter() - started) / len(frames[0])
    seconds = fmean(seconds for _, seconds in played) + packing
    size -= sum(len(parquet(frame.clear())) for frame in frames)
    return Sample(seconds, size / len(frames[0]))


def _played(tables: Tables, cell: Cell, seconds: float) -> tuple[dict[str, Columns], float]:
    """Play a cell for about so long in growing batches: the last one, and seconds a game."""
    table = tables.of(cell)
    games, took, deals = 0, 0.0, 1
    while True:
        started = time.perf_counter()
        batch = play_table(table, seed=SEED, first_deal=FIRST_DEAL + games, deals=deals)
        rows = batch.games.size
        columns = columns_of(cell.number, batch.games, batch.seats, batch.table)
        spent = time.perf_counter() - started
        games, took = games + rows, took + spent
        fitting = int(deals * (seconds - took) / max(spent, 1e-6))
        if fitting < deals or games >= MOST_GAMES:
            return columns, spent / rows
        deals = min(4 * deals, fitting)
