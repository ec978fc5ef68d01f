"""The one kind of table: rows with what they are about, and the columns that show them.

A row is written once. The files of a report hold every row with all that is known of its number;
the page shows the rows that stand in a column, each with as many decimals as its interval deserves
and with the number that it is sorted by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import NUMBERS, Estimates
from ethnos_sim.reports.rendering.numbers import ABSENT, decimals_for, listed, whole, with_interval

MOST_LINES, MOST_COLUMNS = 500, 40
"""What the page shows of a table at most; the files hold all of it."""

Label = str | int | float | bool | None
"""What a stored column may hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of a stored table.

    Attributes:
        labels: what it is about: the edition, the number of players, the clan …
        estimate: its number; None for a row of words and counts.
        more: what else is stored of it, such as its verdict.
        tone: what colors it on the page: up2, down2, level or "".
    """

    labels: Mapping[str, Label]
    estimate: Estimate | None = None
    more: Mapping[str, Label] = field(default_factory=dict)
    tone: str = ""

    def __getitem__(self, label: str) -> Any:
        """What it is about under one label."""
        return self.labels[label]

    @property
    def stored(self) -> dict[str, Label]:
        """All columns of the row, by name."""
        if self.estimate is None:
            return {**self.labels, **self.more}
        names = (*NUMBERS, "population")
        number = {name: getattr(self.estimate, name) for name in names}
        return {**self.labels, "measure": self.estimate.definition, **number, **self.more}

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from the others of its table."""
        e = self.estimate
        of = self.stored if e is None else self.labels
        return (*of.items(), e and (e.definition, e.population))


def rows_of(
    numbers: Estimates, *labels: str, comparisons: int = 1, more: Sequence[str] = ()
) -> list[Row]:
    """Numbers as rows with some of their labels, `more` of which say more than what they are about.

    So many intervals of `comparisons` hold together.
    """

    def at(place: int, names: Sequence[str]) -> dict[str, Label]:
        return {name: numbers[name][place] for name in names}

    every = enumerate(numbers.estimates(comparisons))
    return [Row(at(place, labels), each, at(place, more)) for place, each in every]


@dataclass(frozen=True, slots=True)
class TableCell:
    """What the page shows in one place of a table.

    Attributes:
        text: what is read.
        tone: what colors it, as in `Row`.
        sort: what its column sorts by; None to sort by the text.
    """

    text: str
    tone: str = ""
    sort: float | None = None


CellValue = Row | Estimate | TableCell | str | float | None
"""What a column may hold; None is shown as a dash, and whole numbers with groups of digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column as shown: its heading, a value a line, and how a value that is no row is written."""

    heading: str
    values: Sequence[CellValue]
    write: Callable[[Any], str] = str


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the page with the rows behind it.

    Attributes:
        caption: what it shows.
        columns: what is shown, all of one length; the first holds the heading of each line.
        stored: the name of the files that hold the rows; "" where nothing is stored.
        unshown: rows that only the files hold, in addition to those in the columns.
        alike: which numbers are written with as many decimals: those of a column, of a line, or
            every one with its own.
        stacks: for tables with sentences: on a narrow screen each line becomes a card, one place
            below the other under its column's heading.
    """

    caption: str
    columns: tuple[Column, ...]
    stored: str = ""
    unshown: tuple[Row, ...] = ()
    alike: Literal["column", "line", "none"] = "column"
    stacks: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading of every column that is shown."""
        return tuple(column.heading for column in self._columns)

    @property
    def title(self) -> str:
        """The caption, with what the page leaves out where very much was played."""
        cut = [
            f"the first {whole(shown)} of {whole(there)} {what}"
            for shown, there, what in (
                (len(self.shown), len(self._lines), "lines"),
                (len(self.headings), len(self.columns), "columns"),
            )
            if shown < there
        ]
        return f"{self.caption} Shown: {listed(cut)}; the files hold all." if cut else self.caption

    @property
    def _columns(self) -> tuple[Column, ...]:
        return self.columns[:MOST_COLUMNS] if self.stored else self.columns

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row that is stored, those that are shown first."""
        shown = (value for line in self._lines for value in line if isinstance(value, Row))
        return (*shown, *self.unshown)

    @cached_property
    def shown(self) -> tuple[tuple[TableCell, ...], ...]:
        """What is read, line by line."""
        by_column: list[int | None] = [_decimals(column.values) for column in self._columns]
        found = []
        for line in self._lines[: MOST_LINES if self.stored else None]:
            line = line[: len(by_column)]
            places: list[int | None] = [None] * len(line)
            if self.alike == "column":
                places = by_column
            elif self.alike == "line":
                places = [_decimals(line)] * len(line)
            found.append(
                tuple(
                    _shown(value, column.write, decimals)
                    for value, column, decimals in zip(line, self._columns, places, strict=True)
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


def cross(
    rows: Iterable[Row], heading: str, down: Callable[[Row], str], across: Callable[[Row], str]
) -> tuple[Column, ...]:
    """Rows as a cross table, lines and columns in the order in which they first come up.

    Args:
        rows: one for each place; where there is none a dash is shown.
        heading: what stands above the headings of the lines.
        down: a row's line by its heading.
        across: a row's column by its heading.
    """
    found: dict[str, dict[str, Row]] = {}
    lines: dict[str, None] = {}
    for row in rows:
        line = down(row)
        lines.setdefault(line)
        found.setdefault(across(row), {})[line] = row
    first = Column(heading, tuple(lines))
    return (
        first,
        *(Column(name, tuple(map(column.get, lines))) for name, column in found.items()),
    )


def _estimate(value: CellValue) -> Estimate | None:
    """The number of a value, where it has one."""
    if isinstance(value, Row):
        return value.estimate
    return value if isinstance(value, Estimate) else None


def _decimals(values: Iterable[CellValue]) -> int:
    """How many decimals the numbers among some values are written with."""
    return decimals_for(map(_estimate, values))


def _shown(value: CellValue, write: Callable[[Any], str], decimals: int | None) -> TableCell:
    """One value as it is read."""
    match value:
        case None:
            return TableCell(ABSENT)
        case TableCell():
            return value
        case str():
            return TableCell(write(value))
        case int() | float():
            text = whole(value) if write is str and isinstance(value, int) else write(value)
            return TableCell(text, sort=value)
    estimate = _estimate(value)
    tone = value.tone if isinstance(value, Row) else ""
    sort = None if estimate is None else estimate.value
    return TableCell(with_interval(estimate, decimals), tone, sort)
