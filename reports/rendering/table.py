"""Tables: rows for the files of a report, and columns for the page.

The files hold every row once, with everything known about its number. The page shows the numbers in
the columns, with as many decimals as their intervals justify and with the values to sort by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import NUMBERS, Estimates
from ethnos_sim.reports.rendering.numbers import ABSENT, decimals_for, whole, with_interval

MOST_LINES = 500
"""The most lines of a stored table on the page; the files hold all of them."""

Label = str | int | float | bool | None
"""A value of a stored column."""


BEHIND = ("comparisons", "p_holm")
"""Labels about a number's interval rather than its subject."""


def stored_row(row: Estimate | Mapping[str, Label]) -> dict[str, Label]:
    """A number as a row of a stored table: its labels, then the number. Other rows are copied."""
    if not isinstance(row, Estimate):
        return dict(row)
    about = {name: label for name, label in row.labels.items() if name not in ("estimand", *BEHIND)}
    number = {name: getattr(row, name) for name in (*NUMBERS, "population")}
    behind = {name: row[name] for name in BEHIND if name in row.labels}
    return {**about, "measure": row.definition, **number, **behind}


def row_key(row: Estimate | Mapping[str, Label]) -> tuple[Any, ...]:
    """A key that no other row of its table has."""
    if not isinstance(row, Estimate):
        return tuple(row.items())
    return row.definition, row.population, *row.labels.items()


def rows_of(numbers: Estimates, *labels: str) -> list[Estimate]:
    """Numbers with only some of their labels."""
    return [
        replace(number, labels={name: number[name] for name in labels})
        for number in numbers.estimates()
    ]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table on the page.

    Attributes:
        text: its text.
        tone: its color: up2, down2, level or "".
        sort: the value to sort by; None to sort by the text.
    """

    text: str
    tone: str = ""
    sort: float | None = None


CellValue = Estimate | TableCell | str | float | None
"""A value of a column; None is shown as a dash, and whole numbers with groups of digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a table on the page.

    Attributes:
        heading: its heading.
        values: one value per line.
        write: writes a value that is not an estimate.
        toned: whether to color numbers whose whole interval lies above or below 0.
    """

    heading: str
    values: Sequence[CellValue]
    write: Callable[[Any], str] = str
    toned: bool = False


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the page with the rows behind it.

    Attributes:
        caption: its caption.
        columns: its columns, all of one length; the first holds the heading of each line.
        stored: the name of the files that hold the rows; "" if nothing is stored.
        unshown: rows that only the files hold, in addition to the numbers in the columns.
        alike: which numbers have the same decimals: the numbers of a column, of a line, or none.
        stacks: whether each line becomes a card on a narrow screen, for tables with sentences.
    """

    caption: str
    columns: tuple[Column, ...]
    stored: str = ""
    unshown: tuple[Estimate | Mapping[str, Label], ...] = ()
    alike: Literal["column", "line", "none"] = "column"
    stacks: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading of every column."""
        return tuple(column.heading for column in self.columns)

    @property
    def title(self) -> str:
        """The caption, which says how many lines are shown if there are too many for the page."""
        shown, total = len(self.shown), len(self._lines)
        cut = f" Shown: the first {whole(shown)} of {whole(total)} lines; the files hold all."
        return self.caption + cut * (shown < total)

    @property
    def rows(self) -> tuple[Estimate | Mapping[str, Label], ...]:
        """Every stored row, the rows on the page first."""
        shown = (value for line in self._lines for value in line if isinstance(value, Estimate))
        return (*shown, *self.unshown)

    @cached_property
    def shown(self) -> tuple[tuple[TableCell, ...], ...]:
        """The cells on the page, line by line."""
        by_column: list[int | None] = [_decimals(column.values) for column in self.columns]
        lines = []
        for line in self._lines[: MOST_LINES if self.stored else None]:
            places: list[int | None] = [None] * len(line)
            if self.alike == "column":
                places = by_column
            elif self.alike == "line":
                places = [_decimals(line)] * len(line)
            lines.append(
                tuple(
                    _cell(value, column, decimals)
                    for value, column, decimals in zip(line, self.columns, places, strict=True)
                )
            )
        return tuple(lines)

    @property
    def _lines(self) -> list[tuple[CellValue, ...]]:
        return list(zip(*(column.values for column in self.columns), strict=True))


def columns_of(lines: Iterable[Mapping[str, CellValue]]) -> tuple[Column, ...]:
    """Columns from lines that have the same headings."""
    all_lines = list(lines)
    return tuple(Column(name, [line[name] for line in all_lines]) for name in all_lines[0])


def _decimals(values: Iterable[CellValue]) -> int:
    """The decimals for the estimates among `values`."""
    return decimals_for(value for value in values if isinstance(value, Estimate))


def _cell(value: CellValue, column: Column, decimals: int | None) -> TableCell:
    """The cell of one value."""
    match value:
        case None:
            return TableCell(ABSENT)
        case TableCell():
            return value
        case Estimate():
            tone = {1: "up2", -1: "down2", 0: ""}[value.side] if column.toned else ""
            return TableCell(with_interval(value, decimals), tone, value.value)
        case str():
            return TableCell(column.write(value))
    plain = column.write is str and isinstance(value, int)
    return TableCell(whole(int(value)) if plain else column.write(value), sort=value)
