"""Print documents and tables: framed at a terminal, tab-separated and in ASCII elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ethnos_sim.commands.signs import plain
from ethnos_sim.simulator.utilities.text import printable

if TYPE_CHECKING:
    from ethnos_sim.reports.rendering.document import Document, Section
    from ethnos_sim.reports.rendering.table import CellValue, Column
    from ethnos_sim.reports.rendering.table import Table as ReportTable


class Number(NamedTuple):
    """A number of a table: its text at a terminal, and its value for programs."""

    text: str
    value: float | None


Cell = str | Number


def count(number: int) -> Number:
    """A count: 1,250,000 at a terminal, 1250000 elsewhere."""
    return Number(f"{number:,}", number)


def say(text: str) -> None:
    """Print a text; if the output is no terminal, with ASCII for this program's signs."""
    click.echo(printable(text if sys.stdout.isatty() else plain(text)))


def print_json(record: Any) -> None:
    """Print a record for programs."""
    click.echo(json.dumps(record, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Print a table to standard output; cells are shown as they are, without markup.

    Args:
        title: the line above the table; if the output is no terminal, a comment after "# ".
        columns: the column headings.
        rows: the cells of each row, one for each column. If the output is no terminal, a `Number`
            is written as its value, in full and without unit.
    """
    if not sys.stdout.isatty():
        lines = ["\t".join(map(_separable, row)) for row in (columns, *rows)]
        say("\n".join([f"# {title}", *lines, ""]))
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for position, column in enumerate(columns):
        table.add_column(Text(printable(column)), overflow="fold", no_wrap=position == 0)
    for row in rows:
        texts = (cell if isinstance(cell, str) else cell.text for cell in row)
        table.add_row(*(Text(printable(text)) for text in texts))
    Console(highlight=False).print(Text(printable(title), style="bold"), table)


def _separable(cell: Cell) -> str:
    """A cell of tab-separated output."""
    if isinstance(cell, str):
        return " ".join(cell.split())
    return "" if cell.value is None else f"{cell.value:.12g}"


def print_report_table(table: ReportTable) -> None:
    """Print a table of a page; elsewhere than at a terminal its numbers, as in the page's files.

    There a column of estimates is followed by its intervals' ends, and by units if they differ.
    """
    if sys.stdout.isatty():
        rows = ([cell.text for cell in line] for line in table.cells)
        print_table(table.caption, table.headings, rows)
        return
    columns = [part for column in table.columns for part in _parts(column)]
    rows_of_parts = zip(*(cells for _, cells in columns), strict=True)
    print_table(table.caption, [heading for heading, _ in columns], rows_of_parts)


def _parts(column: Column) -> Iterator[tuple[str, list[Cell]]]:
    """Split a column of a page into columns of single numbers: values, interval ends, units."""
    from ethnos_sim.experiments.statistics.estimate import Estimate

    values = column.values
    estimates = [value for value in values if isinstance(value, Estimate)]
    yield column.heading, [_cell(value, column) for value in values]
    for end in ("low", "high") if estimates else ():
        yield f"{column.heading} {end}", [Number("", getattr(value, end, None)) for value in values]
    if len({estimate.unit for estimate in estimates}) > 1:
        yield f"{column.heading} unit", [getattr(value, "unit", "") for value in values]


def _cell(value: CellValue, column: Column) -> Cell:
    """A value of a page's column as a cell of tab-separated output."""
    from ethnos_sim.reports.rendering.table import TableCell

    match value:
        case None:
            return ""
        case str():
            return value
        case int() | float():
            return Number("", value)
        case TableCell():
            return value.text if value.value is None else Number("", value.value)
    return Number("", value.value)


def print_sections(sections: Iterable[Section]) -> None:
    """Print the texts, lists and tables of some sections of a page."""
    from ethnos_sim.reports.rendering.document import Bullets, Text
    from ethnos_sim.reports.rendering.table import Table as ReportTable

    for section in sections:
        title = printable(section.title)
        click.secho(title if sys.stdout.isatty() else plain(title), bold=True)
        click.echo()
        for block in section.blocks:
            match block:
                case Text():
                    say(f"{block.text}\n")
                case Bullets():
                    say("\n".join(f"- {line}" for line in block.lines) + "\n")
                case ReportTable():
                    print_report_table(block)


def show_document(document: Document, record: Any, page: Path | None, *, as_json: bool) -> None:
    """Print a document, or its record for programs; write the document as a page too."""
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.rendering.html import as_html

    if as_json:
        print_json(record)
    else:
        say(f"{document.title}\n{document.facts}\n")
        print_sections(document.sections)
    if page is not None:
        write_output(page, as_html(document).encode())
        if not as_json:
            click.echo(page)
