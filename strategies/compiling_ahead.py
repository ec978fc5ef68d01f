"""The first run: compile everything that is not cached yet, in several processes.

Numba compiles one function at a time in a process. Workers take the engine and the library's
strategies one by one, the slowest to compile first, and write machine code to the cache of this and
all later runs. Nothing depends on the workers: code that they leave out is compiled when it is
needed.
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

from ethnos_sim.simulator.compiler.cache import NotCached, can_store_code, loaded_files, only_cached
from ethnos_sim.simulator.compiler.webassembly import cached_object, webassembly_object
from ethnos_sim.simulator.tables.batch import load_engine
from ethnos_sim.simulator.utilities.processes import allowed_processes, worker_processes
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.compiling import DEFAULTS, compiled
from ethnos_sim.strategies.registry import get_strategy, is_from_outside, list_strategies

#: Names of compiled code other than the registry's strategies.
ENGINE, DEFAULT_ANSWERS, PERSON = "engine", "defaults", "person"

#: The names whose code takes longest to compile, slowest first; the rest take equally long.
LONGEST = ("learned", "lookahead", ENGINE, "champion", "warden", "evaluator", DEFAULT_ANSWERS)

#: Strategies that value moves by the net; they share much code, so one process compiles both.
BY_THE_NET = ("learned", "lookahead")

log = logging.getLogger("ethnos_sim")


def compile_ahead(strategies: Iterable[Strategy]) -> None:
    """Compile the engine and strategies on all cores, unless they are cached.

    This process compiles strategies from outside the package itself, so that it can report their
    errors.
    """
    names = (strategy.name for strategy in strategies if not is_from_outside(strategy))
    _compile_missing({ENGINE, DEFAULT_ANSWERS, *names})


def code_ahead(strategies: Iterable[Strategy]) -> None:
    """Compile the engine and strategies for pages on all cores, unless they are cached.

    Raises:
        UnportableCode: the plain back end is in use.
    """
    names = {strategy.name for strategy in strategies if not is_from_outside(strategy)}
    _make_missing_webassembly({ENGINE, DEFAULT_ANSWERS, *names})


def _make_missing_webassembly(names: set[str]) -> None:
    """Make the WebAssembly that is not cached yet, on all cores."""
    missing = [name for name in _in_order(names) if not _has_webassembly(name)]
    _side_by_side(make_webassembly, [(name,) for name in missing])


def _has_webassembly(name: str) -> bool:
    """Whether the WebAssembly of the code `name` is cached; if so, load it."""
    return None not in [cached_object(compiled) for compiled in compiled_functions(name)]


def make_webassembly(*names: str) -> None:
    """Make the WebAssembly of the code with these names, unless it is cached."""
    for name in names:
        for compiled_function in compiled_functions(name):
            webassembly_object(compiled_function)


def all_names() -> set[str]:
    """The names of all code that ships: of the engine and the strategies."""
    ours = [strategy for strategy in list_strategies() if not is_from_outside(strategy)]
    return {ENGINE, DEFAULT_ANSWERS, PERSON, *(strategy.name for strategy in ours)}


def compile_all() -> None:
    """Compile all code that ships, in parallel unless it is cached, and load it."""
    names = all_names()
    _compile_missing(names)
    load(*names)


def copy_kept(target: str) -> None:
    """Copy the cached code that ships into a new folder, for the wheel that carries it."""
    names = {name for name in all_names() if _is_kept(name)}
    _make_missing_webassembly(names)
    for name in names:
        _has_webassembly(name)
    Path(target).mkdir(parents=True)
    for file in loaded_files:
        shutil.copy(file, target)


def _compile_missing(names: Collection[str]) -> None:
    """Compile the machine code that is not cached yet, on all cores."""
    missing = {name for name in names if not _is_kept(name)}
    together = itertools.groupby(_in_order(missing), lambda name: name in BY_THE_NET or name)
    _side_by_side(load, [tuple(task) for _, task in together])


def _in_order(names: set[str]) -> list[str]:
    """Sort names, the slowest to compile first."""
    order = [*LONGEST, *sorted(names)]
    return sorted(names, key=order.index)


def _side_by_side(work: Callable[..., None], tasks: Sequence[tuple[str, ...]]) -> None:
    """Do tasks in several processes. Code that they do not finish is made when it is needed."""
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


def load(*names: str) -> None:
    """Load the code with these names, or compile it."""
    for name in names:
        compiled_functions(name)


def compiled_functions(name: str) -> tuple[Any, ...]:
    """Load or compile the functions of the code `name`, and return them."""
    if name == ENGINE:
        return load_engine()
    if name == PERSON:
        return load_person()
    return (compiled(DEFAULTS if name == DEFAULT_ANSWERS else get_strategy(name)),)


def load_person() -> tuple[Any, Any]:
    """The compiled code of a person's seat, and the compiled function that lists legal actions."""
    from ethnos_sim.simulator.stepping.person import (
        ANSWER_TYPES,
        compiled_person,
        continue_answer,
    )

    continue_answer.compile(ANSWER_TYPES)
    return compiled_person(), continue_answer


def _is_kept(name: str) -> bool:
    """Whether the machine code of `name` is cached; if so, load it."""
    try:
        with only_cached():
            load(name)
    except NotCached:
        return False
    return True
