"""The card as a picture: title and figure at the left, answers at the right, as SVG or PNG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
"""Where a card begins at the left, and where its figure lies, with its width and height."""

DOTS = 100
"""Pixels an inch."""

POINT = 72 / DOTS
"""The size of a letter of one pixel, in points."""

LETTER = 0.58
"""The width of a letter in the size of its font, on average: that of DejaVu Sans and Verdana."""

DARK = {
    PAGE: "#12171d",
    INK: "#e8edf2",
    SOFT: "#a3b0be",
    RULE: "#2c3640",
    BAND: "#1d252d",
    **dict(zip(SERIES, ("#6fb1f0", "#f0a164", "#73cf9b"), strict=False)),
}
"""The page's colors in the dark by those in the light; programs that know no styles show these."""

SCALES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
"""Sizes that a card's answers may have beside the usual one, until all have room."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text: where it starts, in pixels from the corner above, and how it looks."""

    x: float
    y: float
    text: str
    size: float
    color: str = INK
    bold: bool = False


def card_files(card: Card, title: str) -> dict[str, bytes]:
    """The card as files by format ("svg", "png"), the same whenever they are made."""
    check_drawn()
    from matplotlib.figure import Figure as Drawing

    with styled():
        drawing = Drawing(figsize=(WIDTH / DOTS, HEIGHT / DOTS), dpi=DOTS, facecolor=PAGE)
        for line in _lines(card, title):
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


def _lines(card: Card, title: str) -> Iterator[Line]:
    """Everything on a card that is read."""
    yield Line(X, 56, title, 30, bold=True)
    yield Line(X, 84, card.title, 17, SOFT)
    yield from _wrapped(card.foot, X, HEIGHT - 18, 12, SOFT, WIDTH - 2 * X)
    x, y = X, 130.0
    if card.figure is not None:
        x, y = X + FIGURE[0] + 60, 46.0
        yield from _wrapped(card.figure.note, X, TOP + FIGURE[1] + 60, 12, SOFT, FIGURE[0])
    for scale in SCALES:
        answers = list(_answers(card, x, y, scale))
        if all(line.y <= HEIGHT - 20 for line in answers):
            break
    yield from answers


def _with_dark(svg: str) -> str:
    """An SVG file that has its colors for dark where a reader asks for them."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in DARK.items()
        for kind in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"
    return re.sub(r"(<svg[^>]*>)", lambda head: head[1] + style, svg, count=1)


def _answers(card: Card, x: float, y: float, scale: float) -> Iterator[Line]:
    """A card's answers below each other, in letters and gaps of a size."""
    for answer in card.answers:
        settled = f"{''.join(answer.levels)} {answer.settled}".strip()
        for text, size, color, gap in (
            (answer.question, 13, SOFT, 21),
            (answer.word, 16, INK, 19),
            (answer.text, 13, INK, 18),
            (settled, 12, SOFT, 18),
        ):
            bold = text == answer.word
            for line in _wrapped(text, x, y, scale * size, color, WIDTH - X - x, bold=bold):
                yield line
                y = line.y + scale * gap
        y += scale * 10


def _wrapped(
    text: str, x: float, y: float, size: float, color: str, room: float, *, bold: bool = False
) -> Sequence[Line]:
    """A text in as many lines as it needs."""
    letters = int(room / (size * LETTER * (1.1 if bold else 1.0)))
    return [
        Line(x, y + 1.3 * size * place, line, size, color, bold)
        for place, line in enumerate(wrap(text, letters))
    ]
