"""The page as data: sections of texts, lists, tables and figures, before HTML or Markdown.

Both renderings walk the same document, so they cannot disagree on a number. Nothing here is escaped
or marked up; names of strategies and sweeps come from users, and each rendering makes them inert.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


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
    """A tier list, from strong to weak."""

    tiers: tuple[Tier, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: its text, and a tone that colors it (a key of verdicts.TIER_WORDS, or "")."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as shown; `stored` names the file that holds its numbers, with all intervals.

    The first column of a row is its heading.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    stored: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as SVG source, with a text that says the same in numbers."""

    key: str
    caption: str
    alt: str
    svg: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Panel:
    """Something that stands beside others of its kind where the page is wide enough."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels side by side."""

    panels: tuple[Panel, ...]


Block = Text | Items | Tiers | Table | Figure | Panels


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the page; `level` 2 is a chapter, 3 a part of one."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True, slots=True)
class Document:
    """The whole page: title, a line of facts, a notice, and its sections in order."""

    title: str
    facts: str
    notice: str
    sections: tuple[Section, ...]


def cells(texts: Sequence[str]) -> tuple[Cell, ...]:
    """A row of cells without tones."""
    return tuple(Cell(text) for text in texts)
