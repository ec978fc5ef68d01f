"""Render a document without figures as Markdown: the same words and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ethnos_sim.reports.rendering.document import (
    Block,
    Card,
    Details,
    Document,
    Figure,
    Items,
    Text,
)
from ethnos_sim.reports.rendering.table import Table

DEEPEST = 6
"""The number of heading levels in Markdown."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")


def inert(text: str) -> str:
    """Put a text on one line, and escape everything that Markdown, HTML or math would interpret."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def as_markdown(document: Document) -> str:
    """Render the document.

    Args:
        document: the document.
    """
    parts = [f"# {inert(document.title)}", inert(document.facts)]
    parts += [f"**Note.** {inert(warning)}" for warning in document.warnings]
    parts += [inert(document.notice)] if document.notice else []
    for section in document.shown:
        parts += _part(section.title, section.blocks, 2)
    return "\n\n".join(parts) + "\n"


def _block(block: Block, level: int) -> list[str]:
    match block:
        case Text():
            return [inert(block.text)]
        case Items():
            return ["\n".join(f"- {inert(line)}" for line in block.lines)]
        case Table():
            return _table(block)
        case Details():
            return _part(block.summary, block.blocks, level)
        case Figure() | Card():
            return []


def _part(title: str, blocks: Sequence[Block], level: int) -> list[str]:
    inside = [text for block in blocks for text in _block(block, level + 1)]
    return [f"{'#' * min(level, DEEPEST)} {inert(title)}", *inside]


def _table(table: Table) -> list[str]:
    rows = [
        "| " + " | ".join(inert(heading) for heading in table.headings) + " |",
        "|" + " --- |" * len(table.headings),
        *("| " + " | ".join(inert(shown.text) for shown in line) + " |" for line in table.shown),
    ]
    return [f"**{inert(table.caption)}**", "\n".join(rows)]
