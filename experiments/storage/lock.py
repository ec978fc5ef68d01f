"""The lock of a sweep's folder: one sweep writes at a time."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_file

LOCK = "sweep.lock"
WRITER = "writer.json"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock. The system releases the lock, however the process ends."""
    import filelock

    lock = filelock.FileLock(folder / LOCK, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
        while not (folder / LOCK).exists():  # A sweep that ended just now has removed the file.
            lock.release()
            lock.acquire()
    except filelock.Timeout as error:
        writer = "an unknown process"
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            writer = f"process {int(json.loads(read_file(folder / WRITER, 1000))['process'])}"
        raise WrongInput(f"another sweep ({writer}) is writing to the folder '{folder}'") from error
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def is_written(folder: Path) -> bool:
    """Whether a sweep is writing to a folder now; False where the lock cannot be tested."""
    import filelock

    if not (folder / LOCK).is_file():
        return False
    try:
        with filelock.FileLock(folder / LOCK, blocking=False, fallback_to_soft=False):
            return False
    except filelock.Timeout:
        return True
    except OSError:
        return False
