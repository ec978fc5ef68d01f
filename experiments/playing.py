"""Playing one shard of a plan into the bytes of its tables, in whatever thread or process.

A shard is played in short batches, so that whoever plays it notices soon when it is told to stop,
also where a strategy takes its time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ethnos_sim.experiments.manifest import TABLES, about_file
from ethnos_sim.experiments.plan import Partition, Plan, Shard
from ethnos_sim.experiments.tables import (
    COUNTED,
    GAME_COLUMNS,
    Columns,
    empty_columns,
    fill_games,
    fill_seats,
    parquet,
    seat_columns,
    totals,
)
from ethnos_sim.simulator.batch import play_table
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.table import Table
from ethnos_sim.strategies import LineUp

#: How long a batch of games takes, about, and how many games it has at most.
SECONDS_AT_A_TIME = 0.1
MOST_GAMES_AT_A_TIME = 2_000

#: By how much the next batch of a line-up may be larger than the last.
GROWTH = 8


class StopAsked(Exception):
    """Whoever plays was told to stop; the shard counts as not played."""


@dataclass(frozen=True)
class Tables:
    """The prepared table of every cell of a plan, by cell number, and the rules by partition."""

    rules: Mapping[Partition, Rules]
    of_cell: Mapping[int, Table]


@dataclass(frozen=True)
class PlayedShard:
    """A shard's tables as Parquet files, how many rows each has, and sums of its columns."""

    tables: Mapping[str, bytes]
    rows: Mapping[str, int]
    counts: Mapping[str, Mapping[str, int]]


def prepare_tables(plan: Plan) -> Tables:
    """The tables of a plan, with every cell checked, and all code compiled by playing one deal.

    Raises:
        WrongInput: a strategy is not known, or a cell cannot be played.
    """
    resolved = {
        (each.edition, each.name): plan.rules(each.edition, each.name) for each in plan.editions
    }
    rules = {part: resolved[part.edition, part.rules] for part in plan.cells_of}
    seats = {}
    tables = {}
    for cell in plan.cells:
        part = cell.partition
        key = part, cell.line_up
        if key not in seats:
            line_up = LineUp.parse(cell.line_up, players=part.players, rules=rules[part])
            seats[key] = line_up.seats()
        tables[cell.number] = Table.prepare(
            rules[part], part.players, part.mode, cell.clans, seats[key]
        )
    play_table(tables[plan.cells[0].number], seed=plan.seed, first_deal=0, deals=1)
    return Tables(rules, tables)


def play_shard(
    plan: Plan,
    tables: Tables,
    shard: Shard,
    *,
    on_games: Callable[[int], None] = lambda games: None,
    stopping: Callable[[], bool] = lambda: False,
) -> PlayedShard:
    """Play a shard.

    Args:
        plan: what the shard belongs to.
        tables: the plan's tables, from `prepare_tables`.
        shard: what to play.
        on_games: called with a number of games just played.
        stopping: whether to stop; asked after every batch of games.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
        StopAsked: `stopping` said so.
    """
    columns = play_columns(plan, tables, shard, on_games=on_games, stopping=stopping)
    about = about_file(plan, shard)
    about["ethnos_sim_rules"] = tables.rules[shard.partition].rules_id
    return PlayedShard(
        {table: parquet(columns[table], about) for table in TABLES},
        {table: columns[table]["cell"].size for table in TABLES},
        {table: totals(columns[table], COUNTED[table]) for table in TABLES},
    )


def play_columns(
    plan: Plan,
    tables: Tables,
    shard: Shard,
    *,
    on_games: Callable[[int], None] = lambda games: None,
    stopping: Callable[[], bool] = lambda: False,
) -> dict[str, Columns]:
    """Play a shard into the columns of its two tables; arguments and errors as `play_shard`."""
    partition = shard.partition
    rules = tables.rules[partition]
    rows = plan.games_of(shard)
    games = empty_columns(GAME_COLUMNS, rows)
    sides = partition.sides
    seats = empty_columns(seat_columns(rules, solo=partition.solo), rows * sides)
    row = 0
    pace = Pace()
    for cell in plan.cells_of[partition]:
        deals = shard.rounds * cell.deals_per_round
        first_deal = shard.first_round * cell.deals_per_round
        played = 0
        while played < deals:
            if stopping():
                raise StopAsked
            step = min(pace.deals(cell.line_up, cell.rotations), deals - played)
            started = time.perf_counter()
            batch = play_table(
                tables.of_cell[cell.number],
                seed=plan.seed,
                first_deal=first_deal + played,
                deals=step,
            )
            pace.took(cell.line_up, batch.games.size, time.perf_counter() - started)
            fill_games(games, row, cell.number, batch.games)
            fill_seats(seats, row * sides, cell.number, batch.games, batch.seats, rules)
            row += batch.games.size
            played += step
            on_games(batch.games.size)
    return {"games": games, "seats": seats}


class Pace:
    """How many games to play at a time, by line-up, so that a batch takes SECONDS_AT_A_TIME."""

    def __init__(self) -> None:
        """Begin with one deal of each line-up."""
        self._games: dict[Sequence[str], int] = {}

    def deals(self, line_up: Sequence[str], rotations: int) -> int:
        """How many deals to play next, at least one."""
        return max(1, self._games.get(line_up, 1) // rotations)

    def took(self, line_up: Sequence[str], games: int, seconds: float) -> None:
        """Learn how long so many games took."""
        fitting = int(games * SECONDS_AT_A_TIME / max(seconds, 1e-6))
        self._games[line_up] = min(max(1, fitting), games * GROWTH, MOST_GAMES_AT_A_TIME)
