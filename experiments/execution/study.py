"""A study: several of the bundled experiments, each a sweep in a folder of its own below another.

Each experiment is a spec of the package that answers one question of a balance report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ethnos_sim.experiments.execution.sweep import choose_plan
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.specs.spec import Changes, bundled_path, bundled_spec, bundled_specs
from ethnos_sim.experiments.storage.store import check_folder


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment of a study: the name of its spec, its folder, and what to play into it."""

    name: str
    folder: Path
    plan: Plan


def plan_study(
    names: Sequence[str], folder: Path, *, quick: bool = False, seed: int = 0
) -> list[Experiment]:
    """The experiments of a study, all checked before the first game.

    Args:
        names: bundled specs; none of them means all. One that is named twice counts once.
        folder: the study's folder; an experiment goes into the folder of its name below it, and
            goes on with what is there.
        quick: play the quick sizes.
        seed: added to the seed of each experiment. Those are all different, so that experiments
            on one page share no deals.

    Raises:
        WrongInput: there is no such experiment, or a folder is in use for something else.
    """
    paths = {name: bundled_path(name) for name in dict.fromkeys(names or bundled_specs())}
    found = []
    for name, path in paths.items():
        changes = Changes(quick=quick, seed=bundled_spec(name=name).seed + seed)
        plan = choose_plan(path, folder / name, changes)
        check_folder(folder / name, plan)
        found.append(Experiment(name, folder / name, plan))
    return found
