"""What is compiled: helpers, entries that Python calls, and callbacks that the engine calls.

Two back ends compile it. `fast` builds on numba's private parts; `plain` is ordinary numba with
every index checked. Their games are equal, so each proves the other. Plain takes three times as
long to compile, and plays at six to eight tenths of the speed. It is taken where
`ETHNOS_SIM_COMPILER=plain` asks for it, and where this numba lacks a private part.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba

from ethnos_sim.simulator.compiler import loops
from ethnos_sim.simulator.compiler.belonging import is_own
from ethnos_sim.simulator.compiler.reach import let_call
from ethnos_sim.simulator.errors import WrongInput

log = logging.getLogger("ethnos_sim")

#: The options of all compiled code: no interpreter lock, no exceptions for division.
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}

#: Those of helpers from outside the package, where a division by zero is an error.
CHECKED = {
    **OPTIONS,
    "boundscheck": True,
    "error_model": "python",
    "pipeline_class": loops.BoundedCompiler,
}

#: The environment variable that names a back end, and what it may be.
VARIABLE, BACK_ENDS = "ETHNOS_SIM_COMPILER", ("fast", "plain")


def _chosen_back_end() -> ModuleType:
    """The back end that is asked for; else the fast one where this numba has what it needs."""
    asked = os.environ.get(VARIABLE)
    if asked and asked not in BACK_ENDS:
        raise WrongInput(f"{VARIABLE} is '{asked}'; it may be {' or '.join(BACK_ENDS)}")
    try:
        return importlib.import_module(f"{__package__}.{asked or 'fast'}")
    except (ImportError, AttributeError) as error:
        if asked:
            raise
        log.warning(
            "numba %s lacks what the fast compiler needs (%s); the plain one compiles",
            *(numba.__version__, error),
        )
        return importlib.import_module(f"{__package__}.plain")


#: What compiles: its functions are `helper`, `entry` and `callback`.
back_end = _chosen_back_end()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a helper of the kernel.

    It is called with whole numbers as int64, but for planes of cards (uint64), and is linked into
    what calls it. In code that is not this package's own, loops are bounded and indices checked.
    """
    return back_end.helper(function, OPTIONS if is_own(function) else CHECKED)


def tool(function: Callable[..., Any]) -> Any:
    """As `kernel`, for what users' code may call and what checks its arguments itself.

    Neither it nor what it calls is compiled once more with checked indices, as other functions of
    this package are where users' code calls them.
    """
    return let_call(back_end.helper(function, OPTIONS, trusted=is_own(function)))


def uncounted(function: Callable[..., Any]) -> Any:
    """As `kernel`, for helpers that make no arrays: references to those passed are not counted."""
    return back_end.helper(function, {**OPTIONS, "_nrt": False})


def inlined(function: Callable[..., Any]) -> Any:
    """As `kernel`, for a few instructions: they are copied into whatever calls the helper.

    The compiler often calls so small a helper, which costs as much again.
    """
    return back_end.helper(function, {**OPTIONS, "forceinline": True})


def compile_entry(function: Callable[..., Any], about: str) -> Any:
    """Compile a function that is called from Python; its machine code is kept between runs.

    The user is told `about` when there is none yet.
    """
    return back_end.entry(function, OPTIONS, lambda: log.info(about))


def compile_callback(
    name: str,
    signature: Any,
    function: Callable[..., Any],
    on_compiling: Callable[[], None] = lambda: None,
) -> Any:
    """Compile a function for calls by address (numba's `cfunc`); its machine code is kept.

    Args:
        name: what the kept file's name begins with.
        signature: the types of its arguments.
        function: what to compile.
        on_compiling: called first where no machine code is kept.
    """
    options = {key: value for key, value in OPTIONS.items() if key != "nogil"}
    return back_end.callback(name, signature, function, options, on_compiling)
