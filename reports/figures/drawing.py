"""How figures are drawn and turned into SVG that may stand inside a page.

Names come from users, so math text is off (`$` is a dollar sign) and the SVG writer escapes the
rest. Text stays text: it can be read, searched and scaled. Figures are narrow, because a wide one
shrinks to nothing on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

WIDTH = 4.5
"""Inches; drawn text of 9 points is then readable at the width of a phone."""

INK = "#1f2933"
FAINT = "#7b8794"
GRID = "#e4e7eb"

TONES = {
    "up3": "#08519c",
    "up2": "#3182bd",
    "up1": "#6baed6",
    "level": "#7b8794",
    "down1": "#f4a259",
    "down2": "#e6550d",
    "down3": "#a63603",
    "open": "#7b8794",
}
"""Blue above and orange below average (ColorBrewer Blues and Oranges); told apart by color-blind
readers, and never by color alone: marks differ in shape too."""

SHAPES = {"up": "^", "down": "v", "level": "o", "open": "o"}

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""Okabe & Ito's palette for categories, in an order in which neighbors differ in lightness."""

_STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "font.size": 9,
    "font.family": "sans-serif",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
}


@contextmanager
def drawing(key: str, height: float) -> Iterator[tuple[Drawing, Axes]]:
    """A figure with one pair of axes in the house style; `key` makes its identifiers unique."""
    with drawings(key, height, 1) as (figure, (axes,)):
        yield figure, axes


@contextmanager
def drawings(key: str, height: float, rows: int) -> Iterator[tuple[Drawing, list[Axes]]]:
    """The same with several pairs of axes below each other that share the horizontal scale."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Drawing

    with mpl.rc_context({**_STYLE, "svg.hashsalt": key}):
        figure = Drawing(figsize=(WIDTH, height), layout="constrained")
        yield figure, list(figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0])


def svg(figure: Drawing) -> str:
    """The SVG element of a figure, without the parts that only a file of its own needs.

    What is left holds no address: the namespaces are implied inside HTML, and the metadata and the
    document type are dropped. To be called inside `drawing`.
    """
    buffer = StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].rstrip()
    # Group names repeat from figure to figure, and the style would reach the whole page.
    text = re.sub(r"<(metadata|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    head, tail = text.split(">", 1)
    head = re.sub(r'\s(?:xmlns(?::\w+)?|width|height|version)="[^"]*"', "", head)
    return f"{head}>{tail}"


def shape(tone: str) -> str:
    """The marker of a tone: triangles point to the side, circles take none."""
    return SHAPES[tone.rstrip("123")]
