"""The engine of a cluster: shards go to the workers of a dask scheduler, through joblib.

Workers may come and go. A worker that dies loses nothing: the scheduler gives its shards to others,
and one that is played twice comes out the same. This process alone writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from joblib import Parallel, delayed, parallel_config, register_parallel_backend
from joblib._dask import DaskDistributedBackend

from ethnos_sim.experiments.execution.counts import Tally, TopicTeller
from ethnos_sim.experiments.execution.engines import Finish, OnGames
from ethnos_sim.experiments.execution.playing import PackedShard, Tables
from ethnos_sim.experiments.execution.workers import differences, named, pack, play_packed
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.simulator.errors import Failed, WrongInput

BACKEND = "ethnos-sim-dask"

#: Seconds to wait for a scheduler to answer, and for a first worker to come.
SECONDS_TO_CONNECT = 10.0

#: Seconds that a sweep goes on waiting when all workers, or the scheduler, have gone.
SECONDS_WITHOUT_WORKERS = 30.0
_SECONDS_BETWEEN_LOOKS = 1.0

#: Shards that wait at the scheduler beyond those being played.
_SHARDS_AHEAD = 8


@dataclass(frozen=True)
class Cluster:
    """The engine that plays on the workers of the dask scheduler at `scheduler`.

    `strategy_files` are sent to every worker; `player` plays a shard there.
    """

    scheduler: str
    strategy_files: Sequence[Path] = ()
    player: Callable[[bytes, Shard], PackedShard] = play_packed
    patience: float = SECONDS_WITHOUT_WORKERS

    def check(self, plan: Plan) -> None:
        """See that a scheduler answers and that its workers are this program.

        Raises:
            Failed: one of them is not so.
        """
        with _connected(self.scheduler) as client:
            packed = pack(plan, self.strategy_files)
            _checked(client, packed, self.scheduler, SECONDS_TO_CONNECT)

    def play(
        self, plan: Plan, tables: Tables, shards: Sequence[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """As `Engine.play`; every worker is checked before the first shard.

        A scheduler that goes and comes back within the time of patience is used again.

        Raises:
            Failed: there is no scheduler or no worker, a worker is another program, a shard kills
                its workers, or the scheduler or all workers stay away.
        """
        tally = Tally(on_games)
        left = dict.fromkeys(shards)
        patience = SECONDS_TO_CONNECT
        while left:
            try:
                self._play(plan, left, finish, tally, patience)
            except OSError:
                self._wait_for_scheduler()
                patience = self.patience

    def _play(
        self, plan: Plan, left: dict[Shard, None], finish: Finish, tally: Tally, patience: float
    ) -> None:
        """Play shards and take what is done out of `left`; OSError where the scheduler goes.

        `patience` is for a first worker to come, in seconds.
        """
        topic = f"ethnos-sim-{uuid4()}"
        packed = pack(plan, self.strategy_files, teller=TopicTeller(topic))
        with _connected(self.scheduler) as client:
            workers = _checked(client, packed, self.scheduler, patience)
            register_parallel_backend(BACKEND, _Backend)
            client.subscribe_topic(topic, tally.hear)
            with parallel_config(BACKEND, client=client, patience=self.patience):
                playing = Parallel(
                    batch_size=1,
                    pre_dispatch=2 * workers + _SHARDS_AHEAD,
                    return_as="generator_unordered",
                )
                for shard, played in playing(self._tasks(packed, list(left))):
                    finish(shard, played)
                    tally.count(shard.path, plan.games_of(shard))
                    del left[shard]

    def _wait_for_scheduler(self) -> None:
        """Wait until the scheduler answers again; Failed where it stays away."""
        late = time.monotonic() + self.patience
        while time.monotonic() < late:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
            with contextlib.suppress(Failed):
                _see_scheduler(self.scheduler)
                return
        raise Failed(
            f"the scheduler at {self.scheduler} was gone for {self.patience:.0f} s; start it and "
            "its workers, and the same command again goes on"
        )

    def _tasks(self, packed: bytes, shards: Sequence[Shard]) -> Iterator[tuple[object, ...]]:
        """A task a shard."""
        return (delayed(named)(self.player, packed, shard) for shard in shards)


def check_address(scheduler: str | None) -> str:
    """The address of a scheduler; WrongInput where there is none, or dask is not installed."""
    if not scheduler:
        raise WrongInput("the dask engine needs its scheduler: --scheduler tcp://HOST:PORT")
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise WrongInput(
            "the dask engine needs dask; install it with: pip install 'ethnos-sim[cluster]'"
        ) from error
    return scheduler


def _see_scheduler(scheduler: str) -> None:
    """See that a scheduler answers; Failed where none does in time, whatever else may listen."""
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
def _connected(scheduler: str) -> Iterator[Any]:
    """A client of the scheduler, closed with the body; OSError where the scheduler goes."""
    from distributed import Client
    from distributed.client import FutureCancelledError

    # A client waits without end for a handshake with what listens there and never answers.
    _see_scheduler(scheduler)
    try:
        client = Client(scheduler, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise OSError(None, f"the scheduler at {scheduler} went away") from error
    try:
        yield client
    except FutureCancelledError as error:
        raise OSError(None, f"the scheduler at {scheduler} went away") from error
    finally:
        client.close(timeout=1)


def _checked(client: Any, packed: bytes, scheduler: str, patience: float) -> int:
    """How many threads the workers have, once each of them was found to be the same program."""
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise Failed(
            f"the scheduler at {scheduler} has no workers; start some with: "
            f"dask worker {scheduler} --nthreads 1"
        ) from error
    for worker, found in client.run(differences, packed, on_error="return").items():
        if isinstance(found, BaseException):
            raise Failed(f"the worker {worker} cannot play: {type(found).__name__}: {found}")
        if found:
            raise Failed(
                f"the worker {worker} has {'; '.join(found)}; install the same ethnos-sim there "
                "and start the worker again"
            )
    return sum(client.nthreads().values())


@dataclass(frozen=True)
class _Waiting:
    """Who waits for a shard's result."""

    shard: Shard
    callback: Callable[[Any], None]

    def __call__(self, result: Any) -> None:
        """Hand over the result."""
        self.callback(result)


