"""The folder of kept machine code, and whether what it lacks is to be compiled."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled code, or None where none can be made.

    `ETHNOS_SIM_CACHE` overrides the place; the default is the user's cache folder.
    """
    named = os.environ.get("ETHNOS_SIM_CACHE")
    if named:
        folder = Path(named)
    else:
        import platformdirs

        folder = platformdirs.user_cache_path("ethnos-sim", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


#: The files in which this process found the code that it wanted.
found_in: set[Path] = set()


class NotKept(Exception):
    """No run has kept machine code of a function, and none is to be made now."""


only_kept_now: ContextVar[bool] = ContextVar("only_kept", default=False)


@contextlib.contextmanager
def only_kept() -> Iterator[None]:
    """Let what no run has kept raise NotKept instead of being compiled."""
    token = only_kept_now.set(True)
    try:
        yield
    finally:
        only_kept_now.reset(token)
