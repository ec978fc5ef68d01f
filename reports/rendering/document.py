"""The page as data: sections of texts, lists, tables and figures, before HTML or Markdown.

Both renderings walk the same document, so they cannot disagree on a number. Nothing here is escaped
or marked up; names of strategies and sweeps come from users, and each rendering makes them inert.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ethnos_sim.reports.rendering.table import Row, Table

NOTICE = (
    "An unofficial analysis tool. Ethnos is a game of its publishers, who have no part in this."
)


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; `kind` is "plain", "note" (small print) or "warning"."""

    text: str
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short statements."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tier:
    """One line of a tier list: what its members have in common, and the members."""

    tone: str
    label: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tiers:
    """A tier list, from strong to weak; `rows` go to the files of the name `stored`."""

    tiers: tuple[Tier, ...]
    stored: str = ""
    rows: tuple[Row, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as SVG source, with a text that says the same in numbers.

    Its `rows` go to the files of the name `stored`, where no table of the page has them.
    """

    key: str
    caption: str
    alt: str
    svg: str = field(repr=False)
    stored: str = ""
    rows: tuple[Row, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Story:
    """Lines that keep their spaces and breaks, such as the replay of a game.

    Each is a kind, which its looks may depend on, and a text: a `Line` of a narration.
    """

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """The page of a game to watch, which the page carries inside and opens beside itself."""

    name: str
    html: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Details:
    """A part that stands collapsed under its summary until it is asked for, and open on paper.

    Attributes:
        summary: the line that is always read.
        blocks: what it hides.
        key: what others may lead to, unique on the page; "" for nothing.
    """

    summary: str
    blocks: tuple[Block, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Something that stands beside others of its kind where the page is wide enough."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels side by side."""

    panels: tuple[Panel, ...]


Block = Text | Items | Tiers | Table | Figure | Story | GamePage | Details | Panels


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the page; `level` 2 is a chapter, 3 a part of one."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """A table that a reader may choose on the page: edition, number of players, and who played.

    Attributes:
        facts: what the page answers about its clans, as `Choice` in templates/company.js.
        sections: what takes the place of the page's sections of the same keys.
    """

    facts: Mapping[str, Any]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The whole page: title, a line of facts, a notice, and its sections in order.

    `choices` is what a reader may choose on the page; without a choice it shows `sections`.
    """

    title: str
    facts: str
    notice: str
    sections: tuple[Section, ...]
    choices: Sequence[Choice] = field(default=(), repr=False)


def walk(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks in the order of the page, those of panels and collapsed parts included."""
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from walk(block.blocks)
        if isinstance(block, Panels):
            for panel in block.panels:
                yield from walk(panel.blocks)
