"""`ethnos-sim sweep`: plays a plan into a folder, and goes on with what is there."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import errors
from ethnos_sim.commands.game_options import strategy_files_option
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.plan import Plan


@click.command("sweep")
@click.argument("spec", metavar="[SPEC]", required=False, type=click.Path(path_type=Path))
@click.option("--out", "folder", metavar="DIR", type=click.Path(path_type=Path), help="Where to.")
@click.option("--jobs", type=click.IntRange(min=1), help="Threads; all cores unless given.")
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
@click.option("--engine", type=click.Choice(["threads"]), default="threads", show_default=True)
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
    try:
        _play(plan, folder, jobs, quiet)
    except KeyboardInterrupt:
        click.echo(_how_to_go_on(folder, strategy_files), err=True)
        context.exit(errors.INTERRUPTED)


def _how_to_go_on(folder: Path, strategy_files: Sequence[Path]) -> str:
    """What an interrupted sweep says."""
    from ethnos_sim.experiments.store import stored_plan

    if stored_plan(folder) is None:
        return "Interrupted before the first game."
    words = ["ethnos-sim", "sweep", "--out", str(folder)]
    for path in strategy_files:
        words += ["--strategies-from", str(path)]
    return f"Interrupted; every finished shard is kept. To go on: {shlex.join(words)}"


def _play(plan: Plan, folder: Path, jobs: int | None, quiet: bool) -> None:
    """Play the plan and say what was done."""
    from joblib import cpu_count

    from ethnos_sim.experiments.sweep import sweep

    swept = sweep(plan, folder, jobs=jobs or cpu_count(), quiet=quiet)
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
