"""Playing a plan: shards side by side in threads, each written as soon as it is played.

The kernel holds no interpreter lock, so threads use all cores and share one compiled engine. No
shard stays in memory after it is written, so memory does not grow with the sweep.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from joblib import Parallel, delayed

from ethnos_sim.experiments.manifest import TABLES
from ethnos_sim.experiments.plan import Partition, Plan, Shard, missing_shards
from ethnos_sim.experiments.store import Store
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

#: Games a thread plays before it looks whether to stop and tells how far it is.
GAMES_AT_A_TIME = 2_000

#: How long an interrupted sweep waits for its threads to reach a point where they stop.
SECONDS_TO_STOP = 30.0


class _StopAsked(Exception):
    """A thread was told to stop; its shard counts as not played."""


@dataclass(frozen=True)
class Tables:
    """The prepared table of every cell of a plan, by cell number, and the rules by partition."""

    rules: Mapping[Partition, Rules]
    of_cell: Sequence[Table]


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
    tables = []
    for cell in plan.cells:
        part = cell.partition
        key = part, cell.line_up
        if key not in seats:
            line_up = LineUp.parse(cell.line_up, players=part.players, rules=rules[part])
            seats[key] = line_up.seats()
        tables.append(Table.prepare(rules[part], part.players, part.mode, cell.clans, seats[key]))
    play_table(tables[0], seed=plan.seed, first_deal=0, deals=1)
    return Tables(rules, tables)


class Player:
    """Plays shards of a plan and adds them to its store; used by several threads at once."""

    def __init__(self, store: Store, tables: Tables, on_games: Callable[[int], None]) -> None:
        """Keep where shards go and whom to tell how many games were played."""
        self._store = store
        self._tables = tables
        self._on_games = on_games
        self._stop = threading.Event()
        self._at_work = 0
        self._changed = threading.Condition()

    def play(self, shard: Shard) -> None:
        """Play a shard and write it; nothing is written once `stop` was called.

        Raises:
            IllegalMove: a strategy answered with a move that the rules forbid.
            Failed: the shard cannot be written.
        """
        with self._changed:
            self._at_work += 1
        try:
            plan = self._store.plan
            games, seats = self._columns(shard)
            columns = {"games": games, "seats": seats}
            about = {
                "ethnos_sim_plan": plan.plan_id,
                "ethnos_sim_version": plan.version,
                "ethnos_sim_shard": shard.path,
                "ethnos_sim_rules": self._tables.rules[shard.partition].rules_id,
            }
            self._store.add(
                shard,
                {table: parquet(columns[table], about) for table in TABLES},
                {table: columns[table]["cell"].size for table in TABLES},
                {table: totals(columns[table], COUNTED[table]) for table in TABLES},
            )
        except _StopAsked:
            return
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    def stop(self) -> None:
        """Ask all threads to stop, and wait until the last one has."""
        self._stop.set()
        with self._changed:
            self._changed.wait_for(lambda: self._at_work == 0, timeout=SECONDS_TO_STOP)

    def _columns(self, shard: Shard) -> tuple[Columns, Columns]:
        """Play a shard into the columns of its two tables."""
        plan = self._store.plan
        partition = shard.partition
        rules = self._tables.rules[partition]
        rows = plan.games_of(shard)
        games = empty_columns(GAME_COLUMNS, rows)
        sides = partition.sides
        seats = empty_columns(seat_columns(rules, solo=partition.solo), rows * sides)
        row = 0
        for cell in plan.cells_of[partition]:
            deals = shard.rounds * cell.deals_per_round
            first_deal = shard.first_round * cell.deals_per_round
            step = max(1, GAMES_AT_A_TIME // cell.rotations)
            for start in range(0, deals, step):
                if self._stop.is_set():
                    raise _StopAsked
                batch = play_table(
                    self._tables.of_cell[cell.number],
                    seed=plan.seed,
                    first_deal=first_deal + start,
                    deals=min(step, deals - start),
                )
                fill_games(games, row, cell.number, batch.games)
                fill_seats(seats, row * sides, cell.number, batch.games, batch.seats, rules)
                row += batch.games.size
                self._on_games(batch.games.size)
        return games, seats


@dataclass(frozen=True, slots=True)
class Played:
    """What one run of a sweep played: games, and the seconds that took."""

    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """The rate, 0 when nothing was played."""
        return self.games / self.seconds if self.games else 0.0

    def __add__(self, more: Played) -> Played:
        """What two runs played together, one after the other."""
        return Played(self.games + more.games, self.seconds + more.seconds)


def play_missing(
    store: Store, tables: Tables, *, jobs: int, on_games: Callable[[int], None]
) -> Played:
    """Play every shard that a store lacks, `jobs` of them at a time.

    An interruption or an error stops the other threads within a batch of games; the shards finished
    by then are kept.

    Args:
        store: where shards go; its plan says what is missing.
        tables: the plan's tables, from `prepare_tables`.
        jobs: threads to play with; the result does not depend on it.
        on_games: called from any thread with a number of games just played.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
        Failed: a shard cannot be written.
    """
    shards = missing_shards(store.plan, [record.shard for record in store.records])
    player = Player(store, tables, on_games)
    started = time.perf_counter()
    playing = Parallel(
        n_jobs=min(jobs, max(1, len(shards))),
        backend="threading",
        return_as="generator_unordered",
    )
    try:
        for _ in playing(delayed(player.play)(shard) for shard in shards):
            pass
    except BaseException:
        player.stop()
        raise
    games = sum(store.plan.games_of(shard) for shard in shards)
    return Played(games, time.perf_counter() - started)
