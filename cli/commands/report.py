"""`ethnos-sim report`: makes the page, its Markdown and its tables from a sweep's folder."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    "page",
    metavar="FILE.html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the page goes; DIR/report.html unless given.",
)
def command(folder: Path, page: Path | None) -> None:
    """Make a page from the results in DIR.

    The page is one file that opens offline. Beside it go the same as Markdown, and a folder with
    every table as CSV and Parquet.
    """
    from ethnos_sim.reports.page import write_report

    page = page or folder / "report.html"
    if page.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"the page's name has to end in .html, not '{page.name}'")
    written = write_report(folder, page)
    click.echo(f"The same as Markdown: {written.markdown}")
    click.echo(f"Every table as CSV and Parquet: {written.tables}")
    click.echo(written.page)
