"""A document as data: sections of texts, lists, tables and figures, before HTML or Markdown.

Both renderings show the same document, so they cannot disagree on a number. Texts here are not
escaped. Names of strategies and sweeps come from users, so each rendering escapes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.rendering.numbers import MINUS
from ethnos_sim.reports.rendering.table import Column, Table

NOTICE = (
    "An unofficial analysis tool. Ethnos is a game of its publishers, who have no part in this."
)

DEFINED = "The documentation explains each number on the page “The numbers”."


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; `kind` is "plain" or "note" (small print)."""

    text: str
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short statements."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One number of a figure, and where and how it is drawn.

    Attributes:
        label: its line, bar or bin; several marks may share a label.
        number: the number to draw.
        series: its series, shown as a color.
        hollow: whether it is drawn hollow, which means too few games to tell.
    """

    label: str
    number: Estimate
    series: str = ""
    hollow: bool = False


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure, which the page's script draws, and the table with its numbers.

    Attributes:
        key: its name, unique on the page.
        title: its title.
        marks: its numbers.
        axis: the label of the numbers' axis.
        note: how to read it.
        middle: the value of the middle line, in the unit of the numbers; None for no line.
        band: half the width of the band around the line within which a number counts as no effect.
    """

    key: str
    title: str
    marks: tuple[Mark, ...]
    axis: str
    note: str = ""
    middle: float | None = None
    band: float = 0.0

    @property
    def numbers(self) -> tuple[Estimate, ...]:
        """The numbers that the figure draws, one for each mark."""
        return tuple(mark.number for mark in self.marks)

    @cached_property
    def table(self) -> Table:
        """The same numbers as a table, with one label per line."""
        lines = list(dict.fromkeys(mark.label for mark in self.marks))
        series = list(dict.fromkeys(mark.series for mark in self.marks))
        at = {(mark.label, mark.series): mark.number for mark in self.marks}
        columns = [Column("", lines)]
        for name in series:
            values = [at.get((line, name)) for line in lines]
            columns.append(Column(name or self.axis, values))
        return Table(self.title, tuple(columns))


@dataclass(frozen=True, slots=True)
class Answer:
    """A question of the card with its answer.

    Attributes:
        key: the question's name.
        question: the question as a player would ask it.
        word: the answer in a few words.
        text: the number behind the answer, in a sentence.
        level: a line on other levels of play; "" if there are none.
        verdict: whether the answer is known; CLOSE if the truth is too near to a limit.
    """

    key: str
    question: str
    word: str
    text: str
    level: str = ""
    verdict: Verdict = Verdict.MATTERS


class RankedClan(NamedTuple):
    """A clan in a ranking.

    Attributes:
        name: its name, with a star if some of its printed values had to be guessed.
        tier: its group.
        number: its worth.
        words: what is said of it where a reader points at it, line by line.
    """

    name: str
    tier: str
    number: Estimate
    words: tuple[str, ...]

    @property
    def cost(self) -> str:
        """The games in 100 that giving it up costs: "+9"."""
        games = round(100 * (self.number.value or 0.0))
        return f"{games:+d}".replace("-", MINUS) if games else "0"


class Tier(NamedTuple):
    """A group of a ranking: its name, a remark, and its lines, with a clan or None by column."""

    name: str
    remark: str
    lines: tuple[tuple[RankedClan | None, ...], ...]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Clans by worth, in groups, a column for each edition; a page shows it as a table of bars.

    Attributes:
        columns: the names of the editions.
        tiers: the groups, the strongest clans first.
        margin: a worth within this margin around 0 counts as average.
    """

    columns: tuple[str, ...]
    tiers: tuple[Tier, ...]
    margin: float

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn."""
        numbers = [
            clan.number for tier in self.tiers for line in tier.lines for clan in line if clan
        ]
        ends = [end for n in numbers for end in (n.value, n.low, n.high) if end is not None]
        return min(-self.margin, *ends), max(self.margin, *ends)

    def place(self, value: float) -> float:
        """Where a number is drawn, from 0 at the left to 100 at the right."""
        low, high = self._ends
        return round(100 * (value - low) / (high - low), 1)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """The first screen of a page: answers, a figure, and a line about the games behind them.

    Attributes:
        title: the kind of table.
        answers: the answers; the first one is the figure's.
        figure: the figure, for pictures and Markdown.
        foot: how to read it.
        ranking: what the page shows in place of the figure; None to show the figure.
    """

    title: str
    answers: tuple[Answer, ...]
    figure: Figure | None
    foot: str
    ranking: Ranking | None = None


@dataclass(frozen=True, slots=True)
class Details:
    """A part that is collapsed under its summary until the reader opens it; open on paper."""

    summary: str
    blocks: tuple[Block, ...]


Block = Text | Items | Table | Figure | Card | Details


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the page."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of table that a reader may choose: edition, mode, number of players, strategies.

    Attributes:
        facts: the data for the page's script (`Choice` in templates/choices.js).
        sections: the sections that the page then shows.
    """

    facts: Mapping[str, Any]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The whole page: title, a line of facts, a notice, and its sections in order.

    `warnings` come first, then the sections of the chosen item of `choices` (the first one until
    the reader chooses), then the document's `sections`.
    """

    title: str
    facts: str
    notice: str
    sections: tuple[Section, ...]
    choices: Sequence[Choice] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Section, ...]:
        """The sections that are shown before the reader chooses."""
        first = self.choices[0].sections if self.choices else ()
        return (*first, *self.sections)

    @property
    def all_sections(self) -> Iterator[Section]:
        """The sections of all choices, then the document's sections."""
        for choice in self.choices:
            yield from choice.sections
        yield from self.sections


def walk(blocks: Iterable[Block]) -> Iterator[Block]:
    """Walk blocks in the order of the page, including blocks in cards and collapsed parts."""
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from walk(block.blocks)
        if isinstance(block, Card) and block.figure is not None:
            yield block.figure
