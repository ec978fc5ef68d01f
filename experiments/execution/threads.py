"""Work in threads of this process: the kernel holds no interpreter lock, so they use all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ethnos_sim.simulator.batch import load_engine

Task = TypeVar("Task")
Kept = TypeVar("Kept")

OnGames = Callable[[int], None]
"""Is called, from any thread, with a number of games just played."""


def tell_nobody(games: int) -> None:
    """Tell nobody of games."""


def in_threads(
    play: Callable[[Task], Kept], tasks: Sequence[Task], threads: int | None
) -> list[Kept]:
    """What playing each task gives, in their order, however many threads play them.

    None stands for as many threads as there are cores.
    """
    if threads == 1 or len(tasks) < 2:
        return [play(task) for task in tasks]
    from joblib import Parallel, delayed

    load_engine()  # Once, before threads ask for it.
    found: list[Kept] = Parallel(threads or -1, backend="threading")(map(delayed(play), tasks))
    return found
