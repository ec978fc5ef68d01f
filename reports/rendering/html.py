"""Render a document as one self-contained page, whose script draws the figures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.document import Choice, Document, Figure, Section, all_blocks
from ethnos_sim.reports.rendering.pages import packed_json, render_page, template_environment

TEMPLATES = Path(__file__).parent / "templates"


def as_html(document: Document, play_data: Mapping[str, Any] | None = None) -> str:
    """The page as HTML; the template engine escapes everything except style and script.

    Args:
        document: the page.
        play_data: the data with which the page plays games; None for a page that plays none.
    """
    from markupsafe import Markup

    numbers = _figure_numbers(document)
    indices = {key: index for index, key in enumerate(numbers)}
    environment = template_environment(TEMPLATES)
    environment.globals |= {"packed_figure": lambda figure: _figure_json(figure, indices)}
    module = environment.get_template("blocks.html.j2").module

    def section_html(section: Section) -> str:
        return Markup(with_no_break_spaces(vars(module)["section"](section)))

    def choice_html(choice: Choice) -> Markup:
        return Markup("").join(map(section_html, choice.sections))

    choices = document.choices
    data = {
        "choices": packed_json([choice.facts for choice in choices]),
        "sections": packed_json(list(map(choice_html, choices))),
        "numbers": packed_json([_number_facts(number) for number in numbers.values()]),
        "live": packed_json(play_data),
    }
    return render_page(
        TEMPLATES,
        "page",
        data,
        plays_games=play_data is not None,
        opened_page=play_data["seat"]["page"] if play_data else "",
        title=document.title,
        notice=document.notice,
        document=document,
        shown=choice_html(choices[0]) if choices else "",
        section=section_html,
    )


_INNER_SPACES = re.compile(r"(?<=±) |(?<=\d) (?=%|of \d|turns\b)|(?<=\d of) (?=\d)")
"""The spaces within a number and its unit: "± 1", "26 %", "25 of 100"."""


def with_no_break_spaces(html: str) -> str:
    """The HTML with no-break spaces within its numbers, and between a number and its unit."""
    return _INNER_SPACES.sub("\N{NO-BREAK SPACE}", html)


NumberKey = tuple[Any, ...]
"""What identifies a number on a page: its estimand, population and labels."""


def _number_key(number: Estimate) -> NumberKey:
    """The estimand, the population and the labels of a number."""
    return number.estimand, number.population, *number.labels.items()


def _figure_numbers(document: Document) -> dict[NumberKey, Estimate]:
    """The numbers in the figures of a document, each once, in the order of the page."""
    found: dict[NumberKey, Estimate] = {}
    for section in document.all_sections:
        for block in all_blocks(section.blocks):
            for number in block.numbers if isinstance(block, Figure) else ():
                found.setdefault(_number_key(number), number)
    return found


def _number_facts(number: Estimate) -> list[Any]:
    """A number as a list for the page's script (`readNumbers` in templates/numbers.js)."""
    return [number.value, number.low, number.high, number.games, number.unit]


def _figure_json(figure: Figure, indices: Mapping[NumberKey, int]) -> str:
    """A figure as JSON for the page's script; a mark has the index of its number."""
    marks = [
        (mark.label, indices[_number_key(mark.number)], mark.series, mark.hollow)
        for mark in figure.marks
    ]
    about = ("title", "axis", "middle", "band")
    facts = {name: getattr(figure, name) for name in about}
    return json.dumps({**facts, "marks": marks}, separators=(",", ":"))
