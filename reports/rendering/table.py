"""Tables of a document; numbers have as many decimals as their intervals justify."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import NUMBER_COLUMNS
from ethnos_sim.reports.rendering.numbers import ABSENT, count_text, decimals_for, interval_text


def number_record(number: Estimate) -> dict[str, str | int | float | bool | None]:
    """A number as a record for JSON: its labels, value, interval, games and population."""
    about = {name: label for name, label in number.labels.items() if name != "estimand"}
    values = {name: getattr(number, name) for name in (*NUMBER_COLUMNS, "population")}
    return {**about, "measure": number.estimand, **values}


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table on the page.

    Attributes:
        text: its text.
        tone: the class of its color in the style sheet: up2, down2, level or "".
        value: the number that the text shows; None for other texts.
    """

    text: str
    tone: str = ""
    value: float | None = None


CellValue = Estimate | TableCell | str | float | None
"""A value of a column; None becomes a dash, and whole numbers get groups of three digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a table on the page.

    Attributes:
        heading: its heading.
        values: one value per line.
    """

    heading: str
    values: Sequence[CellValue]


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the page.

    Attributes:
        caption: its caption.
        columns: its columns, all of one length; the first holds the heading of each line.
        same_decimals: whether all numbers of a column have the same decimals.
        stacks: whether each line becomes a card on a narrow screen, for tables with sentences.
    """

    caption: str
    columns: tuple[Column, ...]
    same_decimals: bool = True
    stacks: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading of every column."""
        return tuple(column.heading for column in self.columns)

    @property
    def numbers(self) -> list[Estimate]:
        """The numbers in the columns, line by line."""
        return [value for line in self._lines for value in line if isinstance(value, Estimate)]

    @cached_property
    def cells(self) -> tuple[tuple[TableCell, ...], ...]:
        """The cells on the page, line by line."""
        same = self.same_decimals
        decimals = [_column_decimals(column.values) if same else None for column in self.columns]
        return tuple(tuple(map(_cell, line, decimals)) for line in self._lines)

    @property
    def _lines(self) -> list[tuple[CellValue, ...]]:
        return list(zip(*(column.values for column in self.columns), strict=True))


def columns_from_lines(lines: Iterable[Mapping[str, CellValue]]) -> tuple[Column, ...]:
    """The columns of a table from its lines; a line has a value for each heading."""
    all_lines = list(lines)
    return tuple(Column(name, [line[name] for line in all_lines]) for name in all_lines[0])


def _column_decimals(values: Iterable[CellValue]) -> int:
    """The decimals for the estimates among `values`."""
    return decimals_for(value for value in values if isinstance(value, Estimate))


def _cell(value: CellValue, decimals: int | None) -> TableCell:
    """The cell of one value."""
    match value:
        case None:
            return TableCell(ABSENT)
        case TableCell():
            return value
        case Estimate():
            return TableCell(interval_text(value, decimals), value=value.value)
        case int():
            return TableCell(count_text(value))
    return TableCell(str(value))
