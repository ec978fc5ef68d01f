"""Playing one shard of a plan into the columns of its tables, in whatever thread or process.

A shard is played in short batches, so that whoever plays it notices soon when it is told to stop,
also where a strategy takes its time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

import numpy as np
import polars as pl

from ethnos_sim.experiments.execution.repeating import check_repeatable
from ethnos_sim.experiments.execution.threads import OnGames, tell_nobody
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan, Shard
from ethnos_sim.experiments.storage.manifest import TABLES, about_file
from ethnos_sim.experiments.storage.tables import (
    GAME_COLUMNS,
    Columns,
    all_seat_columns,
    columns_of,
    joined,
    parquet,
)
from ethnos_sim.simulator.batch import play_table
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.table import GameTable, Seat
from ethnos_sim.strategies import LineUp
from ethnos_sim.strategies.compiling_ahead import compile_ahead
from ethnos_sim.strategies.registry import played_by

#: Tables that are kept laid, about 20 kB each.
MOST_TABLES = 2**13

#: How long a batch of games takes, about, and how many games it has at most.
SECONDS_AT_A_TIME = 0.1
MOST_GAMES_AT_A_TIME = 2_000

#: By how much the next batch of a line-up may be larger than the last.
GROWTH = 8


class StopAsked(Exception):
    """Whoever plays was told to stop; the shard counts as not played."""


class Tables:
    """What a plan is played with: rules, the players of each line-up, and tables when asked for.

    `rules` are by partition; `columns` are those of every file, by table. Tables are kept, though
    not of more cells than MOST_TABLES: a table takes time to lay and room to keep.
    """

    def __init__(self, plan: Plan) -> None:
        """Resolve rules and line-ups; WrongInput where a strategy or its settings are not known."""
        self.rules: Mapping[Partition, Rules] = {
            part: plan.rules_of(part) for part in plan.cells_of
        }
        self.columns: Mapping[str, Mapping[str, type[np.integer]]] = {
            "games": GAME_COLUMNS,
            "seats": all_seat_columns((rules, part.solo) for part, rules in self.rules.items()),
        }
        self._seats: dict[tuple[Partition, tuple[str, ...]], tuple[Seat, ...]] = {}
        self._seed = plan.seed
        self._table = lru_cache(MOST_TABLES)(self._lay)

    def of(self, cell: Cell) -> GameTable:
        """The table of a cell; InvalidGame where it cannot be played."""
        return self._table(cell.partition, cell.clans, cell.line_up, cell.rotations)

    def _lay(
        self, part: Partition, clans: tuple[str, ...], line_up: tuple[str, ...], rotations: int
    ) -> GameTable:
        rules, key = self.rules[part], (part, line_up)
        if key not in self._seats:
            entries = LineUp.parse(line_up, players=part.players, rules=rules)
            self._seats[key] = tuple(entries.seats())
            table = GameTable.prepare(rules, part.players, part.mode, clans, self._seats[key])
            check_repeatable(entries, table, self._seed)
        seats = self._seats[key]
        return GameTable.prepare(rules, part.players, part.mode, clans, seats, rotations)


@dataclass(frozen=True)
class PackedShard:
    """A shard as files."""

    tables: Mapping[str, bytes]

    def packed(self) -> PackedShard:
        """Itself."""
        return self

    def frame(self, table: str) -> pl.DataFrame:
        """The rows of a table, with the columns of its file."""
        return pl.read_parquet(BytesIO(self.tables[table]))


@dataclass(frozen=True)
class PlayedShard:
    """A shard's rows where it was played.

    columns  of each table, those that mean something for the shard
    kinds    all columns of each table's file
    about    what a file says of itself
    """

    columns: Mapping[str, Columns]
    kinds: Mapping[str, Mapping[str, type[np.integer]]]
    about: Mapping[str, str]

    def packed(self) -> PackedShard:
        """The shard as files, which are stored, or sent to another process."""
        return PackedShard({table: self._packed(table) for table in self.columns})

    def _packed(self, table: str) -> bytes:
        """A table as a file; columns that mean nothing for the shard are null."""
        columns = self.columns[table]
        frame = pl.DataFrame(columns).select(
            name if name in columns else pl.lit(None, pl.UInt8).alias(name)
            for name in self.kinds[table]
        )
        return parquet(frame, self.about)

    def frame(self, table: str) -> pl.DataFrame:
        """The rows of a table."""
        return pl.DataFrame(self.columns[table])


def prepare_tables(plan: Plan) -> Tables:
    """The tables of a plan, with every cell checked, and all code compiled by playing one deal.

    Raises:
        WrongInput: a strategy is not known, or a cell cannot be played.
    """
    compile_ahead(each for entry in plan.strategies for each in played_by(entry))
    tables = Tables(plan)
    # A table is sound where its clans are with any line-up, and its line-up with any clans.
    by_clans = {(cell.partition, cell.clans): cell for cell in plan.cells}
    by_line_up = {(cell.partition, cell.line_up): cell for cell in plan.cells}
    for cell in (*by_clans.values(), *by_line_up.values()):
        tables.of(cell)
    play_table(tables.of(plan.cells[0]), seed=plan.seed, first_deal=0, deals=1)
    return tables


def play_shard(
    plan: Plan,
    tables: Tables,
    shard: Shard,
    *,
    on_games: OnGames = tell_nobody,
    stopping: Callable[[], bool] = lambda: False,
) -> PlayedShard:
    """Play a shard.

    Args:
        plan: what the shard belongs to.
        tables: the plan's tables, from `prepare_tables`.
        shard: what to play.
        on_games: told of the games played.
        stopping: whether to stop; asked after every batch of games.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
        StopAsked: `stopping` said so.
    """
    partition = shard.partition
    batches: dict[str, list[Columns]] = {table: [] for table in TABLES}
    sizes: dict[Sequence[str], int] = {}  # games that take SECONDS_AT_A_TIME, by line-up
    for cell in plan.cells_of[partition]:
        deals = shard.rounds * cell.deals_per_round
        first_deal = shard.first_round * cell.deals_per_round
        played = 0
        while played < deals:
            if stopping():
                raise StopAsked
            size = sizes.get(cell.line_up, 1)
            step = min(max(1, size // cell.rotations), deals - played)
            started = time.perf_counter()
            batch = play_table(
                tables.of(cell),
                seed=plan.seed,
                first_deal=first_deal + played,
                deals=step,
            )
            games_a_second = batch.games.size / max(time.perf_counter() - started, 1e-6)
            fitting = max(1, int(games_a_second * SECONDS_AT_A_TIME))
            sizes[cell.line_up] = min(fitting, batch.games.size * GROWTH, MOST_GAMES_AT_A_TIME)
            found = columns_of(cell.number, batch.games, batch.seats, batch.table)
            for table, columns in found.items():
                batches[table].append(columns)
            played += step
            on_games(batch.games.size)
    about = {**about_file(plan, shard), "ethnos_sim_rules": tables.rules[partition].rules_id}
    shard_columns = {table: joined(own) for table, own in batches.items()}
    return PlayedShard(shard_columns, tables.columns, about)
