"""The engine of a cluster: shards go to the workers of a dask scheduler.

Workers may come and go. When a worker dies, the scheduler gives its shards to others; a shard that
is played twice has the same rows. Only this process writes files.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from ethnos_sim.experiments.execution.engines import Finish
from ethnos_sim.experiments.execution.playing import PackedShard, PlanTables
from ethnos_sim.experiments.execution.threads import OnGames
from ethnos_sim.experiments.execution.workers import (
    pack_plan,
    play_packed_shard,
    program_differences,
)
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput

#: Seconds to wait for a scheduler to answer, and for a first worker to come.
SECONDS_TO_CONNECT = 10.0

#: Seconds that a sweep waits when all workers have gone.
SECONDS_WITHOUT_WORKERS = 30.0
#: Seconds to wait for a finished shard before checking that workers are left.
SECONDS_PER_WAIT = 1.0

#: The number of shards that wait at the scheduler while workers play others.
_SHARDS_AHEAD = 8


@dataclass(frozen=True)
class Cluster:
    """The engine that plays on the workers of the dask scheduler at `scheduler`.

    `strategy_files` are sent to every worker, which plays each shard by the function `play_packed`.
    `patience` is how many seconds to wait when all workers have gone.
    """

    scheduler: str
    strategy_files: Sequence[Path] = ()
    play_packed: Callable[[bytes, Shard], PackedShard] = play_packed_shard
    patience: float = SECONDS_WITHOUT_WORKERS

    def check_ready(self, plan: Plan) -> None:
        """Check that a scheduler answers and that its workers run the same program.

        Raises:
            Failed: no scheduler answers, or a worker runs another program.
        """
        with _connected_client(self.scheduler) as client:
            _check_workers(client, pack_plan(plan, self.strategy_files), self.scheduler)

    def play(
        self, plan: Plan, tables: PlanTables, shards: list[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """As `Engine.play`; every worker is checked before the first shard.

        Rows stay with the worker until they are fetched: a thousand workers play faster than one
        process writes, so fetching every shard at once would fill the memory of this process.

        Raises:
            Failed: there is no scheduler or no worker, a worker runs another program, a shard kills
                its workers, all workers stay away, or the scheduler goes away.
        """
        from distributed import wait
        from distributed.scheduler import KilledWorker

        run, packed = f"ethnos-sim-{uuid4()}", pack_plan(plan, self.strategy_files)
        with _connected_client(self.scheduler) as client:
            threads = _check_workers(client, packed, self.scheduler)
            last_seen, waiting = time.monotonic(), iter(shards)
            sent: dict[Any, Shard] = {}
            try:
                while True:
                    for shard in islice(waiting, 2 * threads + _SHARDS_AHEAD - len(sent)):
                        key = f"{run} {shard.path}"
                        future = client.submit(self.play_packed, packed, shard, key=key, pure=False)
                        sent[future] = shard
                    if not sent:
                        return
                    last_seen = self._workers_last_seen(client, last_seen)
                    with contextlib.suppress(TimeoutError):
                        for future in wait([*sent], SECONDS_PER_WAIT, "FIRST_COMPLETED").done:
                            # If the worker died after it finished, another worker plays the shard.
                            played = future.result(timeout=self.patience)
                            finish(shard := sent.pop(future), played)
                            on_games(plan.games_of(shard))
            except KilledWorker as error:
                # The scheduler blames every shard that a dead worker held, also waiting shards.
                raise Failed(
                    f"{error.allowed_failures + 1} workers died that held the shard "
                    f"'{str(error.task).partition(' ')[2]}'; this or another shard killed them: "
                    "check that there is enough memory, and that no strategy crashes"
                ) from error

    def _workers_last_seen(self, client: Any, last_seen: float) -> float:
        """The time at which workers were last seen; Failed if it is more than `patience` ago."""
        if client.ncores():
            return time.monotonic()
        if time.monotonic() - last_seen > self.patience:
            raise Failed(
                f"all workers were gone for {self.patience:.0f} s; start workers, and run the same "
                "command to go on"
            )
        return last_seen


def check_address(scheduler: str) -> str:
    """The given address; WrongInput where it is empty, or dask is not installed."""
    if not scheduler:
        raise WrongInput("give the scheduler's address, as in --scheduler tcp://HOST:PORT")
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise WrongInput(
            "a scheduler needs dask; install it with: pip install 'ethnos-sim[cluster]'"
        ) from error
    return scheduler


def _check_scheduler(scheduler: str) -> None:
    """Check that the dask scheduler answers in time; Failed if it does not."""
    from distributed.core import connect

    async def ask() -> None:
        comm = await connect(scheduler, timeout=SECONDS_TO_CONNECT)
        try:
            await comm.write({"op": "identity", "reply": True})
            await comm.read()
        finally:
            comm.abort()

    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        asyncio.run(asyncio.wait_for(ask(), SECONDS_TO_CONNECT))
    except (OSError, TimeoutError, ValueError) as error:
        raise Failed(
            f"no dask scheduler answers at {scheduler}; start one with: dask scheduler"
        ) from error


@contextlib.contextmanager
def _connected_client(scheduler: str) -> Iterator[Any]:
    """A client of the scheduler, closed after the body; Failed if the scheduler goes away."""
    from distributed import Client

    # A client would wait forever for the handshake of another server that never answers.
    _check_scheduler(scheduler)
    try:
        client = Client(scheduler, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        try:
            with client.as_current():
                yield client
        finally:
            client.close(timeout=1)
    except (CancelledError, OSError) as error:
        raise Failed(
            f"the scheduler at {scheduler} went away; start it and its workers, and run the same "
            "command to go on"
        ) from error


def _check_workers(client: Any, packed: bytes, scheduler: str) -> int:
    """Check that all workers run the same program, and return the number of their threads."""
    try:
        client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
    except TimeoutError as error:
        raise Failed(
            f"the scheduler at {scheduler} has no workers; start some with: "
            f"dask worker {scheduler} --nthreads 1"
        ) from error
    for worker, differing in client.run(program_differences, packed, on_error="return").items():
        if isinstance(differing, BaseException):
            raise Failed(
                f"the worker {worker} cannot play: {type(differing).__name__}: {differing}"
            )
        if differing:
            raise Failed(
                f"the worker {worker} has {'; '.join(differing)}; install the same ethnos-sim "
                "there and start the worker again"
            )
    return sum(client.nthreads().values())
