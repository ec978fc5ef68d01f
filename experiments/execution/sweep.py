"""A sweep from request to results: choose the plan of a folder, and play its missing games.

A study is several experiments. Each is a sweep in a subfolder of the study's folder.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from joblib import cpu_count

from ethnos_sim.experiments.execution.engines import Engine, Threads, play_missing
from ethnos_sim.experiments.execution.playing import Tables, prepare_tables
from ethnos_sim.experiments.execution.progress import shown_progress
from ethnos_sim.experiments.plans.hashes import kernel_hash, package_version, strategy_hashes
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import (
    NO_CHANGES,
    USUAL,
    Spec,
    SpecChanges,
    bundled_path,
    load_spec,
)
from ethnos_sim.experiments.storage.results import Results, results_so_far
from ethnos_sim.experiments.storage.store import Store, check_folder, find_plan, open_store
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.processes import limit_processes

SpecSource = Spec | Mapping[str, Any] | str | PathLike[str]
"""A spec as users give it: a `Spec`, its file, the name of a bundled spec, or its table."""


@dataclass(frozen=True, slots=True)
class Played:
    """The games that one run of a sweep played, and the seconds that it took."""

    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """The rate, 0 when nothing was played."""
        return self.games / self.seconds if self.games else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Swept(Results):
    """The results of a sweep, and what this run played."""

    played: Played


def choose_plan(
    spec: Plan | SpecSource | None, folder: Path | None, changes: SpecChanges = NO_CHANGES
) -> Plan:
    """The plan to play into a folder.

    Without a spec, and with no change except the number of games, a folder that holds a sweep
    continues its stored plan. Otherwise the plan comes from the spec, or from the usual bundled
    spec if there is none. A folder that holds the same plan with more rounds keeps these rounds,
    unless `changes` states a number of games.

    Args:
        spec: a plan, a spec, its TOML file, the name of a bundled one, its table, or None.
        folder: where the sweep is or will be; None to use no folder.
        changes: what to change in the spec.

    Raises:
        WrongInput: the spec is wrong, changes were given with a plan, or the folder's plan cannot
            be read.
    """
    if isinstance(spec, Plan):
        if changes != NO_CHANGES:
            raise WrongInput("a plan is played as it is; change the spec that it is made of")
        return spec
    stored = None if folder is None else find_plan(folder)
    only_games = replace(changes, games=None) == NO_CHANGES
    if spec is None and only_games and stored is not None:
        plan = replace(
            stored,
            version=package_version(),
            kernel=kernel_hash(),
            strategies=strategy_hashes(stored.strategies),
        )
        return plan if changes.games is None else plan.with_total_games(changes.games)
    plan = make_plan(load_spec(bundled_path(USUAL) if spec is None else spec, changes))
    if stored is not None and stored.plan_id == plan.plan_id:
        plan = replace(plan, shard_games=stored.shard_games)
        if changes.games is None:
            return plan.with_least_rounds(stored.rounds)
    return plan


def sweep(
    spec: Plan | SpecSource | None,
    folder: str | PathLike[str],
    *,
    games: int | None = None,
    quick: bool = False,
    seed: int | None = None,
    overrides: str | Sequence[str] = (),
    variants: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    jobs: int | None = None,
    engine: Engine | None = None,
    quiet: bool = False,
) -> Swept:
    """Play what a folder lacks of a sweep, as `ethnos-sim sweep` does.

    All strategies are compiled and all cells checked before anything is written. An interrupted
    sweep (Ctrl-C too) keeps every finished shard and goes on where it stopped.

    Args:
        spec: what to play: the name of a bundled spec ("seats"), a TOML file, a table, a `Spec`
            or a plan; None for what the folder holds, or the usual sweep.
        folder: where the results go; made where it does not exist.
        games: games in all, evenly over the cells; the spec's own number unless given.
        quick: play the few games of the spec's own quick size.
        seed: master seed; the spec's own unless given.
        overrides: rule values to change, as in "bear.on_take=2".
        variants: variants to play with, by name or file.
        jobs: threads to play with, all cores unless given; the results do not depend on it.
        engine: what plays in place of threads; the results do not depend on it either.
        quiet: show no progress.

    Returns:
        The results, with what this run played (`played`).

    Raises:
        WrongInput: the spec is wrong, a cell cannot be played, or the folder cannot be used (see
            `open_store`).
        IllegalMove: a strategy answered with a move that the rules forbid.
        Failed: a file cannot be written or read.

    Example:
        >>> from ethnos_sim import sweep
        >>> results = sweep("seats", "seats-results", games=2000, quiet=True)
        >>> results.complete
        True
    """
    folder, settings, added = Path(folder), _several(overrides), _several(variants)
    changes = SpecChanges(games=games, quick=quick, seed=seed, settings=settings, variants=added)
    plan = choose_plan(spec, folder, changes)
    check_folder(folder, plan)
    with limit_processes(jobs):
        tables = prepare_tables(plan)
    playing = engine or Threads(jobs or cpu_count())
    if find_plan(folder) is None:
        playing.check(plan)
    with open_store(folder, plan) as store:
        played = _fill(store, tables, playing, quiet)
        return Swept(folder, store.plan, tuple(store.records), played)


def _fill(store: Store, tables: Tables, engine: Engine, quiet: bool) -> Played:
    """Play what a store lacks, and show the progress."""
    plan, before = store.plan, results_so_far(store).games_held
    title = f"{plan.name}: {plan.extent}"
    with shown_progress(title, plan.games, before, quiet=quiet) as shown:
        started = time.perf_counter()
        play_missing(store, tables, engine=engine, on_games=shown)
        return Played(results_so_far(store).games_held - before, time.perf_counter() - started)


def _several(given: str | PathLike[str] | Sequence[str | PathLike[str]]) -> tuple[str, ...]:
    """One text or path, or several, as a tuple."""
    return tuple(map(str, [given] if isinstance(given, str | PathLike) else given))
