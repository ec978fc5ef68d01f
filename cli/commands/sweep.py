"""`ethnos-sim sweep`: plays a plan into a folder, and goes on with what is there."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.engines import engine_of, engine_options
from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import strategy_files_option, variant_option
from ethnos_sim.commands.interruption import when_interrupted
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution.calibration import CellKind, Sample
    from ethnos_sim.experiments.execution.engines import Engine
    from ethnos_sim.experiments.execution.sweep import Swept
    from ethnos_sim.experiments.plans.plan import Partition, Plan


#: What a sweep says that was interrupted before it wrote anything.
NOTHING_YET = "Interrupted before the first game."


@click.command("sweep")
@click.argument("spec", metavar="[SPEC]", required=False, type=click.Path(path_type=Path))
@click.option("--out", "folder", metavar="DIR", type=OutputPath(folder=True), help="Output folder.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Threads or processes; all cores unless given."
)
@click.option("--games", type=click.IntRange(min=1), help="Games in all, evenly over the cells.")
@click.option("--quick", is_flag=True, help="Play the few games of the spec's own quick size.")
@click.option("--seed", type=click.IntRange(min=0), help="Random seed.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Change a rule value, as in bear.on_take=2, in the editions that have it.",
)
@variant_option
@strategy_files_option
@engine_options
@click.option(
    "--shard-games",
    type=click.IntRange(min=1),
    help="Games in a file, about; chosen by the sweep unless given.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.option("--dry-run", is_flag=True, help="Show what would be played, and what it would take.")
def command(
    spec: Path | None,
    folder: Path | None,
    jobs: int | None,
    games: int | None,
    quick: bool,
    seed: int | None,
    settings: Sequence[str],
    variants: Sequence[str],
    strategy_files: Sequence[Path],
    engine: str,
    scheduler: str | None,
    shard_games: int | None,
    quiet: bool,
    dry_run: bool,
) -> None:
    """Play many games over clan sets and player counts, into a folder.

    SPEC says what to play: a TOML file, or the name of a bundled one, as in `sweep seats`
    (an unknown name lists them all). Without it, that is the clan win-rate sweep over both
    editions with 2 to 6 players. A folder that holds a sweep already goes on where it stopped, and
    takes more games when --games asks for more.
    """
    from joblib import cpu_count

    from ethnos_sim.experiments.execution.sweep import choose_plan
    from ethnos_sim.experiments.specs.spec import Changes

    if folder is None and not dry_run:
        raise click.UsageError("give the folder for the results: --out DIR")
    if quick and games is not None:
        raise click.UsageError("--quick is a number of games; leave out --games")
    changes = Changes(
        games=games, quick=quick, seed=seed, settings=tuple(settings), variants=tuple(variants)
    )
    plan = choose_plan(spec, folder, changes)
    if shard_games is not None:
        plan = plan.with_shards_of(shard_games)
    if dry_run:
        _describe(plan, jobs or cpu_count())
        return
    assert folder is not None
    chosen = engine_of(engine, jobs, scheduler, strategy_files)
    advice = _how_to_go_on(folder, engine, scheduler, strategy_files)
    with when_interrupted(lambda: advice if (folder / "plan.json").exists() else NOTHING_YET):
        _play(plan, folder, chosen, quiet)


def _how_to_go_on(
    folder: Path, engine: str, scheduler: str | None, strategy_files: Sequence[Path]
) -> str:
    """What an interrupted sweep says."""
    words = ["ethnos-sim", "sweep", "--out", str(folder)]
    for path in strategy_files:
        words += ["--strategies-from", str(path)]
    if engine != "threads":
        words += ["--engine", engine]
    if scheduler is not None:
        words += ["--scheduler", scheduler]
    return f"Interrupted; every finished shard is kept. To go on: {shlex.join(words)}"


def _play(plan: Plan, folder: Path, engine: Engine, quiet: bool) -> None:
    """Play the plan and say what was done."""
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
    if swept.plan.schedule is not None:
        _tell_precision(swept)
    megabytes = swept.bytes_held / 1e6
    click.echo(f"{folder} holds {swept.games_held:,} games in {megabytes:,.1f} MB.")
    click.echo(f"Next: {shlex.join(['ethnos-sim', 'report', str(folder)])}")


def _tell_precision(swept: Swept) -> None:
    """Say whether the precision aimed for was reached, and where not."""
    from ethnos_sim.experiments.execution.sweep import in_words

    plan = swept.plan
    assert plan.schedule is not None, "only a sweep with a target has a precision"
    wanting = [
        found for found in swept.precision.values() if found.half_width > plan.schedule.half_width
    ]
    click.echo(f"Precision: {in_words(plan, swept.precision)}.")
    for found in wanting:
        click.echo(f"The budget ended before {found.group} was precise enough.")


def _describe(plan: Plan, jobs: int) -> None:
    """Print what a plan plays, by partition, and what that takes."""
    from ethnos_sim.experiments.execution.calibration import sample_kinds
    from ethnos_sim.experiments.execution.playing import prepare_tables
    from ethnos_sim.experiments.plans.plan import missing_shards

    rows = [
        (
            partition.edition,
            *((partition.rules,) if partition.rules else ()),
            str(partition.players),
            partition.mode,
            f"{len({cell.clans for cell in cells}):,}",
            f"{len({cell.line_up for cell in cells}):,}",
            f"{len(cells):,}",
            f"{plan.rounds[partition] * plan.games_per_round(partition):,}",
        )
        for partition, cells in plan.cells_of.items()
    ]
    named = ("rules",) if any(partition.rules for partition in plan.cells_of) else ()
    counts = ("players", "mode", "clan sets", "line-ups", "cells", "games")
    print_table(plan.name, ("edition", *named, *counts), rows)
    click.echo(
        f"{len(plan.cells):,} cells, {plan.games:,} games, {len(missing_shards(plan, [])):,} "
        f"shards, seed {plan.seed}, plan {plan.plan_id}"
    )
    samples = sample_kinds(plan, prepare_tables(plan), jobs)
    for when, rounds in _extents(plan).items():
        _tell_needs(plan, when, rounds, samples, jobs)
    click.echo(
        f"Measured on a moment of each of {len(samples):,} kinds of cells, with a seed of its own: "
        "no game of the sweep was played, and nothing was written."
    )


def _extents(plan: Plan) -> dict[str, Mapping[Partition, int]]:
    """How many rounds a sweep may come to: those asked for, or what a target may take."""
    schedule = plan.schedule
    if schedule is None:
        return {"": plan.rounds}
    return {
        "First look: ": schedule.first,
        f"Expected for {schedule.estimate} within {schedule.half_width:g}: ": schedule.expected(
            plan.cells_of
        ),
        "Budget: ": schedule.last,
    }


def _tell_needs(
    plan: Plan,
    when: str,
    rounds: Mapping[Partition, int],
    samples: Mapping[CellKind, Sample],
    jobs: int,
) -> None:
    """Print what so many rounds take."""
    from ethnos_sim.experiments.execution.calibration import needs_of
    from ethnos_sim.experiments.execution.progress import in_words

    needs = needs_of(plan, rounds, samples, jobs)
    threads = "1 thread" if jobs == 1 else f"{jobs} threads"
    click.echo(
        f"{when}{needs.games:,} games, about {in_words(needs.seconds)} with {threads} of this "
        f"machine, {needs.games / needs.seconds:,.0f} games/s, up to {needs.bytes / 1e6:,.0f} MB"
    )
