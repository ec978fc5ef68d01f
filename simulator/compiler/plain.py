"""The plain back end: ordinary numba, with every index checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

from ethnos_sim.simulator.compiler.arguments import widened_type
from ethnos_sim.simulator.compiler.code_cache import EntryCache

numba.config.BOUNDSCHECK = 1


def helper(
    function: Callable[..., Any], options: Mapping[str, Any], *, trusted: bool = False
) -> Any:
    """A compiled helper that takes all integers as 64 bits.

    `trusted` has no effect here, as every index is checked anyway.
    """
    dispatcher = numba.jit(**options)(function)
    template_of = dispatcher.get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        wide = {name: widened_type(kind) for name, kind in keywords.items()}
        return template_of(tuple(widened_type(kind) for kind in arguments), wide)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def entry(
    function: Callable[..., Any], options: Mapping[str, Any], on_compiling: Callable[[], None]
) -> Any:
    """A compiled function that Python calls."""
    dispatcher = numba.jit(**options)(function)
    _set_cache(dispatcher, function.__name__.strip("_"), function, on_compiling)
    return dispatcher


def callback(
    name: str,
    signature: Any,
    function: Callable[..., Any],
    options: dict[str, Any],
    on_compiling: Callable[[], None],
) -> Any:
    """A compiled function for calls by address."""
    compiled: Any = CFunc(function, normalize_signature(signature), {}, options)
    _set_cache(compiled, name, function, on_compiling)
    compiled.compile()
    return compiled


def _set_cache(
    compiled: Any, name: str, function: Callable[..., Any], on_compiling: Callable[[], None]
) -> None:
    """Cache machine code in files of this back end."""
    compiled._cache = EntryCache(f"plain-{name}", function, on_compiling)
