"""`ethnos-sim sweep`: play plans into a folder, and continue sweeps that it holds."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import errors
from ethnos_sim.commands.interruption import CONTINUE_MESSAGE, interruption_message
from ethnos_sim.commands.options import (
    changes_option,
    games_option,
    jobs_option,
    read_path,
    strategy_files_option,
    typed_options,
    writable_folder,
)
from ethnos_sim.commands.tables import count_cell, print_table
from ethnos_sim.simulator.user_code.loading import without_running_files

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution.engines import Engine
    from ethnos_sim.experiments.plans.plan import Plan
    from ethnos_sim.experiments.specs.spec import SpecChanges
    from ethnos_sim.simulator.rules import RuleSet


@click.command("sweep")
@click.argument("spec", metavar="[SPEC]", required=False, type=read_path)
@click.option("--out", metavar="DIR", type=writable_folder, help="Folder of the results.")
@games_option(None, "Spread evenly over the cells; by default the number in the spec.")
@click.option("--quick", is_flag=True, help="Play only the spec's quick_games.")
@click.option("--seed", metavar="N", type=int, help="Random seed; by default the spec's.")
@changes_option
@click.option("--verify", is_flag=True, help="Play nothing: check every file in DIR.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Play nothing: show the games of the sweep, their time and their disk space.",
)
@click.option(
    "--shard-games",
    metavar="N",
    type=click.IntRange(1),
    help="About how many games a file holds; by default the sweep chooses.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@jobs_option
@click.option(
    "--scheduler",
    metavar="ADDR",
    help="Play on the workers of this dask scheduler, as in tcp://HOST:PORT.",
)
@strategy_files_option
@click.pass_context
def command(
    context: click.Context,
    spec: Path | None,
    out: Path | None,
    games: int | None,
    quick: bool,
    seed: int | None,
    changes: RuleSet,
    verify: bool,
    dry_run: bool,
    shard_games: int | None,
    quiet: bool,
    jobs: int,
    scheduler: str | None,
    strategy_files: Sequence[Path],
) -> None:
    """Play many games over clan sets and player counts, into a folder.

    SPEC is a TOML file, or the name of a bundled spec, as in `sweep seats` (an unknown name lists
    them all).

    If DIR already holds the sweep, it is continued where it stopped; then SPEC may be left out. A
    larger --games adds games.
    """
    from ethnos_sim.experiments.specs.spec import SpecChanges

    _check_options(spec)
    if verify:
        context.exit(_print_verification(_required_folder(out)))
    changed = SpecChanges(
        games=games, quick=quick, seed=seed, settings=changes.values, variants=changes.variants
    )
    if dry_run:
        with without_running_files():
            _print_needs(_chosen_plan(spec, out, changed, shard_games), jobs)
        return
    folder, engine = _required_folder(out), _chosen_engine(jobs, scheduler, strategy_files)
    with interruption_message(CONTINUE_MESSAGE):
        _play_plan(_chosen_plan(spec, folder, changed, shard_games), folder, engine, quiet)
    click.echo(f"Next: {shlex.join(['ethnos-sim', 'report', str(folder)])}")


def _chosen_engine(jobs: int, scheduler: str | None, strategy_files: Sequence[Path]) -> Engine:
    """The workers of the scheduler, or threads of this machine."""
    if scheduler is not None:
        from ethnos_sim.experiments.execution.cluster import Cluster, check_address

        return Cluster(check_address(scheduler), strategy_files)
    from ethnos_sim.experiments.execution.engines import Threads

    return Threads(jobs)


def _required_folder(folder: Path | None) -> Path:
    """The folder of the results; UsageError if it is None."""
    if folder is None:
        raise click.UsageError("give the folder for the results: --out DIR")
    return folder


def _check_options(spec: Path | None) -> None:
    """Raise UsageError for options that exclude each other, or that need a spec."""
    if len(typed_options("games", "quick")) > 1:
        raise click.UsageError("--quick sets the number of games; leave out --games")
    if spec is None and (given := typed_options("quick", "seed", "changes")):
        raise click.UsageError(f"{given[0]} changes a spec; name the spec too")


def _chosen_plan(
    spec: Path | None, folder: Path | None, changes: SpecChanges, shard_games: int | None
) -> Plan:
    """The plan of the given spec, or of the folder; UsageError if the folder holds no sweep."""
    from ethnos_sim.experiments.execution.sweep import choose_plan
    from ethnos_sim.experiments.storage.store import find_plan

    if spec is None and (folder is None or find_plan(folder) is None):
        where = "" if folder is None else f"'{folder}' holds no sweep to continue; "
        raise click.UsageError(f"{where}name a spec, as in `ethnos-sim sweep seats --out DIR`")
    plan = choose_plan(spec, folder, changes)
    return plan if shard_games is None else plan.with_shard_games(shard_games)


def _print_verification(folder: Path) -> int:
    """Print the faults of a sweep's folder and a summary; return the exit code."""
    from ethnos_sim.experiments.execution.verification import verify_folder

    verified = verify_folder(folder)
    results = verified.results
    for fault in verified.faults:
        click.echo(fault)
    state = "complete" if results.complete else f"of {results.plan.games:,} planned"
    summary = f"{len(results.records):,} shards, {results.games_held:,} games, {state}"
    if verified.faults:
        faults = len(verified.faults)
        click.echo(f"{summary}: {faults} fault{'s' * (faults > 1)}")
        return errors.FAILED
    click.echo(f"{summary}: every file is as it was written")
    return errors.DONE


