"""Looks at a sweep: partitions that are not precise or settled go on, the others stop.

The plan fixes the looks before the first game. At each look, all rounds up to it are finished. The
judgment depends only on the stored rows of these rounds, so a sweep that was killed gets the
same judgments when it continues.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ethnos_sim.experiments.execution.calibration import check_space
from ethnos_sim.experiments.execution.playing import Tables
from ethnos_sim.experiments.execution.precision import Precision, in_words, precision_reached
from ethnos_sim.experiments.plans.plan import Partition
from ethnos_sim.experiments.storage.results import Results, results_in
from ethnos_sim.experiments.storage.store import Store


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge's result: the partitions with open answers, and a sentence for users."""

    open: Collection[Partition]
    words: str


Judge = Callable[[Results], Judged]
"""Judges the results so far."""


@dataclass(frozen=True, slots=True)
class Look:
    """The result of a look: a sentence for users, and the precision if the sweep has a target."""

    words: str = ""
    precision: Mapping[Partition, Precision] = field(default_factory=dict)


def look(store: Store, judge: Judge | None, tables: Tables) -> tuple[bool, Look]:
    """Look at the results after all planned rounds, and plan the rounds up to the next look.

    Returns:
        Whether there are more rounds to play, and the result; an empty one without looks.

    Raises:
        WrongInput: the games up to the next look take more space than the disk has.
    """
    plan, results = store.plan, results_in(store)
    more = {}
    if (target := plan.schedule) is not None:
        precision = {
            part: precision_reached(results, target, part, rounds)
            for part, rounds in plan.rounds.items()
        }
        seen = Look(in_words(plan, precision), precision)
        for part, reached in precision.items():
            following = target.after(part, plan.rounds[part])
            if reached.half_width > target.half_width and following is not None:
                more[part] = following
    elif plan.looks and judge is not None:
        judged = judge(results)
        seen = Look(judged.words)
        latest = max(map(plan.look_of, plan.looks))
        for part in judged.open:
            if plan.look_of(part) == latest < len(plan.looks[part]) - 1:
                more[part] = plan.looks[part][latest + 1]
    else:
        seen = Look()
    if more:
        wanted = plan.with_at_least(more)
        check_space(wanted, store.folder, tables)
        store.change_plan(wanted)
    return bool(more), seen
