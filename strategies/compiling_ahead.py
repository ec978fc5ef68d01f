"""Compile the code that is not cached yet in several processes, before games begin.

Numba compiles one function at a time in a process. Worker processes take the engine and the
library's strategies one by one, the slowest to compile first, and write machine code to the cache
of this and all later runs. Code that they do not finish is compiled when it is needed.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import wait
from multiprocessing import current_process
from pathlib import Path
from typing import Any

from joblib.externals.loky.process_executor import BrokenProcessPool

from ethnos_sim.simulator.compiler.code_folder import (
    MissingCode,
    can_store_code,
    loaded_files,
    without_compiling,
)
from ethnos_sim.simulator.compiler.webassembly import cached_object, webassembly_object
from ethnos_sim.simulator.tables.batch import load_engine
from ethnos_sim.simulator.utilities.processes import allowed_processes, worker_processes
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.compiling import DEFAULTS, compiled_strategy
from ethnos_sim.strategies.registry import get_strategy, is_from_outside, list_strategies

#: The names of compiled code that is no strategy of the registry.
ENGINE, DEFAULT_ANSWERS, PERSON = "engine", "defaults", "person"

#: The names of the code that takes longest to compile, slowest first. Other code takes less.
LONGEST = ("learned", "lookahead", ENGINE, "champion", "warden", "evaluator", DEFAULT_ANSWERS)

#: Strategies that value moves by the net; they share much code, so one process compiles both.
BY_THE_NET = ("learned", "lookahead")

log = logging.getLogger("ethnos_sim")


def compile_ahead(strategies: Iterable[Strategy]) -> None:
    """Compile the engine and strategies on all cores, unless they are cached.

    Strangers are left to this process, which compiles them later and reports their errors.
    """
    names = (strategy.name for strategy in strategies if not is_from_outside(strategy))
    _compile_missing({ENGINE, DEFAULT_ANSWERS, *names})


def make_webassembly_ahead(strategies: Iterable[Strategy]) -> None:
    """Make the WebAssembly of the engine and strategies on all cores, unless it is cached.

    Raises:
        UnportableCode: the plain compiler is in use, which makes no WebAssembly.
    """
    names = {strategy.name for strategy in strategies if not is_from_outside(strategy)}
    _make_missing_webassembly({ENGINE, DEFAULT_ANSWERS, *names})


def _make_missing_webassembly(names: set[str]) -> None:
    """Make the WebAssembly of the code with these names on all cores, unless it is cached."""
    missing = [name for name in _slowest_first(names) if not _has_webassembly(name)]
    _run_in_processes(make_webassembly, [(name,) for name in missing])


def _has_webassembly(name: str) -> bool:
    """Whether the WebAssembly of the code `name` is cached; if so, load it."""
    return None not in [cached_object(compiled) for compiled in compiled_functions(name)]


def make_webassembly(*names: str) -> None:
    """Make the WebAssembly of the code with these names in this process, unless it is cached."""
    for name in names:
        for compiled_function in compiled_functions(name):
            webassembly_object(compiled_function)


def shipped_names() -> set[str]:
    """The names of all code that ships: engine, default answers, a person's seat, strategies."""
    ours = [strategy for strategy in list_strategies() if not is_from_outside(strategy)]
    return {ENGINE, DEFAULT_ANSWERS, PERSON, *(strategy.name for strategy in ours)}


def compile_all() -> None:
    """Compile all code that ships on all cores, unless it is cached, and load it."""
    names = shipped_names()
    _compile_missing(names)
    load_code(*names)


def copy_cached_code(folder: str) -> None:
    """Copy the cached code that ships into a new folder, for the wheel that carries this code."""
    names = {name for name in shipped_names() if _is_cached(name)}
    _make_missing_webassembly(names)
    for name in names:
        _has_webassembly(name)
    Path(folder).mkdir(parents=True)
    for file in loaded_files:
        shutil.copy(file, folder)


def _compile_missing(names: Collection[str]) -> None:
    """Compile the code with these names on all cores, unless it is cached."""
    missing = {name for name in names if not _is_cached(name)}
    together = itertools.groupby(_slowest_first(missing), lambda name: name in BY_THE_NET or name)
    _run_in_processes(load_code, [tuple(task) for _, task in together])


def _slowest_first(names: set[str]) -> list[str]:
    """Sort names, the slowest to compile first."""
    order = [*LONGEST, *sorted(names)]
    return sorted(names, key=order.index)


def _run_in_processes(work: Callable[..., None], tasks: Sequence[tuple[str, ...]]) -> None:
    """Call `work(*task)` for tasks in several processes; skip tasks that cannot run there."""
    workers = min(allowed_processes(), len(tasks))
    # Daemonic processes, such as workers of a multiprocessing pool, may not start processes.
    if workers < 2 or not can_store_code() or current_process().daemon:
        return
    log.info("compiling the engine and strategies, once, in %d processes", workers)
    with (
        contextlib.suppress(BrokenProcessPool, ImportError, OSError),
        worker_processes(workers) as executor,
    ):
        wait([executor.submit(work, *task) for task in tasks])


def load_code(*names: str) -> None:
    """Load the code with these names, or compile it."""
    for name in names:
        compiled_functions(name)


def compiled_functions(name: str) -> tuple[Any, ...]:
    """The functions of the code with a name, loaded from the cache or compiled."""
    if name == ENGINE:
        return load_engine()
    if name == PERSON:
        return load_person()
    return (compiled_strategy(DEFAULTS if name == DEFAULT_ANSWERS else get_strategy(name)),)


def load_person() -> tuple[Any, Any]:
    """The compiled functions for a person: the one in a person's seat, and `continue_answer`."""
    from ethnos_sim.simulator.stepping.person import (
        ANSWER_TYPES,
        compiled_person,
        continue_answer,
    )

    continue_answer.compile(ANSWER_TYPES)
    return compiled_person(), continue_answer


def _is_cached(name: str) -> bool:
    """Whether the machine code of `name` is cached; if so, load it."""
    try:
        with without_compiling():
            load_code(name)
    except MissingCode:
        return False
    return True
