"""`ethnos-sim report`: make the page, its Markdown and its tables from a sweep's folder."""

from __future__ import annotations

import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, takes

USUAL = Path("results")
"""The folder of the usual sweep if no folder is named."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where the page goes, and how the usual sweep is played."""

    page: Path | None = option.output(
        "--out", "FILE.html", "Where the page goes; DIR/report.html unless given."
    )
    card: Path | None = option.output(
        "--card", "FILE.svg", "Also write the first screen as a picture, .svg or .png."
    )
    figures: Path | None = option.output(
        "--figures",
        "FOLDER",
        "Also save the figures that the page opens with, as SVG and PNG.",
        folder=True,
    )
    quick: bool = option.flag(
        "--quick", "Without DIR: play the usual sweep in its quick size, with few games."
    )
    # A page of played games does not need the number of cores.
    jobs: int | None = option.jobs(counted=False)
    quiet: bool = option.flag("--quiet", "Show no progress.")


#: The answer to readers who look for a number of games here.
MORE_GAMES = "`ethnos-sim sweep` plays more games into a folder; without DIR there is '--quick'."


@click.command("report", cls=Command, hints={"--games": MORE_GAMES})
@click.argument("folders", metavar="[DIR]...", nargs=-1, type=option.path)
@takes(Options)
def command(options: Options, folders: tuple[Path, ...]) -> None:
    """Make a page from the results in DIR; without DIR, play the usual sweep first.

    DIR may also be a folder of several sweeps. Sweeps that play the same rules share one page. The
    page is one file that opens offline. The same text as Markdown, and a folder with every number
    as CSV and Parquet, are written beside it.

    Without DIR the usual sweep is played into the folder `results`, or continued there. At a
    terminal, the page then opens in a browser.
    """
    if folders and options.quick:
        raise click.UsageError("--quick is for the usual sweep; leave out the folder")
    if not folders:
        _play_usual(options)
    page = write_page(folders or (USUAL,), options.page, options.card, options.figures)
    if not folders and sys.stdout.isatty():
        webbrowser.open(page.resolve().as_uri())


def write_page(
    folders: tuple[Path, ...],
    page: Path | None,
    card: Path | None = None,
    figures: Path | None = None,
) -> Path:
    """Write the page of some folders, print where everything is, and return the page's path."""
    from ethnos_sim.reports.page.report import write_report

    written = write_report(folders, page, card, figures)
    click.echo(f"The same as Markdown: {written.markdown}")
    click.echo(f"Every number as CSV and Parquet: {written.tables}")
    click.echo(written.page)
    return written.page


def _play_usual(options: Options) -> None:
    from ethnos_sim.commands.interruption import when_interrupted
    from ethnos_sim.experiments.execution.sweep import sweep

    again = "ethnos-sim report" + " --quick" * options.quick
    with when_interrupted(lambda: f"Interrupted; every finished shard is kept. To go on: {again}"):
        swept = sweep(None, USUAL, quick=options.quick, jobs=options.jobs, quiet=options.quiet)
    click.echo(f"{USUAL} holds {swept.games_held:,} games.")
