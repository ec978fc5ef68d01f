"""Render a document as Markdown: the same words and numbers, with tables instead of figures."""

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


def as_markdown(document: Document, tables_folder: str) -> str:
    """Render the document.

    Args:
        document: the page.
        tables_folder: name of the folder beside the page that holds the stored tables.
    """
    parts = [f"# {inert(document.title)}", inert(document.facts)]
    parts += [f"**Note.** {inert(warning)}" for warning in document.warnings]
    parts += [inert(document.notice)] if document.notice else []
    for section in document.shown:
        parts += _part(section.title, section.blocks, 2, tables_folder)
    return "\n\n".join(parts) + "\n"


def _block(block: Block, level: int, tables_folder: str) -> list[str]:
    match block:
        case Text():
            mark = "**Note.** " if block.kind == "warning" else ""
            return [mark + inert(block.text)]
        case Items():
            return ["\n".join(f"- {inert(line)}" for line in block.lines)]
        case Table():
            return _table(block, tables_folder)
        case Figure():
            notes = [inert(block.note)] if block.note else []
            return [*notes, *_table(block.table, "")]
        case Card():
            lines = [
                f"- {inert(answer.question)} **{inert(answer.word)}** {inert(answer.text)}"
                + (f" ({inert(answer.level)})" if answer.level else "")
                for answer in block.answers
            ]
            figure = _block(block.figure, level, tables_folder) if block.figure else []
            return ["\n".join(lines), *figure, inert(block.foot)]
        case Details():
            return _part(block.summary, block.blocks, level, tables_folder)


def _part(title: str, blocks: Sequence[Block], level: int, tables_folder: str) -> list[str]:
    inside = [text for block in blocks for text in _block(block, level + 1, tables_folder)]
    return [f"{'#' * min(level, DEEPEST)} {inert(title)}", *inside]


def _table(table: Table, tables_folder: str) -> list[str]:
    rows = [
        "| " + " | ".join(inert(heading) for heading in table.headings) + " |",
        "|" + " --- |" * len(table.headings),
        *("| " + " | ".join(inert(shown.text) for shown in line) + " |" for line in table.shown),
    ]
    caption = f"**{inert(table.title)}**{_files(table.stored, tables_folder)}"
    return [caption, "\n".join(rows)]


def _files(stored: str, tables_folder: str) -> str:
    return f" ({inert(tables_folder)}/{stored}.csv, .parquet)" if stored else ""
