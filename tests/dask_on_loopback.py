"""A dask scheduler and workers on loopback, as processes that can be killed.

They are forked from a process that has imported everything once. That process imports this module
by its name, so the module lies at the top of the tests.
"""

import contextlib
import gc
import os
import re
import time
from collections.abc import Iterator
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import dask
import pytest
from distributed.cli import dask_scheduler, dask_worker

PATIENCE = 60
COMMANDS = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["ready_worker"])


def run_dask(words: tuple[str, ...], log: Path) -> None:
    """Run a `dask` command in this process, with its output in a file."""
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.chdir(log.parent)
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        COMMANDS[words[0]](words[1:])


class Dask:
    """Dask processes on loopback, which end with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[ForkServerProcess] = []
        self.address = ""

    def start(self, name: str, *words: str) -> tuple[ForkServerProcess, Path]:
        """Fork a process that runs a `dask` command; return the process and its log file."""
        log = self.folder / f"{name}.log"
        log.touch()
        process = PROCESSES.Process(target=run_dask, args=(words, log), daemon=True)
        process.start()
        self.started.append(process)
        return process, log

    def scheduler(self, port: str = "0") -> None:
        """Start a scheduler, on a free port unless one is given."""
        words = ("--host", "127.0.0.1", "--port", port, "--no-dashboard", "--idle-timeout", "900 s")
        _, log = self.start(f"scheduler {len(self.started)}", "scheduler", *words)
        self.address = wait_for(log, r"Scheduler at:\s+(tcp://[0-9.:]+)")

    def workers(self, *names: str) -> list[ForkServerProcess]:
        """Start workers, and wait until the scheduler knows them."""
        words = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "60")
        started = [self.start(name, "worker", self.address, *words) for name in names]
        for _, log in started:
            wait_for(log, r"(Registered to)")
        return [process for process, _ in started]

    def end(self) -> None:
        """Kill all processes that still run."""
        for process in self.started:
            process.kill()
            process.join(PATIENCE)


def wait_for(log: Path, pattern: str) -> str:
    """Wait until a line of a log matches; return the group that matched."""
    patience = time.monotonic() + PATIENCE
    while time.monotonic() < patience:
        match = re.search(pattern, log.read_text(encoding="utf-8"))
        if match:
            return match[1]
        time.sleep(0.05)
    raise AssertionError(f"{pattern} never came: {log.read_text(encoding='utf-8')}")


@contextlib.contextmanager
def cluster_in(folder: Path) -> Iterator[Dask]:
    """A scheduler that ends with all its workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))
        forkserver.ensure_running()
    dask = Dask(folder)
    dask.scheduler()
    try:
        yield dask
    finally:
        dask.end()
        gc.collect()  # so that this test reports files that were left open
