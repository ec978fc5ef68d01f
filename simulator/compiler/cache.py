"""The folder of cached machine code, and whether missing code may be compiled."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path


def _named_folder() -> Path:
    """The folder of compiled code: `ETHNOS_SIM_CACHE`, or a part of the user's cache folder."""
    named = os.environ.get("ETHNOS_SIM_CACHE")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("ethnos-sim", appauthor=False)


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled code, or None if it cannot be created or read.

    It may be a folder of another user, which this user cannot write to (`keeps_code`).
    """
    folder = _named_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.R_OK | os.X_OK) else None


@functools.cache
def keeps_code() -> bool:
    """Whether this user can keep compiled code in the folder."""
    folder = cache_folder()
    return folder is not None and os.access(folder, os.W_OK)


def how_often() -> str:
    """How often the same code is compiled, in words: once, or in every run with the reason."""
    if keeps_code():
        return "once"
    return f"in every run, because nothing can be kept in '{_named_folder()}'"


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
