"""Playing one shard of a plan into the columns of its tables, in any thread or process.

A shard is played in short batches, so that a request to stop is soon noticed, even where a strategy
is slow.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from io import BytesIO

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.gathering import summing_identity, sums_of_shard
from ethnos_sim.experiments.execution.guard import check_played_games, check_strangers
from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan, Shard
from ethnos_sim.experiments.storage.manifest import TABLES, file_metadata, sha256_of
from ethnos_sim.experiments.storage.sums import sums_file
from ethnos_sim.experiments.storage.tables import (
    GAME_COLUMNS,
    Columns,
    ColumnType,
    all_seat_columns,
    batch_columns,
    parquet_bytes,
)
from ethnos_sim.simulator.game.records import GAME_DTYPE, SEAT_DTYPE
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.table import GameTable, Seat, check_table
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.strategies.compiling_ahead import compile_ahead
from ethnos_sim.strategies.line_up import Entry, parse_entry
from ethnos_sim.strategies.registry import entry_strategies

#: About how many seconds a batch of games takes.
SECONDS_PER_BATCH = 0.1
#: The most games of a batch.
MOST_GAMES_PER_BATCH = 2_000

#: The largest ratio of the sizes of a batch and the batch before it.
MOST_GROWTH = 8


class StopRequested(Exception):
    """The caller asked to stop a shard before its end; the shard counts as not played."""


class PlanTables:
    """The rules, seats and tables of a plan; a table is prepared when it is asked for.

    `rules` maps each partition to its rules. `columns` maps "games" and "seats" to the columns that
    every file of this table has. `paces` maps a partition and its strategies to the number of games
    that take about SECONDS_PER_BATCH, as far as it was measured.
    """

    def __init__(self, plan: Plan) -> None:
        """Resolve rules and line-ups; WrongInput where a strategy or its settings are not known."""
        self.rules: Mapping[Partition, Rules] = {
            part: plan.rules_of(part) for part in plan.cells_of
        }
        self.columns: Mapping[str, Mapping[str, ColumnType]] = {
            "games": GAME_COLUMNS,
            "seats": all_seat_columns((rules, part.solo) for part, rules in self.rules.items()),
        }
        self.paces: dict[tuple[Partition, frozenset[str]], float] = {}
        self._seats: dict[tuple[Partition, tuple[str, ...]], tuple[Seat, ...]] = {}
        self._cells_of = plan.cells_of
        self._seed = plan.seed
        self.prepared = cache(self._prepared_tables)
        self.entry = cache(self._parsed_entry)
        self._seat = cache(lambda partition, name: self.entry(partition, name).seat())

    def table_of(self, cell: Cell) -> GameTable:
        """The table of a cell; InvalidGame where it cannot be played."""
        partition, clans = cell.partition, cell.clans
        rules, key = self.rules[partition], (partition, cell.line_up)
        if key not in self._seats:
            seats = tuple(self._seat(partition, name) for name in cell.line_up)
            table = GameTable.prepare(rules, partition.players, partition.mode, clans, seats)
            check_strangers([table], self._seed)
            self._seats[key] = seats
        seats = self._seats[key]
        return GameTable.prepare(
            rules, partition.players, partition.mode, clans, seats, cell.rotations, cell.kind
        )

    def _parsed_entry(self, partition: Partition, name: str) -> Entry:
        """An entry of line-ups, which many cells share; StrategyError where it is not known."""
        return parse_entry(name, partition.players, self.rules[partition])

    def _prepared_tables(self, partition: Partition) -> PreparedTables:
        """The tables of a partition's cells, in their order, prepared for the kernel."""
        return PreparedTables(map(self.table_of, self._cells_of[partition]))

    @cached_property
    def _stranger_games(self) -> Mapping[Partition, Counter[str]]:
        """By partition and stranger, the number of games of a round that the stranger plays in."""
        games = {partition: Counter[str]() for partition in self._cells_of}
        for partition, cells in self._cells_of.items():
            for cell in cells:
                seats = (self._seat(partition, name) for name in cell.line_up)
                for name in {stranger.name for seat in seats for stranger in seat.strangers}:
                    games[partition][name] += cell.games_per_round
        return games

    def games_with_strangers(self, plan: Plan) -> Mapping[str, int]:
        """The number of games of the plan that each stranger plays in, by the stranger's name."""
        total = Counter[str]()
        for partition, games in self._stranger_games.items():
            total.update({name: count * plan.rounds[partition] for name, count in games.items()})
        return total


@dataclass(frozen=True)
class PackedShard:
    """A shard as files: its tables, and the sums of their rows."""

    tables: Mapping[str, bytes]
    sums: bytes

    def packed(self) -> PackedShard:
        """This shard, which is already packed."""
        return self

    def frame(self, table: str) -> pl.DataFrame:
        """The rows of a table, with all columns of its file."""
        return pl.read_parquet(BytesIO(self.tables[table]))


