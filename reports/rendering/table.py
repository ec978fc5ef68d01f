"""The one kind of table: rows with what they are about, and the columns that show them.

A row is written once. The files of a report hold every row with all that is known of its number;
the page shows the rows that stand in a column, each with as many decimals as its interval deserves
and with the number that it is sorted by.
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
"""What the page shows of a stored table at most; the files hold all of it."""

Label = str | int | float | bool | None
"""What a stored column may hold."""


BEHIND = ("comparisons", "p_holm")
"""Labels that say how a number is to be read, and not what it is about."""


def stored_row(row: Estimate | Mapping[str, Label]) -> dict[str, Label]:
    """A number as a row of a stored table: what it is about, then itself; words as they are."""
    if not isinstance(row, Estimate):
        return dict(row)
    about = {name: label for name, label in row.labels.items() if name not in ("estimand", *BEHIND)}
    number = {name: getattr(row, name) for name in (*NUMBERS, "population")}
    behind = {name: row[name] for name in BEHIND if name in row.labels}
    return {**about, "measure": row.definition, **number, **behind}


def row_key(row: Estimate | Mapping[str, Label]) -> tuple[Any, ...]:
    """What tells a number, or a row of words, from the others of its table."""
    if not isinstance(row, Estimate):
        return tuple(row.items())
    return row.definition, row.population, *row.labels.items()


def rows_of(numbers: Estimates, *labels: str, comparisons: int = 1) -> list[Estimate]:
    """Numbers about some of their labels; so many intervals of `comparisons` hold together."""
    return [
        replace(each, labels={name: each[name] for name in labels})
        for each in numbers.estimates(comparisons)
    ]


@dataclass(frozen=True, slots=True)
class TableCell:
    """What the page shows in one place of a table.

    Attributes:
        text: what is read.
        tone: what colors it: up2, down2, level or "".
        sort: what its column sorts by; None to sort by the text.
    """

    text: str
    tone: str = ""
    sort: float | None = None


CellValue = Estimate | TableCell | str | float | None
"""What a column may hold; None is shown as a dash, and whole numbers with groups of digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column as shown.

    Attributes:
        heading: what stands above it.
        values: a value a line.
        write: how a value that is no estimate is written.
        toned: whether numbers are colored that lie above or below 0 with their whole interval.
    """

    heading: str
    values: Sequence[CellValue]
    write: Callable[[Any], str] = str
    toned: bool = False


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the page with the rows behind it.

    Attributes:
        caption: what it shows.
        columns: what is shown, all of one length; the first holds the heading of each line.
        stored: the name of the files that hold the rows; "" where nothing is stored.
        unshown: rows that only the files hold, in addition to the numbers in the columns.
        alike: which numbers are written with as many decimals: those of a column, of a line, or
            every one with its own.
        stacks: for tables with sentences: on a narrow screen each line becomes a card, one place
            below the other under its column's heading.
    """

    caption: str
    columns: tuple[Column, ...]
    stored: str = ""
    unshown: tuple[Estimate | Mapping[str, Label], ...] = ()
    alike: Literal["column", "line", "none"] = "column"
    stacks: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading of every column that is shown."""
        return tuple(column.heading for column in self.columns)

    @property
    def title(self) -> str:
        """The caption, with what the page leaves out where very much was played."""
        shown, there = len(self.shown), len(self._lines)
        cut = f" Shown: the first {whole(shown)} of {whole(there)} lines; the files hold all."
        return self.caption + cut * (shown < there)

    @property
    def rows(self) -> tuple[Estimate | Mapping[str, Label], ...]:
        """Every row that is stored, those that are shown first."""
        shown = (value for line in self._lines for value in line if isinstance(value, Estimate))
        return (*shown, *self.unshown)

    @cached_property
    def shown(self) -> tuple[tuple[TableCell, ...], ...]:
        """What is read, line by line."""
        by_column: list[int | None] = [_decimals(column.values) for column in self.columns]
        found = []
        for line in self._lines[: MOST_LINES if self.stored else None]:
            places: list[int | None] = [None] * len(line)
            if self.alike == "column":
                places = by_column
            elif self.alike == "line":
                places = [_decimals(line)] * len(line)
            found.append(
                tuple(
                    _shown(value, column, decimals)
                    for value, column, decimals in zip(line, self.columns, places, strict=True)
                )
            )
        return tuple(found)

    @property
    def _lines(self) -> list[tuple[CellValue, ...]]:
        return list(zip(*(column.values for column in self.columns), strict=True))


def columns_of(lines: Iterable[Mapping[str, CellValue]]) -> tuple[Column, ...]:
    """Columns from lines that have the same headings."""
    every = list(lines)
    return tuple(Column(name, [line[name] for line in every]) for name in every[0])


def _decimals(values: Iterable[CellValue]) -> int:
    """How many decimals the numbers among some values are written with."""
    return decimals_for(value for value in values if isinstance(value, Estimate))


def _shown(value: CellValue, column: Column, decimals: int | None) -> TableCell:
    """One value as it is read."""
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
