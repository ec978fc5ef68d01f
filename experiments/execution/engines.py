"""Playing what a store lacks of its plan, with one of three engines: threads, processes, a cluster.

Threads are the usual engine: the kernel holds no interpreter lock, so they use all cores and share
one compiled engine. Processes and the workers of a cluster send finished shards back, and this
process alone writes. No shard stays in memory after it is written, so memory does not grow with the
sweep. Whatever the engine, the same shards have the same rows. For runs of seconds or minutes
`play_now` hands rows on as frames, and nothing is written.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import polars as pl
from joblib import Parallel, delayed

from ethnos_sim.experiments.execution.playing import (
    PackedShard,
    PlayedShard,
    StopAsked,
    Tables,
    play_shard,
    prepare_tables,
)
from ethnos_sim.experiments.execution.threads import OnGames, tell_nobody
from ethnos_sim.experiments.plans.plan import Partition, Plan, Shard, missing_shards
from ethnos_sim.experiments.storage.store import Store

#: Games that are in memory at a time for each thread, about.
GAMES_AT_A_TIME = 12_000

#: How long an interrupted sweep waits for its threads to reach a point where they stop.
SECONDS_TO_STOP = 1.0

Finish = Callable[[Shard, PlayedShard | PackedShard], None]
"""Where a shard's rows go: into a folder, into sums, into memory."""

Take = Callable[[Partition, pl.DataFrame, pl.DataFrame], None]
"""Is handed a partition and batches of whole games: rows of `games`, and all their `seats`."""


class Engine(Protocol):
    """Plays shards somewhere."""

    def check(self, plan: Plan) -> None:
        """See, before anything is written, that there is somebody to play; Failed otherwise."""

    def play(
        self, plan: Plan, tables: Tables, shards: Sequence[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """Play shards and hand each to `finish` as soon as it is played.

        An exception, KeyboardInterrupt included, leaves nothing running.
        """


@dataclass(frozen=True)
class Threads:
    """The engine that plays in threads of this process, each writing its own shards.

    An interruption waits for them, but not for long; nothing is finished from then on.
    """

    jobs: int

    def check(self, plan: Plan) -> None:
        """Threads are always there."""

    def play(
        self, plan: Plan, tables: Tables, shards: Sequence[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """As `Engine.play`; `finish` is called from any thread."""
        jobs = min(self.jobs, max(1, len(shards)))
        stop, free = threading.Event(), threading.Semaphore(jobs)

        def play(shard: Shard) -> None:
            with free, contextlib.suppress(StopAsked):
                played = play_shard(plan, tables, shard, on_games=on_games, stopping=stop.is_set)
                if not stop.is_set():
                    finish(shard, played)

        playing = Parallel(jobs, backend="threading", return_as="generator_unordered")
        try:
            for _ in playing(delayed(play)(shard) for shard in shards):
                pass
        except BaseException:
            stop.set()
            late = time.monotonic() + SECONDS_TO_STOP
            for _ in range(jobs):
                free.acquire(timeout=max(0.0, late - time.monotonic()))
            free.release(jobs)  # For those that have not begun, and end at once.
            raise


def play_missing(store: Store, tables: Tables, *, engine: Engine, on_games: OnGames) -> None:
    """Play every shard that a store lacks.

    An interruption or an error stops the engine; the shards finished by then are kept.

    Args:
        store: where shards go; its plan says what is missing.
        tables: the plan's tables, from `prepare_tables`.
        engine: what plays; the result does not depend on it.
        on_games: told of the games played.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
        Failed: a shard cannot be written, or a worker of the engine cannot play.
    """

    def finish(shard: Shard, played: PlayedShard | PackedShard) -> None:
        packed = played.packed()
        store.add(shard, packed.tables, packed.sums)

    shards = missing_shards(store.plan, [record.shard for record in store.records])
    engine.play(store.plan, tables, shards, finish, on_games)


def play_now(
    plan: Plan,
    take: Take,
    *,
    tables: Tables | None = None,
    after: Mapping[Partition, int] = MappingProxyType({}),
    engine: Engine = Threads(1),
    on_games: OnGames = tell_nobody,
) -> None:
    """Play the planned rounds and hand their rows on, a batch at a time.

    Args:
        plan: what to play.
        take: called with each batch, never twice at a time, in no certain order of batches.
        tables: the plan's tables, where `prepare_tables` made them before.
        after: rounds of a partition, from the first on, to leave out.
        engine: what plays; the rows do not depend on it.
        on_games: told of the games played.

    Raises:
        WrongInput: a cell cannot be played.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    tables = tables or prepare_tables(plan)
    done = [Shard(partition, 0, rounds) for partition, rounds in after.items() if rounds]
    shards = missing_shards(plan.with_shards_of(GAMES_AT_A_TIME), done)
    one_at_a_time = threading.Lock()

    def finish(shard: Shard, played: PlayedShard | PackedShard) -> None:
        games, seats = played.frame("games"), played.frame("seats")
        with one_at_a_time:
            take(shard.partition, games, seats)

    engine.play(plan, tables, shards, finish, on_games)
