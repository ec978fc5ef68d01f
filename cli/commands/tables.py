"""Print tables: framed at a terminal, tab-separated elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from ethnos_sim.reports.rendering.document import Document, Section
    from ethnos_sim.reports.rendering.table import Table as ReportTable


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table to standard output; cells are shown as they are, without markup.

    Args:
        title: the line above the table; if the output is no terminal, a comment after "# ".
        columns: the column headings.
        rows: the cells of each row, one for each column.
    """
    if not sys.stdout.isatty():
        lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in (columns, *rows)]
        click.echo("\n".join([f"# {title}", *lines, ""]))
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for position, column in enumerate(columns):
        table.add_column(Text(column), overflow="fold", no_wrap=position == 0)
    for row in rows:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(Text(title, style="bold"), table)


def print_report_table(table: ReportTable) -> None:
    """Print a table of a page."""
    rows = ([shown.text for shown in line] for line in table.shown)
    print_table(table.title, table.headings, rows)


def print_sections(sections: Iterable[Section]) -> None:
    """Print the texts, lists and tables of some sections of a page."""
    from ethnos_sim.reports.rendering.document import Items, Text
    from ethnos_sim.reports.rendering.table import Table as ReportTable

    for section in sections:
        click.secho(f"{section.title}\n", bold=True)
        for block in section.blocks:
            match block:
                case Text():
                    click.echo(f"{block.text}\n")
                case Items():
                    click.echo("\n".join(f"- {line}" for line in block.lines) + "\n")
                case ReportTable():
                    print_report_table(block)


def print_document(document: Document, page: Path | None) -> None:
    """Print a document; write it as a page too if a path is given, and print the path."""
    click.echo(f"{document.title}\n{document.facts}\n")
    print_sections(document.sections)
    if page is not None:
        write_page(document, page)
        click.echo(page)


def write_page(document: Document, page: Path) -> None:
    """Write a document as a page."""
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.rendering.html import as_html

    write_output(page, as_html(document, "").encode())
