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

#: Environment variables that limit the threads of a library, without their ending `_THREADS`.
_THREAD_VARIABLES = ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM")

#: The environment variables of a process that is to compute in one thread.
ONE_THREAD = {f"{name}_THREADS": "1" for name in _THREAD_VARIABLES}

#: A worker's environment variables: one thread, and no imports from the working folder.
_ENVIRONMENT = {"PYTHONSAFEPATH": "1", **ONE_THREAD}

#: Seconds between a worker's checks that the process that started it is still running.
SECONDS_BETWEEN_CHECKS = 0.25

_process_limit: ContextVar[int | None] = ContextVar("allowed", default=None)


@contextlib.contextmanager
def limit_processes(jobs: int | None) -> Iterator[None]:
    """Allow the body of a `with` at most `jobs` processes; None leaves the limit as it is."""
    token = _process_limit.set(jobs or _process_limit.get())
    try:
        yield
    finally:
        _process_limit.reset(token)


def allowed_processes() -> int:
    """How many processes may run at a time: the limit of `limit_processes`, or one a core."""
    from joblib import cpu_count

    return _process_limit.get() or int(cpu_count())


@contextlib.contextmanager
def worker_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes for the body of a `with`; if the body raises, they are killed at once.

    Workers ignore interruptions, which this process handles, and end when this process ends.
    """
    from joblib.externals.loky import ProcessPoolExecutor

    with _without_working_folder():
        executor = ProcessPoolExecutor(
            jobs, env=_ENVIRONMENT, initializer=_end_with_parent, initargs=(os.getpid(),)
        )
        try:
            yield executor
        except BaseException:
            _drop_waiting_work(executor)
            executor.shutdown(wait=False, kill_workers=True)
            raise
        executor.shutdown(wait=True)


def _end_with_parent(parent_id: int) -> None:
    """Ignore interruptions in this process, and end it when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent_id:
            time.sleep(SECONDS_BETWEEN_CHECKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _drop_waiting_work(executor: ProcessPoolExecutor) -> None:
    """Drop the work that no worker has begun.

    Otherwise loky's thread drops this work, then looks for it and ends with a KeyError.
    """
    with contextlib.suppress(queue.Empty):
        while True:
            executor._work_ids.get_nowait()


@contextlib.contextmanager
def _without_working_folder() -> Iterator[None]:
    """Keep the working folder off the import path of new processes, loky's tracker included."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