@dataclass(frozen=True)
class PlayedShard:
    """The rows of a shard in the process that played it.

    columns  the columns of each table that have values in this shard
    types    all columns of each table's file, with their types
    metadata the metadata of the files
    """

    columns: Mapping[str, Columns]
    types: Mapping[str, Mapping[str, ColumnType]]
    metadata: Mapping[str, str]
    plan: Plan
    shard: Shard

    def packed(self) -> PackedShard:
        """The shard as files, to store them or to send them to another process."""
        tables = {table: self._parquet_file(table) for table in self.columns}
        digests = {table: sha256_of(content) for table, content in tables.items()}
        frames = (self.frame(table) for table in TABLES)
        sums = sums_of_shard(self.plan, self.shard.partition, *frames)
        return PackedShard(tables, sums_file(sums, digests, summing_identity()))

    def _parquet_file(self, table: str) -> bytes:
        """A table as a file; columns without values in this shard are null."""
        columns = self.columns[table]
        frame = pl.DataFrame(columns).select(
            name if name in columns else pl.lit(None, pl.UInt8).alias(name)
            for name in self.types[table]
        )
        return parquet_bytes(frame, self.metadata)

    def frame(self, table: str) -> pl.DataFrame:
        """The rows of a table, without the columns that have no values in this shard."""
        return pl.DataFrame(self.columns[table])


def prepare_plan(plan: Plan) -> PlanTables:
    """The tables of a plan; checks every cell and compiles all code by playing one deal.

    Raises:
        WrongInput: a strategy is not known, or a cell cannot be played.
    """
    tables = PlanTables(plan)
    for part, clans in dict.fromkeys((cell.partition, cell.clans) for cell in plan.cells):
        check_table(tables.rules[part], part.players, part.mode, clans)
    by_line_up = {(cell.partition, cell.line_up): cell for cell in plan.cells}
    for part, line_up in by_line_up:
        for name in line_up:
            tables.entry(part, name)
    compile_ahead(strategy for entry in plan.strategies for strategy in entry_strategies(entry))
    for cell in by_line_up.values():
        tables.table_of(cell)
    play_table(tables.table_of(plan.cells[0]), seed=plan.seed, first_deal=0, deals=1)
    return tables


def play_shard(
    plan: Plan,
    tables: PlanTables,
    shard: Shard,
    *,
    on_games: OnGames = ignore_progress,
    is_stopping: Callable[[], bool] = lambda: False,
) -> PlayedShard:
    """Play a shard.

    Args:
        plan: the shard's plan.
        tables: the plan's tables, from `prepare_plan`.
        shard: what to play.
        on_games: called with the number of games just played.
        is_stopping: whether to stop; called before every batch of games.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
        StrategyError: a strategy cheats.
        StopRequested: `is_stopping` returned true.
    """
    partition = shard.partition
    cells, prepared = plan.cells_of[partition], tables.prepared(partition)
    rounds = np.array([cell.deals_per_round for cell in cells])
    first_deals, deals = shard.first_round * rounds, shard.rounds * rounds
    works = prepared.deal_rows(np.arange(len(cells)), first_deals, deals, plan.seed)
    cell = np.repeat(np.arange(len(cells)), works["games"])
    games = np.zeros(cell.size, GAME_DTYPE)
    seats = np.zeros(cell.size * partition.sides, SEAT_DTYPE)
    played = 0
    for batch in _batches(works, cells, tables):
        if is_stopping():
            raise StopRequested
        end = played + int(batch["games"].sum())
        sides = slice(played * partition.sides, end * partition.sides)
        prepared.play_into(batch, games[played:end], seats[sides])
        on_games(end - played)
        played = end
    check_played_games(prepared, works, games, seats, tables.games_with_strangers(plan))
    metadata = {**file_metadata(plan, shard), "ethnos_sim_rules": tables.rules[partition].rules_id}
    numbers = np.array([cell.number for cell in cells])
    columns = batch_columns(
        numbers[cell],
        games,
        seats.reshape(games.size, -1),
        prepared.tables[0],
        prepared.home_slots[cell],
    )
    return PlayedShard(columns, tables.columns, metadata, plan, shard)


def _batches(works: np.ndarray, cells: Sequence[Cell], tables: PlanTables) -> Iterator[np.ndarray]:
    """A work list in batches that each take about SECONDS_PER_BATCH.

    The speed of games depends on the strategies, and each batch measures it. Cells with the same
    `_pace_key` begin with a single deal; each batch is at most MOST_GROWTH times the one before.
    """
    paces, keys = tables.paces, [_pace_key(cell) for cell in cells]
    first, left = works["first_game"].tolist(), works["games"].tolist()
    row = 0
    while row < len(cells):
        rows: list[int] = []
        firsts: list[int] = []
        counts: list[int] = []
        filled = 0.0  # The part of a batch's time that its games take so far.
        while row < len(cells) and filled < 1:
            pace, rotations = paces.get(keys[row], 1.0), cells[row].rotations
            fitting = int((1 - filled) * pace) // rotations * rotations
            games = min(fitting if rows else max(fitting, rotations), left[row])
            if games == 0:
                break
            rows.append(row)
            firsts.append(first[row])
            counts.append(games)
            filled += games / pace
            first[row] += games
            left[row] -= games
            row += left[row] == 0
        batch = works[rows]
        batch["first_game"], batch["games"] = firsts, counts
        started = time.perf_counter()
        yield batch
        faster = filled * SECONDS_PER_BATCH / max(time.perf_counter() - started, 1e-6)
        for key in {keys[played] for played in rows}:
            pace = paces.get(key, 1.0) * min(faster, MOST_GROWTH)
            paces[key] = min(max(pace, 1.0), MOST_GAMES_PER_BATCH)


def _pace_key(cell: Cell) -> tuple[Partition, frozenset[str]]:
    """The key of a cell in `PlanTables.paces`: what the time of its games depends on."""
    return cell.partition, frozenset(cell.line_up)
