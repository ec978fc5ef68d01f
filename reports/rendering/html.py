"""Render a document as one self-contained page, whose script draws the figures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.document import Choice, Document, Figure, Section, walk
from ethnos_sim.reports.rendering.scripts import packed_data, rendered, templates

TEMPLATES = Path(__file__).parent / "templates"


def as_html(document: Document, live: Mapping[str, Any] | None = None) -> str:
    """Render the page; the template engine escapes everything except style and script.

    Args:
        document: the page.
        live: the data with which the page plays games; None for a page that plays none.
    """
    from markupsafe import Markup

    numbers = _figure_numbers(document)
    places = {key: place for place, key in enumerate(numbers)}
    environment = templates(TEMPLATES)
    environment.globals |= {"packed_figure": lambda figure: _packed(figure, places)}
    module = environment.get_template("blocks.html.j2").module

    def shown(section: Section) -> str:
        return Markup(unbroken(vars(module)["section"](section)))

    def sections(choice: Choice) -> Markup:
        return Markup("").join(map(shown, choice.sections))

    choices = document.choices
    data = {
        "choices": packed_data([choice.facts for choice in choices]),
        "sections": packed_data(list(map(sections, choices))),
        "numbers": packed_data([_facts(number) for number in numbers.values()]),
        "live": packed_data(live),
    }
    return rendered(
        TEMPLATES,
        "page",
        data,
        plays=live is not None,
        opens=live["seat"]["page"] if live else "",
        title=document.title,
        notice=document.notice,
        document=document,
        shown=sections(choices[0]) if choices else "",
        section=shown,
    )


_TOGETHER = re.compile(r"(?<=±) |(?<=\d) (?=%|of \d|turns\b)|(?<=\d of) (?=\d)")
"""The spaces within a number and its unit: "± 1", "26 %", "25 of 100"."""


def unbroken(html: str) -> str:
    """The same text without a line break between a number and its unit."""
    return _TOGETHER.sub("\N{NO-BREAK SPACE}", html)


Key = tuple[Any, ...]
"""What tells a number of a page from all others."""


def _key(number: Estimate) -> Key:
    """The key of a number."""
    return number.estimand, number.population, *number.labels.items()


def _figure_numbers(document: Document) -> dict[Key, Estimate]:
    """The numbers in the figures of a document, without repetitions, in the order of the page."""
    found: dict[Key, Estimate] = {}
    for section in document.all_sections:
        for block in walk(section.blocks):
            for number in block.numbers if isinstance(block, Figure) else ():
                found.setdefault(_key(number), number)
    return found


def _facts(number: Estimate) -> list[Any]:
    """A number for the page's script (`readNumbers` in templates/numbers.js)."""
    return [number.value, number.low, number.high, number.games, number.unit]


def _packed(figure: Figure, places: Mapping[Key, int]) -> str:
    """A figure as JSON for the page's script, which finds numbers by their rows in the table."""
    marks = [
        (mark.label, places[_key(mark.number)], mark.series, mark.hollow) for mark in figure.marks
    ]
    about = ("title", "axis", "middle", "band")
    facts = {name: getattr(figure, name) for name in about}
    return json.dumps({**facts, "marks": marks}, separators=(",", ":"))
