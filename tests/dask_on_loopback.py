"""A dask scheduler and workers on loopback, as processes that can be killed.

They are forked from a process that has imported everything once. That process imports this module
by its name, so the module lies at the top of the tests.
"""

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import dask
import pytest
from distributed import Scheduler, Worker
from inside.experiments.execution import PackedShard, play_packed_shard
from inside.experiments.plans import Shard

PATIENCE = 60
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["ready_worker"])

#: The folder of the partition whose first shard is deadly.
DEADLY = "edition=second/players=2/mode=standard"


def play_or_die(packed: bytes, shard: Shard) -> PackedShard:
    """Play a shard like any worker, or kill the worker at the deadly one."""
    if shard.first_round == 0 and shard.partition.path == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_packed_shard(packed, shard)


def serve(scheduler: str, started: Connection) -> None:
    """Be a worker of the scheduler at an address, or a scheduler where none is given."""

    async def run() -> None:
        server = Worker(scheduler, nthreads=1) if scheduler else Scheduler(host="127.0.0.1", port=0)
        async with server:
            started.send(server.address)
            await server.finished()

    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        asyncio.run(run())


class Dask:
    """Dask processes on loopback: a scheduler, and workers."""

    def __init__(self) -> None:
        self.processes: list[ForkServerProcess] = []
        self.address = self.start("")

    def start(self, scheduler: str) -> str:
        """Fork a process that serves, and return its address."""
        answer, started = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=serve, args=(scheduler, started), daemon=True)
        process.start()
        self.processes.append(process)
        assert answer.poll(PATIENCE), "it never started"
        return str(answer.recv())

    def workers(self, count: int) -> list[ForkServerProcess]:
        """Start workers of one thread."""
        for _ in range(count):
            self.start(self.address)
        return self.processes[-count:]


@contextmanager
def cluster() -> Iterator[Dask]:
    """A scheduler, which is killed at the end with all its workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))
        forkserver.ensure_running()
    dask = Dask()
    try:
        yield dask
    finally:
        for process in dask.processes:
            process.kill()
            process.join(PATIENCE)
        gc.collect()  # so that this test reports files that were left open
