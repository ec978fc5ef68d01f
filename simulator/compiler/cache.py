"""The folder of cached machine code, and whether missing code may be compiled."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled code, or None if it cannot be created or written to.

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


#: The files from which this process loaded cached code.
found_in: set[Path] = set()


class NotKept(Exception):
    """A function has no cached machine code, and may not be compiled now."""


only_kept_now: ContextVar[bool] = ContextVar("only_kept", default=False)


@contextlib.contextmanager
def only_kept() -> Iterator[None]:
    """Raise NotKept for functions without cached machine code instead of compiling them."""
    token = only_kept_now.set(True)
    try:
        yield
    finally:
        only_kept_now.reset(token)
