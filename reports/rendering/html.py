"""The document as one self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ethnos_sim.reports.rendering.document import Block, Choice, Document, GamePage, walk
from ethnos_sim.reports.rendering.scripts import packed, rendered, templates

TEMPLATES = Path(__file__).parent / "templates"
VIEWER = Path(__file__).parents[1] / "viewer" / "viewer.js"

MOST_CARRIED = 400_000
"""Letters of packed tables that a page carries at most, the smallest first."""


def as_html(
    document: Document, tables_folder: str, tables: Mapping[str, bytes] = MappingProxyType({})
) -> str:
    """Render the page; everything but figures, style and script is escaped by the template engine.

    Args:
        document: the page.
        tables_folder: name of the folder beside the page that holds the stored tables.
        tables: stored tables as CSV by name, which the page carries too, as far as there is room.
    """
    from markupsafe import Markup

    blocks = (block for section in document.sections for block in walk(section.blocks))
    games = {each.name: packed(each.html) for each in blocks if isinstance(each, GamePage)}
    carried = _carried(tables)
    content = {
        "figure": Markup,
        "tables_folder": tables_folder,
        "carried": {name.removesuffix(".csv") for name in carried},
    }
    environment = templates(TEMPLATES)
    environment.globals |= content
    show = vars(environment.get_template("blocks.html.j2").module)["show"]
    return rendered(
        TEMPLATES,
        "page",
        {
            "choices": [_choice(choice, show) for choice in document.choices],
            "files": carried | games,
        },
        opens=[VIEWER] if games else [],
        document=document,
        all_carried=len(carried) == len(tables),
        **content,
    )


def _carried(tables: Mapping[str, bytes]) -> dict[str, str]:
    """The tables that the page has room for, packed, by the names of their files."""
    by_size = sorted(((f"{name}.csv", packed(table)) for name, table in tables.items()), key=_size)
    room = accumulate(map(_size, by_size))
    return dict(each for each, used in zip(by_size, room, strict=True) if used <= MOST_CARRIED)


def _size(table: tuple[str, str]) -> int:
    """The letters of a packed table."""
    return len(table[1])


def _choice(choice: Choice, show: Callable[[Block, int], str]) -> dict[str, Any]:
    """A choice as the page's script takes it, its sections rendered and packed."""
    sections = {
        section.key: "".join(show(block, section.level + 1) for block in section.blocks)
        for section in choice.sections
    }
    return {**choice.facts, "sections": packed(json.dumps(sections))}
