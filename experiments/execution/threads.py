"""Work in threads, which use all cores, since the kernel does not hold the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ethnos_sim.simulator.tables.batch import load_engine

Task = TypeVar("Task")
Result = TypeVar("Result")

OnGames = Callable[[int], None]
"""Called, from any thread, with the number of games just played."""


def ignore_progress(games: int) -> None:
    """Ignore the number of games."""


def map_in_threads(
    work: Callable[[Task], Result], tasks: Sequence[Task], threads: int | None
) -> list[Result]:
    """The results of `work` for all tasks, in the order of the tasks.

    If `threads` is None, there is one thread for each core.
    """
    if threads == 1 or len(tasks) < 2:
        return [work(task) for task in tasks]
    from joblib import Parallel, delayed

    load_engine()  # Load the engine once, before the threads need it.
    results: list[Result] = Parallel(threads or -1, backend="threading")(map(delayed(work), tasks))
    return results
