"""Looks at the answers of a sweep: partitions with open answers go on, settled partitions stop.

The plan fixes the looks before the first game. At each look, all rounds up to it are finished. The
judgment follows from the rows alone, so a sweep that was killed continues in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ethnos_sim.experiments.execution.calibration import check_space
from ethnos_sim.experiments.execution.playing import Tables
from ethnos_sim.experiments.plans.plan import Partition
from ethnos_sim.experiments.storage.results import Results, results_in
from ethnos_sim.experiments.storage.store import Store


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of a look: the partitions with open answers, and a sentence for users."""

    open: Collection[Partition]
    words: str


Judge = Callable[[Results], Judged]
"""Judges the results so far."""


def look_at_answers(store: Store, judge: Judge | None, tables: Tables) -> tuple[bool, str]:
    """Judge the answers after all planned rounds, and plan the rounds up to the next look.

    Returns:
        Whether there are more rounds to play, and the judge's sentence; "" without looks.

    Raises:
        WrongInput: the games up to the next look take more space than the disk has.
    """
    plan = store.plan
    if not plan.looks or judge is None:
        return False, ""
    judged = judge(results_in(store))
    reached = max(map(plan.look_of, plan.looks))
    more = {
        part: plan.looks[part][reached + 1]
        for part in judged.open
        if plan.look_of(part) == reached < len(plan.looks[part]) - 1
    }
    if more:
        wanted = plan.with_at_least(more)
        check_space(wanted, store.folder, tables)
        store.change_plan(wanted)
    return bool(more), judged.words
