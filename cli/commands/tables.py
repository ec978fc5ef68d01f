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

from ethnos_sim.commands.signs import with_ascii_signs
from ethnos_sim.simulator.utilities.text import printable

if TYPE_CHECKING:
    from ethnos_sim.reports.rendering.document import Document, Section
    from ethnos_sim.reports.rendering.table import CellValue, Column
    from ethnos_sim.reports.rendering.table import Table as ReportTable


class Number(NamedTuple):
    """A number in a table: its text for a terminal, and its value for other output."""

    text: str
    value: float | None


Cell = str | Number


def count_cell(number: int) -> Number:
    """A count: 1,250,000 at a terminal, 1250000 elsewhere."""
    return Number(f"{number:,}", number)


def print_text(text: str) -> None:
    """Print a text; unless the output is a terminal, with ASCII for this program's signs."""
    click.echo(printable(text if sys.stdout.isatty() else with_ascii_signs(text)))


def print_json(record: Any) -> None:
    """Print a record for programs."""
    click.echo(json.dumps(record, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Print a table to standard output; cells are shown as they are, without markup.

    Args:
        title: the line above the table; unless the output is a terminal, it follows "# ".
        columns: the column headings.
        rows: the cells of each row, one for each column. Unless the output is a terminal, a
            `Number` is printed as its value, in full and without unit.
    """
    if not sys.stdout.isatty():
        lines = ["\t".join(map(_tab_separated, row)) for row in (columns, *rows)]
        print_text("\n".join([f"# {title}", *lines, ""]))
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for position, column in enumerate(columns):
        table.add_column(Text(printable(column)), overflow="fold", no_wrap=position == 0)
    for row in rows:
        texts = (cell if isinstance(cell, str) else cell.text for cell in row)
        table.add_row(*(Text(printable(text)) for text in texts))
    Console(highlight=False).print(Text(printable(title), style="bold"), table)


def _tab_separated(cell: Cell) -> str:
    """A cell of tab-separated output."""
    if isinstance(cell, str):
        return " ".join(cell.split())
    return "" if cell.value is None else f"{cell.value:.12g}"


def print_report_table(table: ReportTable) -> None:
    """Print a table of a page: its texts at a terminal, else its numbers as in the page's files.

    Elsewhere, the ends of intervals, and units that differ, have columns of their own.
    """
    if sys.stdout.isatty():
        rows = ([cell.text for cell in line] for line in table.cells)
        print_table(table.caption, table.headings, rows)
        return
    columns = [part for column in table.columns for part in _split_column(column)]
    rows_of_parts = zip(*(cells for _, cells in columns), strict=True)
    print_table(table.caption, [heading for heading, _ in columns], rows_of_parts)


def _split_column(column: Column) -> Iterator[tuple[str, list[Cell]]]:
    """Split a column of a page into columns of single numbers: values, interval ends, units."""
    from ethnos_sim.experiments.statistics.estimate import Estimate

    values = column.values
    estimates = [value for value in values if isinstance(value, Estimate)]
    yield column.heading, [_value_cell(value) for value in values]
    for end in ("low", "high") if estimates else ():
        yield f"{column.heading} {end}", [Number("", getattr(value, end, None)) for value in values]
    if len({estimate.unit for estimate in estimates}) > 1:
        yield f"{column.heading} unit", [getattr(value, "unit", "") for value in values]


def _value_cell(value: CellValue) -> Cell:
    """A value in a page's table as a cell of tab-separated output."""
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
        click.secho(title if sys.stdout.isatty() else with_ascii_signs(title), bold=True)
        click.echo()
        for block in section.blocks:
            match block:
                case Text():
                    print_text(f"{block.text}\n")
                case Bullets():
                    print_text("\n".join(f"- {line}" for line in block.lines) + "\n")
                case ReportTable():
                    print_report_table(block)


def show_document(document: Document, record: Any, page: Path | None, *, as_json: bool) -> None:
    """Print a document, or its record for programs; also write a page if its path is given."""
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.rendering.html import as_html

    if as_json:
        print_json(record)
    else:
        print_text(f"{document.title}\n{document.facts}\n")
        print_sections(document.sections)
    if page is not None:
        write_output(page, as_html(document).encode())
        if not as_json:
            click.echo(page)
