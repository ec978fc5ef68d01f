"""`ethnos-sim sweep`: plays a plan into a folder, and goes on with what is there."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import errors
from ethnos_sim.commands.game_options import strategy_files_option
from ethnos_sim.commands.interruption import interruptible
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution import Engine
    from ethnos_sim.experiments.plan import Plan


#: What a sweep says that was interrupted before it wrote anything.
NOTHING_YET = "Interrupted before the first game."


@click.command("sweep")
@click.argument("spec", metavar="[SPEC]", required=False, type=click.Path(path_type=Path))
@click.option("--out", "folder", metavar="DIR", type=click.Path(path_type=Path), help="Where to.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Threads or processes; all cores unless given."
)
@click.option("--games", type=click.IntRange(min=1), help="Games in all, evenly over the cells.")
@click.option("--seed", type=click.IntRange(min=0), help="The seed of all luck.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Change a rule value, as in bear.on_take=2, in the editions that have it.",
)
@click.option("--variant", metavar="V", help="A bundled variant's name or a variant file.")
@strategy_files_option
@click.option(
    "--engine",
    type=click.Choice(["threads", "processes", "dask"]),
    default="threads",
    show_default=True,
    help="What plays: threads or processes of this machine, or the workers of a dask scheduler.",
)
@click.option("--scheduler", metavar="ADDR", help="The dask scheduler, as in tcp://HOST:PORT.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.option("--dry-run", is_flag=True, help="Show what would be played, and play nothing.")
@click.pass_context
def command(
    context: click.Context,
    spec: Path | None,
    folder: Path | None,
    jobs: int | None,
    games: int | None,
    seed: int | None,
    settings: Sequence[str],
    variant: str | None,
    strategy_files: Sequence[Path],
    engine: str,
    scheduler: str | None,
    quiet: bool,
    dry_run: bool,
) -> None:
    """Play many games over clan sets and player counts, into a folder.

    SPEC says what to play: a TOML file, or the name of a bundled one (clan-win-rates, solo).
    Without it, that is the clan win-rate sweep over both editions with 2 to 6 players. A folder
    that holds a sweep already goes on where it stopped, and takes more games when --games asks for
    more.
    """
    from ethnos_sim.experiments.spec import Changes
    from ethnos_sim.experiments.sweep import choose_plan
    from ethnos_sim.strategies import load_strategy_file

    if folder is None and not dry_run:
        raise click.UsageError("give the folder for the results: --out DIR")
    for path in strategy_files:
        load_strategy_file(path)
    changes = Changes(games=games, seed=seed, settings=tuple(settings), variant=variant)
    plan = choose_plan(spec, folder, changes)
    if dry_run:
        _describe(plan)
        return
    assert folder is not None
    if scheduler is not None and engine != "dask":
        raise click.UsageError("--scheduler belongs to --engine dask")
    chosen = _engine(engine, jobs, scheduler, strategy_files)
    advice = _how_to_go_on(folder, engine, scheduler, strategy_files)
    with interruptible(lambda: advice if (folder / "plan.json").exists() else NOTHING_YET):
        try:
            _play(plan, folder, chosen, quiet)
        except KeyboardInterrupt:
            context.exit(errors.INTERRUPTED)


def _engine(
    name: str, jobs: int | None, scheduler: str | None, strategy_files: Sequence[Path]
) -> Engine:
    """The engine that the options name."""
    from joblib import cpu_count

    if name == "dask":
        from ethnos_sim.experiments.cluster import Cluster, check_address

        return Cluster(check_address(scheduler), strategy_files)
    if name == "processes":
        from ethnos_sim.experiments.processes import Processes

        return Processes(jobs or cpu_count(), strategy_files)
    from ethnos_sim.experiments.execution import Threads

    return Threads(jobs or cpu_count())


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
    from ethnos_sim.experiments.sweep import sweep

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
    click.echo(f"Next: {shlex.join(['ethnos-sim', 'report', str(folder)])}")


def _describe(plan: Plan) -> None:
    """Print what a plan plays, by partition."""
    from ethnos_sim.experiments.plan import missing_shards

    rows = [
        (
            partition.edition,
            str(partition.players),
            partition.mode,
            f"{len({cell.clans for cell in cells}):,}",
            f"{len({cell.line_up for cell in cells}):,}",
            f"{len(cells):,}",
            f"{plan.rounds[partition] * plan.games_per_round(partition):,}",
        )
        for partition, cells in plan.cells_of.items()
    ]
    headings = ("edition", "players", "mode", "clan sets", "line-ups", "cells", "games")
    print_table(plan.name, headings, rows)
    click.echo(
        f"{len(plan.cells):,} cells, {plan.games:,} games, {len(missing_shards(plan, [])):,} "
        f"shards, seed {plan.seed}, plan {plan.plan_id}"
    )
