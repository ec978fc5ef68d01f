"""The lock of a sweep's folder: one sweep writes at a time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ethnos_sim.simulator.utilities.errors import WrongInput

LOCK = "sweep.lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[Callable[[], bool]]:
    """Hold the folder's lock, whose file is removed at the end.

    The system releases the lock, however the process ends.

    Yields:
        A function that says whether the locked file is still there. Where it was removed, or the
        folder was, another sweep may have begun.

    Raises:
        WrongInput: another sweep holds the lock, or the folder cannot be written.
    """
    import filelock

    path = folder / LOCK
    lock = filelock.FileLock(path, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
        held = path.stat()
    except filelock.Timeout as error:
        raise WrongInput(f"another sweep is writing to the folder '{folder}'") from error
    except OSError as error:
        lock.release()
        raise WrongInput(f"the folder '{folder}' cannot be written: {error.strerror}") from error

    def is_there() -> bool:
        try:
            return os.path.samestat(path.stat(), held)
        except OSError:
            return False

    try:
        yield is_there
    finally:
        # While the lock is held, a sweep that begins finds the file and waits for nothing.
        if is_there():
            with contextlib.suppress(OSError):
                path.unlink()
        lock.release()
