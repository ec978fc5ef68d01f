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
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from ethnos_sim.experiments.execution.engines import Finish
from ethnos_sim.experiments.execution.playing import PackedShard, Tables
from ethnos_sim.experiments.execution.threads import OnGames
from ethnos_sim.experiments.execution.workers import (
    differences,
    pack,
    play_elsewhere,
    play_packed,
)
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput

#: Seconds to wait for a scheduler to answer, and for a first worker to come.
SECONDS_TO_CONNECT = 10.0

#: Seconds that a sweep waits when all workers, or the scheduler, have gone.
SECONDS_WITHOUT_WORKERS = 30.0
_SECONDS_BETWEEN_LOOKS = 1.0

#: The number of shards that wait at the scheduler while workers play others.
_SHARDS_AHEAD = 8


@dataclass(frozen=True)
class Cluster:
    """The engine that plays on the workers of the dask scheduler at `scheduler`.

    `strategy_files` are sent to every worker; `player` plays a shard there. `patience` is how many
    seconds to wait when all workers, or the scheduler, have gone.
    """

    scheduler: str
    strategy_files: Sequence[Path] = ()
    player: Callable[[bytes, Shard], PackedShard] = play_packed
    patience: float = SECONDS_WITHOUT_WORKERS

    def check(self, plan: Plan) -> None:
        """Check that a scheduler answers and that its workers run the same program.

        Raises:
            Failed: no scheduler answers, or a worker runs another program.
        """
        with _connected(self.scheduler) as client:
            _check_workers(
                client, pack(plan, self.strategy_files), self.scheduler, SECONDS_TO_CONNECT
            )

    def play(
        self, plan: Plan, tables: Tables, shards: Sequence[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """As `Engine.play`; every worker is checked before the first shard.

        A scheduler that goes and comes back within `patience` is used again.

        Raises:
            Failed: there is no scheduler or no worker, a worker runs another program, a shard kills
                its workers, or the scheduler or all workers stay away.
        """

        def stored(shard: Shard, played: PackedShard) -> None:
            finish(shard, played)
            on_games(plan.games_of(shard))

        left = dict.fromkeys(shards)
        patience = SECONDS_TO_CONNECT
        while left:
            try:
                self._play(plan, left, stored, patience)
            except OSError:
                self._wait_for_scheduler()
                patience = self.patience

    def _play(
        self,
        plan: Plan,
        left: dict[Shard, None],
        stored: Callable[[Shard, PackedShard], None],
        patience: float,
    ) -> None:
        """Play shards and remove finished ones from `left`; OSError if the scheduler goes away.

        `patience` is how many seconds to wait for a first worker.
        """
        from distributed.scheduler import KilledWorker

        run, packed = f"ethnos-sim-{uuid4()}", pack(plan, self.strategy_files)
        with _connected(self.scheduler) as client:
            ahead = 2 * _check_workers(client, packed, self.scheduler, patience) + _SHARDS_AHEAD
            last_seen = time.monotonic()

            def send(shard: Shard) -> Future[Any]:
                """Have a shard played; its rows stay with the worker until they are fetched.

                A thousand workers play faster than one process writes, so fetching every shard at
                once would fill its memory.
                """
                key, answer = f"{run} {shard.path}", Future[Any]()
                at_worker = client.submit(self.player, packed, shard, key=key, pure=False)
                at_worker.add_done_callback(answer.set_result)
                return answer

            def look() -> None:
                nonlocal last_seen
                if client.ncores():
                    last_seen = time.monotonic()
                elif time.monotonic() - last_seen > self.patience:
                    raise Failed(
                        f"all workers were gone for {self.patience:.0f} s; start workers, and the "
                        "same command again goes on"
                    )

            def done(shard: Shard, at_worker: Any) -> None:
                """Fetch a shard's rows, which are lost where their worker has died since."""
                rows = None
                while rows is None:
                    look()
                    with contextlib.suppress(TimeoutError):
                        rows = at_worker.result(timeout=self.patience)
                stored(shard, rows)

            try:
                play_elsewhere(send, left, done, ahead, look)
            except KilledWorker as error:
                # The scheduler blames every shard that a dead worker held, also waiting shards.
                raise Failed(
                    f"{error.allowed_failures + 1} workers died that held the shard "
                    f"'{str(error.task).partition(' ')[2]}'; this or another shard killed them: "
                    "is there enough memory, and are all strategies sound?"
                ) from error

    def _wait_for_scheduler(self) -> None:
        late = time.monotonic() + self.patience
        while time.monotonic() < late:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
            with contextlib.suppress(Failed):
                _see_scheduler(self.scheduler, late - time.monotonic())
                return
        raise Failed(
            f"the scheduler at {self.scheduler} was gone for {self.patience:.0f} s; start it and "
            "its workers, and the same command again goes on"
        )


def check_address(scheduler: str) -> str:
    """The address of a scheduler; WrongInput where it is empty, or dask is not installed."""
    if not scheduler:
        raise WrongInput("give the scheduler's address, as in --scheduler tcp://HOST:PORT")
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise WrongInput(
            "a scheduler needs dask; install it with: pip install 'ethnos-sim[cluster]'"
        ) from error
    return scheduler


def _see_scheduler(scheduler: str, seconds: float) -> None:
    """Check that the dask scheduler answers within `seconds`; Failed if it does not."""
    from distributed.core import connect

    async def ask() -> None:
        comm = await connect(scheduler, timeout=seconds)
        try:
            await comm.write({"op": "identity", "reply": True})
            await comm.read()
        finally:
            comm.abort()

    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        asyncio.run(asyncio.wait_for(ask(), seconds))
    except (OSError, TimeoutError, ValueError) as error:
        raise Failed(
            f"no dask scheduler answers at {scheduler}; start one with: dask scheduler"
        ) from error


@contextlib.contextmanager
def _connected(scheduler: str) -> Iterator[Any]:
    """A client of the scheduler, closed after the body; OSError if the scheduler goes away."""
    from distributed import Client

    # A client would wait forever for the handshake of another server that never answers.
    _see_scheduler(scheduler, SECONDS_TO_CONNECT)
    try:
        client = Client(scheduler, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise OSError(None, f"the scheduler at {scheduler} went away") from error
    try:
        with client.as_current():
            yield client
    except CancelledError as error:
        raise OSError(None, f"the scheduler at {scheduler} went away") from error
    finally:
        client.close(timeout=1)


def _check_workers(client: Any, packed: bytes, scheduler: str, patience: float) -> int:
    """Check that all workers run the same program, and return the number of their threads."""
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise Failed(
            f"the scheduler at {scheduler} has no workers; start some with: "
            f"dask worker {scheduler} --nthreads 1"
        ) from error
    for worker, differing in client.run(differences, packed, on_error="return").items():
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
