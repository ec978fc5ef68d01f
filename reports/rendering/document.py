"""A document as data: sections of texts, lists, tables and figures, which HTML or Markdown show.

Both renderings show the same document, so they cannot disagree on a number. Texts here are not
escaped. Names of strategies and sweeps come from users, so each rendering escapes all texts.
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

NUMBERS_NOTICE = f"{NOTICE} The documentation says under “The numbers” what each number means."


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; `kind` is "plain" or "note" (small print)."""

    text: str
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of short statements."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One number of a figure, with the line and the series in which it is drawn.

    Attributes:
        label: the label of its line; several marks may share a line.
        number: the number to draw.
        series: the name of its series; a series has one color.
        hollow: whether it is drawn hollow, which means too few games to tell.
    """

    label: str
    number: Estimate
    series: str = ""
    hollow: bool = False


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure that the page's script draws.

    Attributes:
        key: its name, unique on the page.
        title: its title.
        marks: its numbers.
        axis: the label of the numbers' axis.
        note: how to read it.
        middle: where the middle line is, in the unit of the numbers; None for no line.
        band: half the width of the gray band around this line; numbers in it count as no effect.
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
        """The numbers as a table: a line for each label, a column for each series."""
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
    """A question on the card, with its answer.

    Attributes:
        key: a short name of the question, such as "seat".
        question: the question as a player would ask it.
        word: the answer in a few words.
        text: the number behind the answer, in a sentence.
        level_line: a line on other levels of play; "" for no line.
        verdict: OPEN if too few games were played, CLOSE if the number is too near to its margin.
    """

    key: str
    question: str
    word: str
    text: str
    level_line: str = ""
    verdict: Verdict = Verdict.MATTERS


class RankedClan(NamedTuple):
    """A clan in a ranking.

    Attributes:
        name: its name, with a star if some of its printed values had to be guessed.
        tier: the name of its group.
        worth: its worth.
        tooltip: the lines of its tooltip.
    """

    name: str
    tier: str
    worth: Estimate
    tooltip: tuple[str, ...]

    @property
    def cost(self) -> str:
        """How many of 100 games it costs to give up the clan: "+9"."""
        games = round(100 * (self.worth.value or 0.0))
        return f"{games:+d}".replace("-", MINUS) if games else "0"


class Tier(NamedTuple):
    """A group of clans in a ranking; a line has a clan, or None, for each edition."""

    name: str
    remark: str
    lines: tuple[tuple[RankedClan | None, ...], ...]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Clans by worth in groups, which a page shows as bars, with a column for each edition.

    Attributes:
        columns: the names of the editions.
        tiers: the groups, the strongest clans first.
        margin: a worth within this margin around 0 counts as average.
    """

    columns: tuple[str, ...]
    tiers: tuple[Tier, ...]
    margin: float

    @cached_property
    def _range(self) -> tuple[float, float]:
        """The lowest and the highest worth that the bars have to show."""
        worths = [clan.worth for tier in self.tiers for line in tier.lines for clan in line if clan]
        ends = [end for n in worths for end in (n.value, n.low, n.high) if end is not None]
        return min(-self.margin, *ends), max(self.margin, *ends)

    def position(self, worth: float) -> float:
        """Where a worth is drawn in its column: from 0 at the left to 100 at the right."""
        low, high = self._range
        return round(100 * (worth - low) / (high - low), 1)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """The first screen of a page: answers, a figure, and a line about the games behind them.

    Attributes:
        title: the situation as a heading.
        answers: the answers; the figure or the ranking belongs to the first one.
        figure: the figure; pictures of the card show it even if there is a ranking.
        foot: the line about the games.
        ranking: what the page shows in place of the figure; None to show the figure.
    """

    title: str
    answers: tuple[Answer, ...]
    figure: Figure | None
    foot: str
    ranking: Ranking | None = None


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that a page hides below their summary until a reader opens them; paper shows them."""

    summary: str
    blocks: tuple[Block, ...]


Block = Text | Bullets | Table | Figure | Card | Details


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks of the page under a title; `key` is the address of the section within the page."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A situation that a reader may choose: edition, mode, number of players, strategies.

    Attributes:
        facts: the data for the page's script (`Choice` in templates/choices.js).
        sections: the sections that the page shows of this situation.
    """

    facts: Mapping[str, Any]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The whole page: title, a line of facts, a notice, and its sections in order.

    `warnings` come first, then the sections of the reader's choice, then the document's own
    `sections`. The page opens with the first of the `choices`.
    """

    title: str
    facts: str
    notice: str
    sections: tuple[Section, ...]
    choices: Sequence[Choice] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def opening_sections(self) -> tuple[Section, ...]:
        """The sections that the page opens with."""
        first = self.choices[0].sections if self.choices else ()
        return (*first, *self.sections)

    @property
    def opening_blocks(self) -> Iterator[Block]:
        """All blocks that the page opens with, in order, also those inside other blocks."""
        return all_blocks(block for section in self.opening_sections for block in section.blocks)

    @property
    def all_sections(self) -> Iterator[Section]:
        """The sections of all choices, then the document's sections."""
        for choice in self.choices:
            yield from choice.sections
        yield from self.sections


def all_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks in the order of the page, also the figures of cards and the blocks of details."""
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from all_blocks(block.blocks)
        if isinstance(block, Card) and block.figure is not None:
            yield block.figure
