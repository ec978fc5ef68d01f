"""`ethnos-sim study`: plays the bundled experiments into one folder and makes a page of them."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import jobs_option
from ethnos_sim.commands.interruption import when_interrupted
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution.study import Experiment

PAGE = "report.html"


@click.command("study")
@click.argument("names", metavar="[EXPERIMENT]...", nargs=-1)
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    required=True,
    type=OutputPath(folder=True),
    help="Output folder: a folder for each experiment, and the page.",
)
@click.option("--quick", is_flag=True, help="Play the quick size of each experiment.")
@jobs_option
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="A number added to the random seed of each experiment.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def command(
    context: click.Context,
    names: Sequence[str],
    folder: Path,
    quick: bool,
    jobs: int | None,
    seed: int,
    quiet: bool,
) -> None:
    """Play the experiments of a balance report, and make its page.

    EXPERIMENT is the name of a bundled spec, as in `ethnos-sim study seats editions --out DIR`;
    unless named, all are played. Each goes into DIR/EXPERIMENT and goes on where it stopped; the
    page is DIR/report.html.
    """
    from joblib import cpu_count

    from ethnos_sim.experiments.execution.study import plan_study

    advice = f"Interrupted; every finished shard is kept. To go on: {_again(names, context)}"
    with when_interrupted(lambda: advice):
        experiments = plan_study(names, folder, quick=quick, seed=seed)
        _tell(experiments)
        for place, experiment in enumerate(experiments, 1):
            click.echo(f"{place} of {len(experiments)}: {experiment.name}")
            _play(experiment, jobs or cpu_count(), quiet)
        _write_page(experiments, folder / PAGE)


def _again(names: Sequence[str], context: click.Context) -> str:
    """The command line that goes on with the study."""
    given = context.params
    words = ["ethnos-sim", "study", *names, "--out", str(given["folder"])]
    if given["quick"]:
        words.append("--quick")
    if given["seed"]:
        words += ["--seed", str(given["seed"])]
    return shlex.join(words)


def _tell(experiments: Sequence[Experiment]) -> None:
    """Say what will be played."""
    rows = [
        (experiment.name, f"{len(experiment.plan.cells):,}", f"{experiment.plan.games:,}")
        for experiment in experiments
    ]
    print_table("Experiments", ("name", "cells", "games"), rows)


def _play(experiment: Experiment, jobs: int, quiet: bool) -> None:
    """Play what an experiment's folder lacks, and say what was done."""
    from ethnos_sim.experiments.execution.sweep import sweep

    swept = sweep(experiment.plan, experiment.folder, jobs=jobs, quiet=quiet)
    played = swept.played
    done = f"{played.games:,} games in {played.seconds:.0f} s" if played.games else "nothing new"
    click.echo(f"  played {done}; {experiment.folder} holds {swept.games_held:,} games")


def _write_page(experiments: Sequence[Experiment], page: Path) -> None:
    """Make the page of all experiments."""
    from ethnos_sim.reports.page import write_report

    started = time.perf_counter()
    written = write_report([experiment.folder for experiment in experiments], page)
    click.echo(f"Made the page in {time.perf_counter() - started:.0f} s.")
    click.echo(f"The same as Markdown: {written.markdown}")
    click.echo(f"Every table as CSV and Parquet: {written.tables}")
    click.echo(written.page)
