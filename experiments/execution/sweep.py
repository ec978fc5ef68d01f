"""A sweep from request to results: choose the plan of a folder, and play its missing games."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from joblib import cpu_count

from ethnos_sim.experiments.execution.engines import Engine, Threads, play_missing
from ethnos_sim.experiments.execution.playing import PlanTables, prepare_plan
from ethnos_sim.experiments.execution.progress import show_progress
from ethnos_sim.experiments.plans.hashes import kernel_hash, package_version, strategy_hashes
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import (
    DEFAULT_SPEC,
    NO_CHANGES,
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
"""A spec in any form: a `Spec`, a TOML file, the name of a bundled spec, or a table."""


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """The games that one run of a sweep played, and the seconds that it took."""

    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """The rate of this run, 0 if it played nothing."""
        return self.games / self.seconds if self.games else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class SweepResults(Results):
    """The results of a sweep, with the games that this run played (`played`)."""

    played: PlayedGames


def choose_plan(
    spec: Plan | SpecSource | None, folder: Path | None, changes: SpecChanges = NO_CHANGES
) -> Plan:
    """The plan that a sweep into a folder plays.

    Without a spec, it is the plan stored in the folder, if nothing but the number of games
    changes. Otherwise it is made from the spec, by default DEFAULT_SPEC. If the folder holds the
    same plan with more rounds, these rounds stay, unless `changes` states a number of games.

    Args:
        spec: a plan, a spec in any form, or None.
        folder: the folder of the sweep, which may not exist yet; None to use no folder.
        changes: what to change in the spec.

    Raises:
        WrongInput: the spec is wrong, changes were given with a plan, or the folder's plan cannot
            be read.
    """
    if isinstance(spec, Plan):
        if changes != NO_CHANGES:
            raise WrongInput("a plan cannot be changed; change the spec that it was made from")
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
    plan = make_plan(load_spec(bundled_path(DEFAULT_SPEC) if spec is None else spec, changes))
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
) -> SweepResults:
    """Play what a folder lacks of a sweep, as `ethnos-sim sweep` does.

    All strategies are compiled and all cells checked before anything is written. An interrupted
    sweep (Ctrl-C too) keeps every finished shard and goes on where it stopped.

    Args:
        spec: what to play: the name of a bundled spec ("seats"), a TOML file, a table, a `Spec`
            or a plan; None to continue the folder's sweep, or to play `clan-win-rates`.
        folder: where the results go; it is made if it does not exist.
        games: games in all, evenly over the cells; by default the number in the spec.
        quick: play only the `quick_games` of the spec.
        seed: the seed of all deals; by default the seed in the spec.
        overrides: rule values to change, as in "bear.on_take=2".
        variants: variants to play with, by name or file.
        jobs: threads to play with, by default one per core; the results do not depend on it.
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
    folder, settings, added = Path(folder), _as_tuple(overrides), _as_tuple(variants)
    changes = SpecChanges(games=games, quick=quick, seed=seed, settings=settings, variants=added)
    plan = choose_plan(spec, folder, changes)
    check_folder(folder, plan)
    with limit_processes(jobs):
        tables = prepare_plan(plan)
    playing = engine or Threads(jobs or cpu_count())
    if find_plan(folder) is None:
        playing.check_ready(plan)
    with open_store(folder, plan) as store:
        played = _fill_store(store, tables, playing, quiet)
        return SweepResults(folder, store.plan, tuple(store.records), played)


def _fill_store(store: Store, tables: PlanTables, engine: Engine, quiet: bool) -> PlayedGames:
    """Play the shards that a store lacks, and show the progress."""
    plan, before = store.plan, results_so_far(store).games_held
    title = f"{plan.name}: {plan.extent_text}"
    with show_progress(title, plan.games, before, quiet=quiet) as shown:
        started = time.perf_counter()
        play_missing(store, tables, engine=engine, on_games=shown)
        return PlayedGames(results_so_far(store).games_held - before, time.perf_counter() - started)


def _as_tuple(given: str | PathLike[str] | Sequence[str | PathLike[str]]) -> tuple[str, ...]:
    """One or several texts or paths, as a tuple of texts."""
    return tuple(map(str, [given] if isinstance(given, str | PathLike) else given))
