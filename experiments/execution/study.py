"""A study: several experiments, each a sweep in a folder of its own below another.

A bundled experiment is a spec of the package that answers one question of a balance report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ethnos_sim.experiments.execution.sweep import choose_plan
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.specs.spec import Changes, bundled_path, bundled_specs
from ethnos_sim.experiments.storage.store import check_folder


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment of a study: the name of its spec, its folder, and what to play into it."""

    name: str
    folder: Path
    plan: Plan


def plan_study(
    specs: Sequence[str], folder: Path, *, quick: bool = False, seed: int | None = None
) -> list[Experiment]:
    """The experiments of a study, all checked before the first game.

    Args:
        specs: TOML files and names of bundled specs; none of them means all bundled ones. One that
            is there twice counts once.
        folder: the study's folder; an experiment goes into the folder of its name below it, and
            goes on with what is there.
        quick: play the quick sizes.
        seed: of the first experiment, the next ones' follow; those of the specs unless given. They
            are all different, so that experiments on one page share no deals.

    Raises:
        WrongInput: there is no such experiment, or a folder is in use for something else.
    """
    paths = [_path(spec) for spec in dict.fromkeys(specs or bundled_specs())]
    found = []
    for place, path in enumerate(paths):
        changes = Changes(quick=quick, seed=None if seed is None else seed + place)
        into = folder / path.stem
        plan = choose_plan(path, into, changes)
        check_folder(into, plan)
        found.append(Experiment(path.stem, into, plan))
    return found


def _path(spec: str) -> Path:
    """A spec's file; WrongInput for a name that no bundled spec has."""
    return Path(spec) if spec.endswith(".toml") else bundled_path(spec)
