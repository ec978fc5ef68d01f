"""How the kernel is compiled and where compiled code is kept between runs.

Numba compiles Python functions to machine code. Its own cache looks only at the file of the cached
function, so an edit in a helper module would silently keep the old code. Here every cached function
lives in a folder named by a hash of all kernel sources and the versions they are compiled with: a
changed line anywhere means a new folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types

from ethnos_sim.simulator.loops import BoundedCompiler

log = logging.getLogger("ethnos_sim")

KERNEL_FOLDER = Path(__file__).resolve().parent


def _plain_type(kind: types.Type) -> types.Type:
    """The type under which a function is compiled: any whole number up to 64 bits is an int64."""
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind is not types.uint64
    return types.int64 if narrow or isinstance(kind, types.Boolean) else kind


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a function is this package's own, and not a user's."""
    return (function.__module__ or "").startswith("ethnos_sim.")


def is_bounded(dispatcher: Any) -> bool:
    """Whether a compiled function ends: its loops are bounded, or it is this package's own."""
    return is_own(dispatcher.py_func) or dispatcher._compiler.pipeline_class is BoundedCompiler


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a helper of the kernel: no interpreter lock, no exceptions for division.

    Numba would compile a helper anew for every constant and every width of number that it is
    called with; here all whole numbers but planes of cards (uint64) are passed as int64, which
    halves the time of the first run. Loops of code that is not this package's own are bounded.
    """
    compiler = {} if is_own(function) else {"pipeline_class": BoundedCompiler}
    dispatcher = numba.njit(nogil=True, error_model="numpy", **compiler)(function)
    template_of = dispatcher.get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        plain = {name: _plain_type(kind) for name, kind in keywords.items()}
        return template_of(tuple(_plain_type(kind) for kind in arguments), plain)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def source_hash(*folders: Path) -> str:
    """Hash of every Python file below the folders, with the compiler's versions (16 hex digits)."""
    digest = hashlib.sha256()
    for version in (sys.version, numba.__version__, llvmlite.__version__, np.__version__):
        digest.update(version.encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(str(path.relative_to(folder)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def kernel_hash() -> str:
    """The hash that names this version of the kernel's compiled code."""
    return source_hash(KERNEL_FOLDER)


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled code for this version of the kernel, or None where none can be made.

    `ETHNOS_SIM_CACHE` overrides the place; the default is the user's cache folder.
    """
    named = os.environ.get("ETHNOS_SIM_CACHE")
    if named:
        base = Path(named)
    else:
        import platformdirs

        base = platformdirs.user_cache_path("ethnos-sim", appauthor=False)
    folder = base / kernel_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@contextlib.contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    """Point numba's cache at the folder while a function is decorated (it looks only then)."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def compile_entry(function: Callable[..., Any]) -> Any:
    """Compile a function that is called from Python; its machine code is kept between runs."""
    folder = cache_folder()
    if folder is None:
        return numba.njit(nogil=True, error_model="numpy")(function)
    with _numba_cache_in(folder):
        return numba.njit(nogil=True, error_model="numpy", cache=True)(function)


def compile_callback(signature: Any, function: Callable[..., Any], keep: bool = True) -> Any:
    """Compile a function for calls by address (numba's `cfunc`); `keep` stores its machine code."""
    folder = cache_folder() if keep else None
    if folder is None:
        return numba.cfunc(signature, nopython=True, error_model="numpy")(function)
    with _numba_cache_in(folder):
        return numba.cfunc(signature, nopython=True, error_model="numpy", cache=True)(function)


@functools.cache
def announce_compilation() -> None:
    """Say once a process that the first run compiles, when no compiled engine is kept yet."""
    folder = cache_folder()
    if folder is None or not any(folder.rglob("*.nbi")):
        log.info("compiling the game engine, once (about 20 seconds)")
