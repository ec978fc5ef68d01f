"""The document as one self-contained page, which draws its figures from the numbers in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from ethnos_sim.reports.rendering.document import Choice, Document, Figure, Section, walk
from ethnos_sim.reports.rendering.picture import intervals_svg
from ethnos_sim.reports.rendering.scripts import packed, rendered, templates
from ethnos_sim.reports.rendering.storage import as_csv
from ethnos_sim.reports.rendering.table import Row

TEMPLATES = Path(__file__).parent / "templates"


def as_html(document: Document, tables_folder: str) -> str:
    """Render the page; everything but style and script is escaped by the template engine.

    Args:
        document: the page.
        tables_folder: name of the folder beside the page that holds the stored tables.
    """
    from markupsafe import Markup

    carried = _Carried(document)
    environment = templates(TEMPLATES)
    environment.globals |= {
        "packed_figure": carried.figure,
        "still": lambda figure: Markup(intervals_svg(figure)),
    }
    module = environment.get_template("blocks.html.j2").module

    def shown(section: Section) -> str:
        # A line does not end between ± and its number.
        told: str = vars(module)["section"](section)
        return told.replace("± ", "±\N{NO-BREAK SPACE}")

    def sections(choice: Choice) -> Markup:
        return Markup("").join(map(shown, choice.sections))

    choices = [{**each.facts, "sections": packed(sections(each))} for each in document.choices]
    return rendered(
        TEMPLATES,
        "page",
        {"choices": choices, "numbers": packed(carried.csv) if carried.rows else ""},
        document=document,
        shown=sections(document.choices[0]) if choices else "",
        section=shown,
        tables_folder=tables_folder,
    )


class _Carried:
    """The numbers that the figures of a document draw, each once, as the lines of a table."""

    def __init__(self, document: Document) -> None:
        """Collect them in the order of the page."""
        rows = (
            row
            for section in document.every
            for block in walk(section.blocks)
            if isinstance(block, Figure)
            for row in block.rows
        )
        self.rows: dict[tuple[Any, ...], Row] = {}
        for row in rows:
            self.rows.setdefault(row.key, row)
        self._place = {key: place for place, key in enumerate(self.rows)}

    @property
    def csv(self) -> bytes:
        """The table as CSV."""
        frame = pl.DataFrame([row.stored for row in self.rows.values()], infer_schema_length=None)
        return as_csv(frame.rename({"measure": "estimand"}))

    def figure(self, figure: Figure) -> str:
        """A figure as the page's script takes it, with the lines of its numbers."""
        marks = [
            [
                mark.label,
                self._place[mark.row.key],
                mark.series,
                self._place[mark.across.key] if mark.across else None,
                mark.hollow,
            ]
            for mark in figure.marks
        ]
        about = ("kind", "title", "axis", "across", "middle", "band")
        told = {name: getattr(figure, name) for name in about}
        return json.dumps({**told, "marks": marks}, separators=(",", ":"))
