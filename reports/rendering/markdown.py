"""Render a document as Markdown, without its figures and cards."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ethnos_sim.reports.rendering.document import (
    Block,
    Bullets,
    Card,
    Details,
    Document,
    Figure,
    Text,
)
from ethnos_sim.reports.rendering.table import Table

MAX_HEADING_LEVEL = 6
"""The deepest level of a heading in Markdown."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")


def escaped(text: str) -> str:
    """The text on one line, with everything escaped that Markdown, HTML or math would interpret."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def as_markdown(document: Document) -> str:
    """The sections that a document opens with, as Markdown."""
    parts = [f"# {escaped(document.title)}", escaped(document.facts)]
    parts += [f"**Note.** {escaped(warning)}" for warning in document.warnings]
    parts += [escaped(document.notice)] if document.notice else []
    for section in document.opening_sections:
        parts += _titled_paragraphs(section.title, section.blocks, 2)
    return "\n\n".join(parts) + "\n"


def _block_paragraphs(block: Block, level: int) -> list[str]:
    """The paragraphs of a block; `level` is the level of headings inside it."""
    match block:
        case Text():
            return [escaped(block.text)]
        case Bullets():
            return ["\n".join(f"- {escaped(line)}" for line in block.lines)]
        case Table():
            return _table_paragraphs(block)
        case Details():
            return _titled_paragraphs(block.summary, block.blocks, level)
        case Figure() | Card():
            return []


def _titled_paragraphs(title: str, blocks: Sequence[Block], level: int) -> list[str]:
    """The title as a heading of this level, and the paragraphs of the blocks below it."""
    inside = [text for block in blocks for text in _block_paragraphs(block, level + 1)]
    return [f"{'#' * min(level, MAX_HEADING_LEVEL)} {escaped(title)}", *inside]


def _table_paragraphs(table: Table) -> list[str]:
    rows = [
        "| " + " | ".join(escaped(heading) for heading in table.headings) + " |",
        "|" + " --- |" * len(table.headings),
        *("| " + " | ".join(escaped(cell.text) for cell in line) + " |" for line in table.cells),
    ]
    return [f"**{escaped(table.caption)}**", "\n".join(rows)]
