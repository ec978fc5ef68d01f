"""Worker processes on this machine, which loky (of joblib) starts and watches."""

from __future__ import annotations

import contextlib
import os
import queue
from collections.abc import Iterator

from joblib.externals.loky import ProcessPoolExecutor

#: The beginnings of environment variables that keep workers from starting threads.
_THREADS = ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM")

#: The variables of a worker's environment. They also keep it from importing the working folder.
_ENVIRONMENT = {"PYTHONSAFEPATH": "1", **{f"{name}_THREADS": "1" for name in _THREADS}}


@contextlib.contextmanager
def worker_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes for the body of a `with`; if the body raises, they are killed at once."""
    with _safe_path():
        executor = ProcessPoolExecutor(jobs, env=_ENVIRONMENT)
        try:
            yield executor
        except BaseException:
            _forget_waiting(executor)
            executor.shutdown(wait=False, kill_workers=True)
            raise
        executor.shutdown(wait=True)


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
