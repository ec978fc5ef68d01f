"""Playing a plan at once and in memory: rows are handed on as frames and nothing is written.

What is handed on is what a sweep of the same plan would store, so whatever reads a sweep reads
this. For runs of seconds or minutes; a sweep survives interruptions, this does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType

import polars as pl

from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.execution.playing import (
    PackedShard,
    PlayedShard,
    Tables,
    prepare_tables,
)
from ethnos_sim.experiments.plans.plan import Partition, Plan, Shard, missing_shards
from ethnos_sim.strategies.compiling_ahead import compile_ahead

#: Games that are in memory at a time for each thread, about.
GAMES_AT_A_TIME = 20_000

Take = Callable[[Partition, pl.DataFrame, pl.DataFrame], None]
"""Is handed a partition and batches of whole games: rows of `games`, and all their `seats`."""


def play_now(
    plan: Plan,
    take: Take,
    *,
    tables: Tables | None = None,
    after: Mapping[Partition, int] = MappingProxyType({}),
    jobs: int = 1,
    on_games: Callable[[int], None] = lambda games: None,
) -> None:
    """Play the planned rounds and hand their rows on, a batch at a time.

    Args:
        plan: what to play.
        take: called with each batch, never twice at a time, in no certain order of batches.
        tables: the plan's tables, where `prepare_tables` made them before.
        after: rounds of a partition, from the first on, to leave out.
        jobs: threads to play with; the rows do not depend on it.
        on_games: called from any thread with a number of games just played.

    Raises:
        WrongInput: a cell cannot be played.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    if tables is None:
        compile_ahead(plan.strategies)
        tables = prepare_tables(plan)
    done = [Shard(partition, 0, rounds) for partition, rounds in after.items() if rounds]
    shards = missing_shards(plan.with_shards_of(GAMES_AT_A_TIME), done)
    one_at_a_time = threading.Lock()

    def finish(shard: Shard, played: PlayedShard | PackedShard) -> None:
        games, seats = played.frame("games"), played.frame("seats")
        with one_at_a_time:
            take(shard.partition, games, seats)

    Threads(jobs).play(plan, tables, shards, finish, on_games)
