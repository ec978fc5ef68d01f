"""Playing the missing shards of a plan, with one of two engines: threads or a cluster.

Threads are the default engine. The kernel does not hold the interpreter lock, so threads use all
cores and share one compiled kernel. The workers of a cluster send finished shards back, and only
this process writes. No shard stays in memory after it is written, so memory does not grow with the
sweep. The rows of a shard do not depend on the engine. `play_in_memory` writes nothing.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import polars as pl
from joblib import Parallel, delayed

from ethnos_sim.experiments.execution.playing import (
    PackedShard,
    PlanTables,
    PlayedShard,
    StopRequested,
    play_shard,
)
from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress
from ethnos_sim.experiments.plans.plan import Partition, Plan, Shard, missing_shards
from ethnos_sim.experiments.storage.store import Store

#: About how many games each thread keeps in memory at a time.
GAMES_AT_A_TIME = 12_000

#: Seconds that an interrupted sweep waits for its threads to stop.
SECONDS_TO_STOP = 1.0

Finish = Callable[[Shard, PlayedShard | PackedShard], None]
"""Called with each finished shard and its rows, which it stores or adds up."""

OnBatch = Callable[[Partition, pl.DataFrame, pl.DataFrame], None]
"""Called with a partition and a batch of games: rows of `games`, and all their rows of `seats`."""


class Engine(Protocol):
    """What plays shards: threads of this process, or a cluster."""

    def check_ready(self, plan: Plan) -> None:
        """Check before anything is written that the engine can play; Failed otherwise."""

    def play(
        self, plan: Plan, tables: PlanTables, shards: list[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """Play shards, and call `finish` with each shard as soon as it is played.

        An exception, KeyboardInterrupt included, leaves nothing running.
        """


@dataclass(frozen=True)
class Threads:
    """The engine that plays in threads of this process; each thread writes the shards it plays.

    An interruption waits up to SECONDS_TO_STOP for the threads; then no shard is written.
    """

    jobs: int

    def check_ready(self, plan: Plan) -> None:
        """Do nothing: threads are always available."""

    def play(
        self, plan: Plan, tables: PlanTables, shards: list[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """As `Engine.play`; `finish` is called from any thread."""
        jobs = min(self.jobs, max(1, len(shards)))
        stop, free = threading.Event(), threading.Semaphore(jobs)

        def play(shard: Shard) -> None:
            with free, contextlib.suppress(StopRequested):
                played = play_shard(plan, tables, shard, on_games=on_games, is_stopping=stop.is_set)
                if not stop.is_set():
                    finish(shard, played)

        playing = Parallel(jobs, backend="threading", return_as="generator_unordered")
        try:
            for _ in playing(delayed(play)(shard) for shard in shards):
                pass
        except BaseException:
            stop.set()
            deadline = time.monotonic() + SECONDS_TO_STOP
            for _ in range(jobs):
                free.acquire(timeout=max(0.0, deadline - time.monotonic()))
            free.release(jobs)  # Let threads that have not begun start and end at once.
            raise


def play_missing(store: Store, tables: PlanTables, *, engine: Engine, on_games: OnGames) -> None:
    """Play every shard that a store lacks.

    An interruption or an error stops the engine; the shards finished by then are kept.

    Args:
        store: the folder to fill; its plan says what is missing.
        tables: the plan's tables, from `prepare_plan`.
        engine: what plays; the result does not depend on it.
        on_games: called with the number of games just played.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
        Failed: a shard cannot be written, or a worker of the engine cannot play.
    """

    def finish(shard: Shard, played: PlayedShard | PackedShard) -> None:
        packed = played.packed()
        store.add_shard(shard, packed.tables, packed.sums)

    shards = missing_shards(store.plan, [record.shard for record in store.records])
    engine.play(store.plan, tables, shards, finish, on_games)


def play_in_memory(
    plan: Plan,
    on_batch: OnBatch,
    *,
    tables: PlanTables,
    skipped: Mapping[Partition, int] = MappingProxyType({}),
    engine: Engine = Threads(1),
    on_games: OnGames = ignore_progress,
) -> None:
    """Play the planned rounds, and pass their rows on, a batch at a time.

    Args:
        plan: what to play.
        on_batch: called with one batch at a time; the order of batches may vary.
        tables: the plan's tables, from `prepare_plan`.
        skipped: by partition, the number of its first rounds to leave out.
        engine: what plays; the rows do not depend on it.
        on_games: called with the number of games just played.

    Raises:
        WrongInput: a cell cannot be played.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    done = [Shard(partition, 0, rounds) for partition, rounds in skipped.items() if rounds]
    shards = missing_shards(plan.with_shard_games(GAMES_AT_A_TIME), done)
    one_at_a_time = threading.Lock()

    def finish(shard: Shard, played: PlayedShard | PackedShard) -> None:
        games, seats = played.frame("games"), played.frame("seats")
        with one_at_a_time:
            on_batch(shard.partition, games, seats)

    engine.play(plan, tables, shards, finish, on_games)
