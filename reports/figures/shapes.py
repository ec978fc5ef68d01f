"""Elements of SVG: marks, lines, rectangles and texts at points of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ethnos_sim.reports.figures.style import INK

SIZE = 9.0
"""Points of text, unless said otherwise."""

MIDDLE = 0.36
"""Of a text's size: how far below its middle its letters stand."""

BOLD = 1.12
"""How much wider bold text is."""

WIDTHS = {
    **dict.fromkeys("'Iijl|", 0.29),
    **dict.fromkeys(" !(),-./:;[]frt", 0.38),
    **dict.fromkeys("ACDGHKNOQRUVX&", 0.75),
    **dict.fromkeys("MW%mw+<=>~±−—", 0.9),
}
"""Of a text's size: how wide letters of DejaVu Sans are, a wide font; of others 0.62."""

SHAPES = {
    "s": "M-.5-.5h1v1h-1z",
    "D": "M0-.65l.65.65-.65.65-.65-.65z",
    "^": "M0-.55l.55 1h-1.1z",
    "v": "M0 .55l-.55-1h1.1z",
    "P": "M-.18-.5h.36v.32h.32v.36h-.32v.32h-.36v-.32h-.32v-.36h.32z",
    "X": "M-.25-.5l.25.25.25-.25.25.25-.25.25.25.25-.25.25-.25-.25-.25.25-.25-.25.25-.25-.25-.25z",
}
"""Marks one point wide by matplotlib's names; a circle, "o", is an element of its own."""

HALO = ' stroke="#ffffff" stroke-width="2.5" paint-order="stroke"'
"""Lets a text be read that lies on lines."""

SAMPLE = 16.0
"""Points of width of a line or box in a legend."""


def width_of(text: str, size: float = SIZE, *, bold: bool = False) -> float:
    """About how many points wide a text is; rather too many than too few."""
    return size * (BOLD if bold else 1.0) * sum(WIDTHS.get(letter, 0.62) for letter in text)


def short(number: float) -> str:
    """A number of points; hundredths are finer than any screen."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def style(**values: str | float) -> str:
    """Attributes, without those that are empty or 1, which is what they are by themselves."""
    return "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else short(value)}"'
        for name, value in values.items()
        if value not in ("", 1.0)
    )


def title(text: str) -> str:
    """What a group says."""
    return f"<title>{escape(text, quote=False)}</title>"


def path(points: Sequence[tuple[float, float]], **values: str | float) -> str:
    """A line through points, or what it goes around."""
    steps = "L".join(f"{short(x)} {short(y)}" for x, y in points)
    return f'<path d="M{steps}"{style(**values)}/>'


def rectangle(
    one: tuple[float, float], other: tuple[float, float], fill: str, edge: str, width: float
) -> str:
    """A rectangle with these opposite corners."""
    (left, right), (top, foot) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    edges = style(stroke=edge, stroke_width=width) if edge else ""
    return (
        f'<rect x="{short(left)}" y="{short(top)}" width="{short(right - left)}" '
        f'height="{short(foot - top)}"{style(fill=fill)}{edges}/>'
    )


def marked(x: float, y: float, shape: str, size: float, fill: str, color: str, width: float) -> str:
    """A mark as many points wide as its size."""
    look = style(fill=fill, stroke=color)
    if shape == "o":
        edge = style(stroke_width=width)
        return f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(size / 2)}"{look}{edge}/>'
    place = f"translate({short(x)} {short(y)}) scale({short(size)})"
    edge = style(stroke_width=width / size)
    return f'<path transform="{place}" d="{SHAPES[shape]}"{look}{edge}/>'


def sample(x: float, y: float, kind: str, color: str, fill: str) -> str:
    """What a line of a legend explains: a mark, a box, or a line with its dashes."""
    if kind == "box":
        return rectangle((x, y - 3.2), (x + SAMPLE, y + 3.2), fill, "", 0)
    if kind == "o" or kind in SHAPES:
        return marked(x + SAMPLE / 2, y, kind, 5.5, fill, color, 1.2)
    ends = [(x, y), (x + SAMPLE, y)]
    return path(ends, stroke=color, stroke_width=1.6, stroke_dasharray=kind)


def written(
    x: float,
    y: float,
    text: str,
    anchor: str = "start",
    size: float = SIZE,
    color: str = INK,
    bold: bool = False,
    turned: bool = False,
    halo: bool = False,
) -> str:
    """A text whose start, middle or end lies at a point, at the middle of its height.

    The picture says the usual size and color, so that they are not said again.
    """
    look = style(
        text_anchor="" if anchor == "start" else anchor,
        font_size="" if size == SIZE else size,
        fill="" if color == INK else color,
        font_weight="bold" if bold else "",
    )
    look += HALO if halo else ""
    if turned:
        place = f'transform="translate({short(x + MIDDLE * size)} {short(y)}) rotate(-90)"'
    else:
        place = f'x="{short(x)}" y="{short(y + MIDDLE * size)}"'
    return f"<text {place}{look}>{escape(text, quote=False)}</text>"