class _Backend(DaskDistributedBackend):
    """joblib's dask backend, with an end for tasks that fail and for clusters that are gone.

    The original (joblib 1.6.0) waits for ever when a task ends in an error of the scheduler, as
    that of a shard that killed four workers: it keeps the error and never says that the task is
    over.
    """

    def __init__(self, *, client: Any, patience: float, **others: Any) -> None:
        """Keep how long to wait without workers."""
        super().__init__(client=client, **others)
        self._patience = patience

    def effective_n_jobs(self, n_jobs: int) -> int:
        """The threads of all workers; one alone counts as two, or joblib would play here itself."""
        return max(2, int(super().effective_n_jobs(n_jobs)))

    def start_call(self) -> None:
        """Begin to collect results, and to look after the workers."""
        super().start_call()
        self.client.loop.add_callback(self._look_after)

    def submit(self, func: Any, callback: Any = None) -> Any:
        """Send a batch of one shard to the scheduler."""
        ((_, (_, _, shard), _),) = func.items
        return super().submit(func, _Waiting(shard, callback))

    def retrieve_result_callback(self, out: Any) -> Any:
        """A task's result; an exception that came in its place is raised."""
        if isinstance(out, BaseException):
            raise out
        return super().retrieve_result_callback(out)

    async def _collect(self) -> None:
        """Hand every result, and every error, to the one who waits for it."""
        while self._continue:
            async for future, result in self.waiting_futures:
                if future not in self._callbacks:
                    continue
                if future.status == "finished":
                    self._over(future, result)
                else:
                    error = result[1] if isinstance(result, tuple) else result
                    self._over(future, _as_failure(error, self._callbacks[future].shard))
            await asyncio.sleep(0.01)

    async def _look_after(self) -> None:
        """End the call when there was no worker for as long as patience lasts."""
        last_seen = time.monotonic()
        while self._continue:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                if await asyncio.wait_for(self.client.scheduler.ncores(), self._patience):
                    last_seen = time.monotonic()
            except (TimeoutError, OSError):
                pass
            if time.monotonic() - last_seen > self._patience:
                for future in list(self._callbacks):
                    self._over(
                        future,
                        Failed(
                            f"all workers were gone for {self._patience:.0f} s; start workers, and "
                            "the same command again goes on"
                        ),
                    )
                return

    def _over(self, future: Any, result: Any) -> None:
        """Say that a task is over, with its result or an exception."""
        self._results.pop(future).set_result(result)
        self._callbacks.pop(future)(result)


def _as_failure(error: BaseException, shard: Shard) -> BaseException:
    """An error of the scheduler in words; any other as it is."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        # The scheduler blames whatever a dead worker held, waiting shards included.
        return Failed(
            f"{error.allowed_failures + 1} workers died that held the shard '{shard.path}'; it or "
            "one beside it killed them: is there enough memory, and are all strategies sound?"
        )
    if isinstance(error, asyncio.CancelledError):
        return Failed(
            f"the scheduler dropped the shard '{shard.path}'; the same command again goes on"
        )
    return error
