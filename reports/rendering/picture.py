"""Drawings made of a few shapes, written as SVG or PNG: the card, and its figure without a script.

One layout serves both: shapes have places in pixels and the names of their colors, which a page's
style sheet gives and a file has inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from math import ceil, floor, log10
from textwrap import wrap
from typing import Literal

from ethnos_sim.reports.rendering.document import Card, Figure
from ethnos_sim.reports.rendering.numbers import MINUS, UNITS

LETTER = 0.58
"""The width of a letter in the size of its font, on average: that of DejaVu Sans and Verdana."""

FONT = "DejaVu Sans, Verdana, sans-serif"

COLORS = {
    "ink": "#1d2733",
    "soft": "#5b6876",
    "rule": "#dfe4ea",
    "band": "#eef1f4",
    "page": "#ffffff",
    "s0": "#0b5cad",
    "s1": "#b84d00",
    "s2": "#1d7a46",
}
"""The colors of shapes; a page's style sheet has the same names, for light and dark."""

DARK = {
    "ink": "#e8edf2",
    "soft": "#a3b0be",
    "rule": "#2c3640",
    "band": "#1d252d",
    "page": "#12171d",
    "s0": "#6fb1f0",
    "s1": "#f0a164",
    "s2": "#73cf9b",
}
"""Those of a file where a reader asks for dark; programs that know no styles show COLORS."""

WIDTH, HEIGHT = 1280, 800
"""The size of a card."""

LINE = 30
"""The height of a clan's line."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A line, circle, box or text.

    Attributes:
        kind: which of them.
        at: x, y of its start, or of its middle for a circle.
        to: x, y of its end; of a circle the radius first.
        color: a key of COLORS.
        hollow: of a circle, whether it is filled with the page's color.
        text: what is read.
        size: of a text its height, of a line its width.
        anchor: where a text starts from.
        bold: whether it is bold.
    """

    kind: Literal["line", "circle", "box", "text"]
    at: tuple[float, float]
    to: tuple[float, float] = (0.0, 0.0)
    color: str = "ink"
    hollow: bool = False
    text: str = ""
    size: float = 1.0
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False


def intervals_svg(figure: Figure) -> str:
    """A figure of intervals as SVG for a page, in the colors of its style sheet."""
    width = 620.0
    shapes, height = _intervals(figure, 0, 0, width)
    inside = "".join(_svg_shape(shape) for shape in shapes)
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(figure.title)}" '
        f'class="{figure.kind}">{inside}</svg>'
    )


def card_svg(card: Card, title: str) -> bytes:
    """The card as an SVG file."""
    inside = "".join(_svg_shape(shape) for shape in _card(card, title))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
    return (
        f'{head}width="{WIDTH}" height="{HEIGHT}" role="img" font-family="{FONT}">'
        f"<title>{escape(title)}</title>{_dark_style()}{inside}</svg>\n"
    ).encode()


def _dark_style() -> str:
    """The rules that turn a file's colors into those for dark."""
    rules = "".join(
        f".f-{name},.c-{name}{{fill:{color}}}.l-{name},.c-{name}{{stroke:{color}}}"
        for name, color in DARK.items()
    )
    hollow = f"circle.hollow{{fill:{DARK['page']}}}"
    return f"<style>@media (prefers-color-scheme:dark){{{rules}{hollow}}}</style>"


def card_png(card: Card, title: str) -> bytes:
    """The card as a PNG file, twice as large."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(WIDTH / 100, HEIGHT / 100), dpi=200)
    axes = drawing.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.axis("off")
    for number, shape in enumerate(_card(card, title)):
        _paint(axes, shape, number)
    buffer = BytesIO()
    drawing.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _svg_shape(shape: Shape) -> str:
    """A shape as an element: its color, and the class by which a style may give it another one."""
    (x, y), (x2, y2) = shape.at, shape.to
    color = COLORS[shape.color]
    filled = f'fill="{color}" class="f-{shape.color}"'
    match shape.kind:
        case "line":
            ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            looks = f'stroke="{color}" class="l-{shape.color}"'
            return f'<line {ends} stroke-width="{shape.size:g}" {looks}/>'
        case "circle":
            inner = COLORS["page"] if shape.hollow else color
            kind = f"c-{shape.color}{' hollow' * shape.hollow}"
            looks = f'fill="{inner}" stroke="{color}" class="{kind}"'
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{x2:g}" stroke-width="2" {looks}/>'
        case "box":
            size = f'width="{x2 - x:.1f}" height="{y2 - y:.1f}"'
            return f'<rect x="{x:.1f}" y="{y:.1f}" {size} {filled}/>'
        case "text":
            bold = ' font-weight="bold"' * shape.bold
            place = f'x="{x:.1f}" y="{y:.1f}" font-size="{shape.size:g}"'
            anchor = f' text-anchor="{shape.anchor}"' * (shape.anchor != "start")
            return f"<text {place}{anchor}{bold} {filled}>{escape(shape.text)}</text>"


def _paint(axes: object, shape: Shape, order: int) -> None:
    """A shape on the axes of matplotlib, above those before it."""
    from matplotlib.axes import Axes
    from matplotlib.patches import Circle, Rectangle

    assert isinstance(axes, Axes)
    (x, y), (x2, y2) = shape.at, shape.to
    color = COLORS[shape.color]
    match shape.kind:
        case "line":
            axes.plot([x, x2], [y, y2], color=color, linewidth=0.72 * shape.size, zorder=order)
        case "circle":
            inner = COLORS["page"] if shape.hollow else color
            looks = {"facecolor": inner, "edgecolor": color, "linewidth": 1.4, "zorder": order}
            axes.add_patch(Circle((x, y), x2, **looks))
        case "box":
            axes.add_patch(Rectangle((x, y), x2 - x, y2 - y, color=color, zorder=order))
        case "text":
            weight = "bold" if shape.bold else "normal"
            align = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
            axes.text(
                x,
                y,
                shape.text,
                color=color,
                fontsize=0.72 * shape.size,
                fontweight=weight,
                ha=align,
                va="baseline",
                zorder=order,
                parse_math=False,
                family="DejaVu Sans",
            )


SCALES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
"""Sizes that a card's answers may have beside the usual one, until all have room."""