def _play_plan(plan: Plan, folder: Path, engine: Engine, quiet: bool) -> None:
    """Play what the folder lacks of a plan, and print how much was played and is stored."""
    from ethnos_sim.experiments.execution.sweep import sweep

    swept = sweep(plan, folder, engine=engine, quiet=quiet)
    played = swept.played
    if played.games:
        click.echo(
            f"Played {played.games:,} games in {played.seconds:.1f} s, "
            f"{played.games_per_second:,.0f} games/s."
        )
    else:
        click.echo("Nothing was left to play.")
    megabytes = swept.bytes_held / 1e6
    click.echo(f"{folder} holds {swept.games_held:,} games in {megabytes:,.1f} MB.")


def _print_needs(plan: Plan, jobs: int) -> None:
    """Print a table of a plan's partitions, and the time and space that its games take."""
    from ethnos_sim.experiments.execution.calibration import measure_needs
    from ethnos_sim.experiments.execution.playing import prepare_plan
    from ethnos_sim.experiments.execution.progress import time_in_words
    from ethnos_sim.experiments.plans.plan import missing_shards
    from ethnos_sim.simulator.custom_powers.registry import NOT_RUN

    rows = [
        (
            partition.edition,
            *((partition.rules,) if partition.rules else ()),
            str(partition.players),
            partition.mode,
            count_cell(len({cell.clans for cell in cells})),
            count_cell(len({cell.line_up for cell in cells})),
            count_cell(len(cells)),
            count_cell(plan.rounds[partition] * plan.games_per_round(partition)),
        )
        for partition, cells in plan.cells_of.items()
    ]
    rules_column = ("rules",) if any(partition.rules for partition in plan.cells_of) else ()
    counts = ("players", "mode", "clan sets", "line-ups", "cells", "games")
    print_table(plan.name, ("edition", *rules_column, *counts), rows)
    click.echo(
        f"{plan.extent_text}.\n{len(missing_shards(plan, [])):,} shards, seed {plan.seed}, "
        f"plan {plan.plan_id}"
    )
    if any(NOT_RUN in str(value) for edition in plan.editions for value in edition.values.values()):
        click.echo(
            "Not measured: the rules have custom powers, and a dry run does not run their Python."
        )
        return
    prepare_plan(plan)
    seconds, size = measure_needs(plan, jobs)
    threads = "1 thread" if jobs == 1 else f"{jobs} threads"
    click.echo(
        f"{plan.games:,} games, about {time_in_words(seconds)} with {threads} of this machine, "
        f"{plan.games / seconds:,.0f} games/s, up to {size / 1e6:,.0f} MB"
    )
    click.echo(
        "Measured by playing for a moment with another seed: no game of the sweep was played, and "
        "nothing was written."
    )
