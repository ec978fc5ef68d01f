"""`ethnos-sim report`: makes the page, its Markdown and its tables from a sweep's folder."""

from __future__ import annotations

from pathlib import Path

import click

from ethnos_sim.commands.files import OutputPath


@click.command("report")
@click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--out",
    "page",
    metavar="FILE.html",
    type=OutputPath(),
    help="Where the page goes; DIR/report.html unless given.",
)
def command(folders: tuple[Path, ...], page: Path | None) -> None:
    """Make a page from the results in DIR.

    A folder of sweeps counts as all of them, and several sweeps come onto one page where they play
    the same rules. The page is one file that opens offline. Beside it go the same as Markdown, and
    a folder with every table as CSV and Parquet.
    """
    from ethnos_sim.reports.page import write_report

    written = write_report(folders, page)
    click.echo(f"The same as Markdown: {written.markdown}")
    click.echo(f"Every table as CSV and Parquet: {written.tables}")
    click.echo(written.page)
