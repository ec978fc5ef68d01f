"""Worker processes on this machine, which loky (of joblib) starts and watches."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

#: The beginnings of the names of such variables.
_THREADS = ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM")

#: The environment variables that keep a process from starting threads.
ONE_THREAD = {f"{name}_THREADS": "1" for name in _THREADS}

#: The variables of a worker's environment. They also keep it from importing the working folder.
_ENVIRONMENT = {"PYTHONSAFEPATH": "1", **ONE_THREAD}

#: Seconds between a worker's checks that the process that started it is still running.
SECONDS_BETWEEN_LOOKS = 0.25

_allowed: ContextVar[int | None] = ContextVar("allowed", default=None)


@contextlib.contextmanager
def at_most(jobs: int | None) -> Iterator[None]:
    """Allow the body of a `with` this many processes; None allows as many as before."""
    token = _allowed.set(jobs or _allowed.get())
    try:
        yield
    finally:
        _allowed.reset(token)


def allowed_processes() -> int:
    """How many processes may run side by side: what `at_most` allows, or one on each core."""
    from joblib import cpu_count

    return _allowed.get() or int(cpu_count())


@contextlib.contextmanager
def worker_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes for the body of a `with`; if the body raises, they are killed at once.

    They ignore interruptions, which this process handles, and end when this process ends.
    """
    from joblib.externals.loky import ProcessPoolExecutor

    with _safe_path():
        executor = ProcessPoolExecutor(
            jobs, env=_ENVIRONMENT, initializer=_live_with, initargs=(os.getpid(),)
        )
        try:
            yield executor
        except BaseException:
            _forget_waiting(executor)
            executor.shutdown(wait=False, kill_workers=True)
            raise
        executor.shutdown(wait=True)


def _live_with(parent: int) -> None:
    """Ignore interruptions in this process, and end it when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _forget_waiting(executor: ProcessPoolExecutor) -> None:
    """Drop the work that no worker has begun.

    Otherwise loky's thread drops this work, then looks for it and ends with a KeyError.
    """
    with contextlib.suppress(queue.Empty):
        while True:
            executor._work_ids.get_nowait()


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Keep the working folder off the path of new processes, loky's resource tracker included."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
