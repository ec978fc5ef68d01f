"""Tables on the terminal: framed and colored there, plain aligned columns anywhere else.

Plain output is never wrapped or cut, so that it can be searched and piped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from ethnos_sim.reports.rendering.document import Section
    from ethnos_sim.reports.rendering.table import Table as ReportTable

_UNWRAPPED = 10_000


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table to standard output; cells are shown as they are, without markup.

    Args:
        title: the line above the table.
        columns: the column headings.
        rows: the cells of each row, one for each column.
    """
    framed = sys.stdout.isatty()
    console = Console(highlight=False, width=None if framed else _UNWRAPPED)
    table = Table(box=SIMPLE_HEAD if framed else None, pad_edge=False)
    for position, column in enumerate(columns):
        table.add_column(Text(column), overflow="fold", no_wrap=position == 0)
    for row in rows:
        table.add_row(*map(Text, row))
    if framed:
        console.print(Text(title, style="bold"), table)
        return
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    click.echo("\n".join([title, *lines, ""]))


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
