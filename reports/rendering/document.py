"""A document as data: sections of texts, lists, tables and figures, before HTML or Markdown.

Both renderings walk the same document, so they cannot disagree on a number. Nothing here is escaped
or marked up; names of strategies and sweeps come from users, and each rendering makes them inert.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.table import Column, Table

NOTICE = (
    "An unofficial analysis tool. Ethnos is a game of its publishers, who have no part in this."
)

DEFINED = "What each number means stands in the documentation, page “The numbers”."


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; `kind` is "plain", "note" (small print) or "warning"."""

    text: str
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short statements."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One number of a figure, and where it stands.

    Attributes:
        label: its line, bar or bin; several marks may share one.
        number: what is drawn.
        series: what tells it from other marks of its line: a color, or a column of a grid.
        across: the number of the other axis, where marks have two.
        hollow: whether it is drawn as open: too few games to tell.
    """

    label: str
    number: Estimate
    series: str = ""
    across: Estimate | None = None
    hollow: bool = False


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure of numbers, which the page draws by itself, with the table behind it.

    Attributes:
        key: unique on the page.
        title: what it shows.
        kind: how it is drawn.
        marks: its numbers.
        axis: what the numbers are.
        across: what the numbers of the other axis are.
        note: how to read it.
        middle: the value of the middle line, in the unit of the numbers; None for none.
        band: half the width of the band around it that counts as nothing.
    """

    key: str
    title: str
    kind: Literal["intervals", "grid", "histogram", "scatter", "bars"]
    marks: tuple[Mark, ...]
    axis: str
    across: str = ""
    note: str = ""
    middle: float | None = None
    band: float = 0.0

    @property
    def numbers(self) -> tuple[Estimate, ...]:
        """Every number that is drawn."""
        both = ((mark.number, mark.across) for mark in self.marks)
        return tuple(number for pair in both for number in pair if number is not None)

    @cached_property
    def table(self) -> Table:
        """The same numbers, a line a label."""
        lines = list(dict.fromkeys(mark.label for mark in self.marks))
        series = list(dict.fromkeys(mark.series for mark in self.marks))
        at = {(mark.label, mark.series): mark.number for mark in self.marks}
        columns = [Column("", lines)]
        for name in series:
            values = [at.get((line, name)) for line in lines]
            columns.append(Column(name or self.axis, values))
        if any(mark.across for mark in self.marks):
            other = {mark.label: mark.across for mark in self.marks}
            columns.append(Column(self.across, [other[line] for line in lines]))
        return Table(self.title, tuple(columns), alike="column")


SETTLED, CLOSE, OPEN = "settled", "close", "open"
"""How an answer stands: told, too near to a limit to be told, or with too few games to be told."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question of the card with its answer.

    Attributes:
        key: of the question.
        question: as somebody at the table asks it.
        word: the answer in a few words.
        text: the number that it rests on.
        levels: the mark of what each level of skill says beside it, from weak to strong players.
        settled: how far the answer holds over these levels, in words.
        state: SETTLED, CLOSE or OPEN.
    """

    key: str
    question: str
    word: str
    text: str
    levels: tuple[str, ...] = ()
    settled: str = ""
    state: str = SETTLED


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """The first screen: answers beside a figure, and what they rest on."""

    title: str
    answers: tuple[Answer, ...]
    figure: Figure | None
    foot: str


@dataclass(frozen=True, slots=True)
class Details:
    """A part that stands collapsed under its summary until it is asked for, and open on paper."""

    summary: str
    blocks: tuple[Block, ...]


Block = Text | Items | Table | Figure | Card | Details


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the page."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of table that a reader may choose: edition, mode, number of players, who plays.

    Attributes:
        facts: what the page's script is given, as `Choice` in templates/choices.js.
        sections: what the page then shows.
    """

    facts: Mapping[str, Any]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The whole page: title, a line of facts, a notice, and its sections in order.

    `warnings` stand above all else. The sections of one of `choices` stand before those of the
    document; the first is shown where nothing is chosen.
    """

    title: str
    facts: str
    notice: str
    sections: tuple[Section, ...]
    choices: Sequence[Choice] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Section, ...]:
        """What is read where nothing is chosen."""
        first = self.choices[0].sections if self.choices else ()
        return (*first, *self.sections)

    @property
    def every(self) -> Iterator[Section]:
        """All sections, whatever is chosen."""
        for choice in self.choices:
            yield from choice.sections
        yield from self.sections


def walk(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks in the order of the page, those of cards and collapsed parts included."""
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from walk(block.blocks)
        if isinstance(block, Card) and block.figure is not None:
            yield block.figure