def _card(card: Card, title: str) -> Iterable[Shape]:
    """A card's shapes: title, figure at the left, answers at the right."""
    yield Shape("box", (0, 0), (WIDTH, HEIGHT), "page")
    yield Shape("text", (40, 56), text=title, size=30, bold=True)
    yield Shape("text", (40, 84), text=card.title, size=17, color="soft")
    left = 560.0
    if card.figure is not None:
        shapes, foot = _intervals(card.figure, 40, 112, left)
        yield from shapes
        yield from _texts(card.figure.note, 40, foot + 18, 12, "soft", left)
    x, y = (660.0, 46.0) if card.figure is not None else (40.0, 130.0)
    for scale in SCALES:
        answers = list(_answers(card, x, y, scale))
        if all(shape.at[1] <= HEIGHT - 20 for shape in answers):
            break
    yield from answers
    yield from _texts(card.foot, 40, HEIGHT - 18, 12, "soft", WIDTH - 80)


def _answers(card: Card, x: float, y: float, scale: float) -> Iterator[Shape]:
    """A card's answers below each other, in letters and gaps of a size."""
    room = WIDTH - 40 - x
    for answer in card.answers:
        settled = f"{''.join(answer.levels)} {answer.settled}".strip()
        for text, size, color, gap in (
            (answer.question, 13, "soft", 21),
            (answer.word, 16, "ink", 19),
            (answer.text, 13, "ink", 18),
            (settled, 12, "soft", 18),
        ):
            for shape in _texts(text, x, y, scale * size, color, room, bold=size == 16):
                yield shape
                y = shape.at[1] + scale * gap
        y += scale * 10


def _texts(
    text: str, x: float, y: float, size: float, color: str, room: float, *, bold: bool = False
) -> Sequence[Shape]:
    """A text in as many lines as it needs."""
    letters = int(room / (size * LETTER * (1.1 if bold else 1.0)))
    return [
        Shape("text", (x, y + 1.3 * size * place), text=line, size=size, color=color, bold=bold)
        for place, line in enumerate(wrap(text, letters))
    ]


def _ticks(low: float, high: float) -> list[float]:
    """Steps of 1, 2 or 5 times a power of ten between two ends, about six of them."""
    rough = (high - low or 1.0) / 6
    power = 10.0 ** floor(log10(rough))
    step = power * next(times for times in (1, 2, 5, 10) if times * power >= rough)
    return [round(step * at, 9) for at in range(ceil(low / step), floor(high / step) + 1)]


def _intervals(figure: Figure, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """The shapes of a figure of intervals, and where it ends below."""
    labels = list(dict.fromkeys(mark.label for mark in figure.marks))
    series = list(dict.fromkeys(mark.series for mark in figure.marks))
    room = 10 + 13 * LETTER * max(map(len, labels))
    ends = [
        end
        for mark in figure.marks
        for end in (mark.number.low, mark.number.high, mark.number.value)
        if end is not None
    ]
    middle = figure.middle or 0.0
    low = min(*ends, middle - figure.band)
    high = max(*ends, middle + figure.band)

    def place(value: float) -> float:
        return x + room + (width - room) * (0.03 + 0.94 * (value - low) / (high - low or 1.0))

    top = y + 26
    line = LINE if len(series) > 1 else 24
    foot = top + line * len(labels)
    shapes = [
        Shape(
            "box", (place(middle - figure.band), top), (place(middle + figure.band), foot), "band"
        ),
        Shape("line", (place(middle), top), (place(middle), foot), "soft", size=1.5),
    ]
    start = x
    for number, name in enumerate(series if len(series) > 1 else ()):
        shapes.append(Shape("circle", (start + 6, y + 6), (5, 0), f"s{number}"))
        shapes.append(Shape("text", (start + 16, y + 11), text=name, size=13))
        start += 34 + 13 * LETTER * len(name)
    unit = UNITS[figure.marks[0].number.unit]
    for tick in _ticks(unit.factor * low, unit.factor * high):
        text = (f"{tick:+g}" if unit.signed and tick else f"{tick:g}").replace("-", MINUS)
        below = place(tick / unit.factor), foot + 16
        shapes.append(Shape("text", below, text=text, size=12, color="soft", anchor="middle"))
    named = Shape("text", (x, foot + 36), text=figure.axis, size=12, color="soft")
    for number, label in enumerate(labels):
        shapes.append(Shape("text", (x, top + line * (number + 0.5) + 4), text=label, size=13))
    for mark in figure.marks:
        estimate = mark.number
        if estimate.value is None:
            continue
        number = series.index(mark.series)
        at = top + line * (labels.index(mark.label) + 0.5) + 11 * (number - (len(series) - 1) / 2)
        if estimate.low is not None and estimate.high is not None:
            ends_at = (place(estimate.low), at), (place(estimate.high), at)
            shapes.append(Shape("line", *ends_at, f"s{number}", size=2.5))
        shapes.append(
            Shape("circle", (place(estimate.value), at), (5, 0), f"s{number}", mark.hollow)
        )
    return [*shapes, named], foot + 44
