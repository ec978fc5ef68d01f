"""`ethnos-sim report`: make the page and the table of its numbers from a sweep's folder."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import click

from ethnos_sim.commands.interruption import CONTINUE_MESSAGE, interruption_message
from ethnos_sim.commands.options import jobs_option, read_path, writable_folder, writable_path

USUAL_FOLDER = Path("results")
"""The folder into which the usual sweep is played."""


@click.command("report")
@click.argument("folders", metavar="[DIR]...", nargs=-1, type=read_path)
@click.option(
    "--out",
    metavar="FILE.html",
    type=writable_path,
    help="The path of the page; by default DIR/report.html.",
)
@click.option(
    "--card",
    metavar="FILE.svg",
    type=writable_path,
    help="Also write the first screen as a picture, .svg or .png.",
)
@click.option(
    "--figures",
    metavar="DIR",
    type=writable_folder,
    help="Also save the figures that the page opens with, as SVG and PNG.",
)
@click.option(
    "--quick", is_flag=True, help="Without DIR: play only a few games of the usual sweep."
)
@jobs_option
def command(
    folders: tuple[Path, ...],
    out: Path | None,
    card: Path | None,
    figures: Path | None,
    quick: bool,
    jobs: int,
) -> None:
    """Make a page from the results in DIR; without DIR, play the usual sweep first.

    DIR may also be a folder of several sweeps. Sweeps that play the same rules share one page. The
    page is one file that opens offline. Every number is written beside it as CSV.

    Without DIR the usual sweep, clan-win-rates, is played into the folder `results`, or continued
    there. At a terminal, the page then opens in a browser.
    """
    from ethnos_sim.reports.page.report import write_report

    if folders and quick:
        raise click.UsageError("--quick is for the usual sweep; leave out the folder")
    if not folders:
        _play_usual_sweep(quick, jobs)
    written = write_report(folders or (USUAL_FOLDER,), out, card, figures)
    click.echo(f"Every number as CSV: {written.numbers}")
    click.echo(written.page)
    if not folders and sys.stdout.isatty():
        webbrowser.open(written.page.resolve().as_uri())


def _play_usual_sweep(quick: bool, jobs: int) -> None:
    """Play the usual sweep into its folder, or continue it there."""
    from ethnos_sim.experiments.execution.sweep import sweep

    with interruption_message(CONTINUE_MESSAGE):
        swept = sweep(None, USUAL_FOLDER, quick=quick, jobs=jobs)
    click.echo(f"{USUAL_FOLDER} holds {swept.games_held:,} games.")
