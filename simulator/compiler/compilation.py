"""Compile helpers, entries that Python calls, and callbacks that the engine calls.

There are two back ends. `fast` relies on private parts of numba; `plain` is ordinary numba and
checks every index. Both play the same games, so each is a test of the other. `plain` takes three
times as long to compile as `fast`, and plays at 60 to 80 % of its speed.
`ETHNOS_SIM_COMPILER=plain` selects it.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Callable
from types import MappingProxyType, ModuleType
from typing import Any

from ethnos_sim.simulator.compiler.code_folder import compile_frequency
from ethnos_sim.simulator.compiler.origin import is_from_package
from ethnos_sim.simulator.compiler.user_compiler import UserCompiler
from ethnos_sim.simulator.utilities.errors import WrongInput

log = logging.getLogger("ethnos_sim")

#: The options of all compiled code: no interpreter lock, no exceptions for division.
OPTIONS = MappingProxyType({"nopython": True, "nogil": True, "error_model": "numpy"})

#: The options of helpers from outside the package, where a division by zero is an error.
CHECKED_OPTIONS = MappingProxyType(
    {**OPTIONS, "boundscheck": True, "error_model": "python", "pipeline_class": UserCompiler}
)

#: The environment variable that names a back end, and its possible values.
BACK_END_VARIABLE, BACK_ENDS = "ETHNOS_SIM_COMPILER", ("fast", "plain")


def _chosen_back_end() -> ModuleType:
    """The back end that the user asks for; else the fast back end."""
    asked = os.environ.get(BACK_END_VARIABLE) or BACK_ENDS[0]
    if asked not in BACK_ENDS:
        raise WrongInput(f"{BACK_END_VARIABLE} is '{asked}'; it may be {' or '.join(BACK_ENDS)}")
    return importlib.import_module(f"{__package__}.{asked}")


#: The back end in use, a module with the functions `helper`, `entry` and `callback`.
back_end = _chosen_back_end()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a helper of the kernel.

    Callers pass integers as int64, except masks of cards (uint64). The helper is linked into its
    callers. In code from outside this package, loops are bounded and indices are checked.
    """
    return back_end.helper(function, OPTIONS if is_from_package(function) else CHECKED_OPTIONS)


def tool(function: Callable[..., Any]) -> Any:
    """Compile a helper that users' code may call, and that checks its own arguments.

    When users' code calls a helper of `kernel`, the helper is compiled again with checked indices.
    A tool and its callees are not compiled again.
    """
    return back_end.helper(function, OPTIONS, trusted=is_from_package(function))


def uncounted(function: Callable[..., Any]) -> Any:
    """Compile a helper of the kernel that creates no arrays, so that numba counts no references."""
    return back_end.helper(function, {**OPTIONS, "_nrt": False})


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a helper of the kernel whose few instructions are copied into every caller.

    Otherwise the compiler often emits a call, which costs as much as the helper's work.
    """
    return back_end.helper(function, {**OPTIONS, "forceinline": True})


def compile_entry(function: Callable[..., Any], log_message: str) -> Any:
    """Compile a function that Python calls; its machine code is cached between runs.

    If there is no cached code yet, log `log_message`, and how often the code is compiled.
    """

    def on_compiling() -> None:
        log.info("%s, %s", log_message, compile_frequency())

    return back_end.entry(function, OPTIONS, on_compiling)


def compile_callback(
    name: str,
    signature: Any,
    function: Callable[..., Any],
    on_compiling: Callable[[], None] = lambda: None,
) -> Any:
    """Compile a function for calls by address (numba's `cfunc`); its machine code is cached.

    Args:
        name: the beginning of the cached file's name.
        signature: the types of the arguments.
        function: the function to compile.
        on_compiling: called before compiling, if there is no cached machine code.
    """
    options = {key: value for key, value in OPTIONS.items() if key != "nogil"}
    return back_end.callback(name, signature, function, options, on_compiling)
