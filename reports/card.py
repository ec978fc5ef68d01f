"""The card as an SVG or PNG picture, with title and figure at the left and answers at the right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from ethnos_sim.reports.figures import (
    BAND,
    INK,
    PAGE,
    RULE,
    SERIES,
    SOFT,
    as_files,
    check_drawn,
    draw,
    styled,
)
from ethnos_sim.reports.rendering.document import Card

WIDTH, HEIGHT = 1280, 800
"""The size of a card in pixels."""

X, TOP, FIGURE = 40.0, 112.0, (560.0, 548.0)
"""The card's left edge, the figure's top edge, and the figure's width and height, in pixels."""

DOTS = 100
"""Pixels per inch."""

POINT = 72 / DOTS
"""Points per pixel."""

LETTER = 0.58
"""The average width of a letter as a part of the font size, for DejaVu Sans and Verdana."""

DARK = {
    PAGE: "#12171d",
    INK: "#e8edf2",
    SOFT: "#a3b0be",
    RULE: "#2c3640",
    BAND: "#1d252d",
    **dict(zip(SERIES, ("#6fb1f0", "#f0a164", "#73cf9b"), strict=False)),
}
"""The page's dark color for each light color. Programs that ignore styles show the light ones."""

SCALES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
"""Scales of the answers' text, tried in order until all answers fit."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text: its start in pixels from the upper left corner, and its style."""

    x: float
    y: float
    text: str
    size: float
    color: str = INK
    bold: bool = False


def card_files(card: Card, title: str) -> dict[str, bytes]:
    """The card as files by format ("svg", "png"), byte for byte the same in every run."""
    check_drawn()
    from matplotlib.figure import Figure as Drawing

    with styled():
        drawing = Drawing(figsize=(WIDTH / DOTS, HEIGHT / DOTS), dpi=DOTS, facecolor=PAGE)
        for line in _text_lines(card, title):
            drawing.text(
                line.x / WIDTH,
                1 - line.y / HEIGHT,
                line.text,
                color=line.color,
                fontsize=POINT * line.size,
                fontweight="bold" if line.bold else "normal",
            )
        if card.figure is not None:
            room = 10 + 13 * LETTER * max(len(mark.label) for mark in card.figure.marks)
            left, width, height = X + room, FIGURE[0] - room, FIGURE[1]
            foot = 1 - (TOP + height) / HEIGHT
            axes = drawing.add_axes((left / WIDTH, foot, width / WIDTH, height / HEIGHT))
            draw(card.figure, axes)
        files = as_files(drawing)
    return files | {"svg": _with_dark(files["svg"].decode()).encode()}


def _text_lines(card: Card, title: str) -> Iterator[TextLine]:
    """All lines of text on a card."""
    yield TextLine(X, 56, title, 30, bold=True)
    yield TextLine(X, 84, card.title, 17, SOFT)
    feet = list(_wrapped(card.foot, X, 0, 12, SOFT, WIDTH - 2 * X))
    foot = HEIGHT - 18 - (feet[-1].y if feet else 0)
    yield from (replace(line, y=foot + line.y) for line in feet)
    x, y = X, 130.0
    if card.figure is not None:
        x, y = X + FIGURE[0] + 60, 46.0
        yield from _wrapped(card.figure.note, X, TOP + FIGURE[1] + 60, 12, SOFT, FIGURE[0])
    for scale in SCALES:
        answers = list(_answer_lines(card, x, y, scale))
        if all(line.y <= foot - 20 for line in answers):
            break
    yield from answers


def _with_dark(svg: str) -> str:
    """Add the dark colors to an SVG file, for readers that prefer them."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in DARK.items()
        for kind in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"
    return re.sub(r"(<svg[^>]*>)", lambda head: head[1] + style, svg, count=1)


def _answer_lines(card: Card, x: float, y: float, scale: float) -> Iterator[TextLine]:
    """Set a card's answers one below the other, with letters and gaps scaled by `scale`."""
    for answer in card.answers:
        for text, size, color, gap in (
            (answer.question, 13, SOFT, 21),
            (answer.word, 16, INK, 19),
            (answer.text, 13, INK, 18),
            (answer.level, 12, SOFT, 18),
        ):
            bold = text == answer.word
            for line in _wrapped(text, x, y, scale * size, color, WIDTH - X - x, bold=bold):
                yield line
                y = line.y + scale * gap
        y += scale * 10


def _wrapped(
    text: str, x: float, y: float, size: float, color: str, room: float, *, bold: bool = False
) -> Sequence[TextLine]:
    """Wrap a text into lines that are about `room` pixels wide at most."""
    letters = int(room / (size * LETTER * (1.1 if bold else 1.0)))
    return [
        TextLine(x, y + 1.3 * size * place, line, size, color, bold)
        for place, line in enumerate(wrap(text, letters))
    ]
