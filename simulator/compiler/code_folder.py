"""The folder of cached machine code, and whether missing code may be compiled."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path


def _folder_path() -> Path:
    """Where compiled code is cached: `ETHNOS_SIM_CACHE`, or a folder in the user's cache."""
    named = os.environ.get("ETHNOS_SIM_CACHE")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("ethnos-sim", appauthor=False)


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled code, or None if it cannot be created or read.

    The folder may belong to another user, so that it is read-only here (`can_store_code`).
    """
    folder = _folder_path()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.R_OK | os.X_OK) else None


@functools.cache
def can_store_code() -> bool:
    """Whether this user can write to the folder of compiled code."""
    folder = cache_folder()
    return folder is not None and os.access(folder, os.W_OK)


def compile_frequency() -> str:
    """How often the same code is compiled, in words: "once", or "in every run" with the reason."""
    if can_store_code():
        return "once"
    return f"in every run, because nothing can be kept in '{_folder_path()}'"


#: The files from which this process loaded cached code.
loaded_files: set[Path] = set()


class MissingCode(Exception):
    """A function has no cached machine code, and may not be compiled now."""


compiling_forbidden: ContextVar[bool] = ContextVar("without_compiling", default=False)


@contextlib.contextmanager
def without_compiling() -> Iterator[None]:
    """Raise MissingCode for functions without cached machine code instead of compiling them."""
    token = compiling_forbidden.set(True)
    try:
        yield
    finally:
        compiling_forbidden.reset(token)
