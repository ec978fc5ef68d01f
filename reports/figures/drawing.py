"""How figures are drawn and turned into SVG that may stand inside a page.

Names come from users, so math text is off (`$` is a dollar sign) and the SVG writer escapes the
rest. Text stays text: it can be read, searched and scaled. Figures are narrow, because a wide one
shrinks to nothing on a phone. Marks may say what they stand for when a pointer rests on them: see
`tell`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.numbers import whole, with_interval

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
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

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe & Ito's palette for categories, in an order in which neighbors differ in lightness."""

_TELLING = "tells:"
"""How the group name of a mark begins that says something; what it says is the rest."""

_STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "font.size": 9,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
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


def tell(artist: Artist, text: str) -> None:
    """Let a mark say a text, which may have several lines, when a pointer rests on it."""
    artist.set_gid(_TELLING + text)


def tell_area(
    axes: Axes, corner: tuple[float, float], size: tuple[float, float], text: str
) -> None:
    """Let an area say a text: a rectangle in data coordinates that nobody sees.

    For marks that are drawn many at a time, as the cells of a heat map and the bars of a histogram.
    """
    from matplotlib.patches import Rectangle

    area = Rectangle(corner, *size, facecolor="none", edgecolor="none", linewidth=0, zorder=10)
    tell(area, text)
    axes.add_patch(area)


def told(label: str, estimate: Estimate, *more: str) -> str:
    """What a mark says of an estimate: what it is about, its value and interval, its games."""
    sides = with_interval(estimate)
    return "\n".join(
        [f"{label}: {sides}", *(m for m in more if m), f"{whole(estimate.games)} games"]
    )


def diverging() -> LinearSegmentedColormap:
    """Orange through white to blue, for values below and above a middle."""
    from matplotlib.colors import LinearSegmentedColormap

    tones = [TONES[tone] for tone in ("down3", "down1")], [TONES[tone] for tone in ("up1", "up3")]
    return LinearSegmentedColormap.from_list("diverging", [*tones[0], "#ffffff", *tones[1]])


def svg(figure: Drawing) -> str:
    """The SVG element of a figure, without the parts that only a file of its own needs.

    What is left holds no address: the namespaces are implied inside HTML, and the metadata and the
    document type are dropped. Marks that say something become groups of the class `mark` with the
    text as their title. To be called inside `drawing`.
    """
    engine = figure.get_layout_engine()
    assert engine is not None, "`drawings` asks for one"
    engine.execute(figure)
    figure.set_layout_engine("none")  # Else everything is drawn twice, the first time for nothing.
    buffer = StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].rstrip()
    # Group names repeat from figure to figure, and the style would reach the whole page.
    text = re.sub(r"<(metadata|style)\b.*?</\1>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"\n\s+", "\n", text)
    text = re.sub(r'<g id="([^"]*)"([^>]*)>', _group, text)
    # Hundredths of a point are finer than any screen.
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\.\d\d)\d+", r"\1", tag[0]), text)
    head, tail = text.split(">", 1)
    head = re.sub(r'\s(?:xmlns(?::\w+)?|width|height|version)="[^"]*"', "", head)
    return f"{head}>{tail}"


def _group(found: re.Match[str]) -> str:
    """A group without its name, which the SVG writer escaped, or with what its mark says."""
    name, rest = found.groups()
    if not name.startswith(_TELLING):
        return f"<g{rest}>"
    return f'<g class="mark"{rest}><title>{name.removeprefix(_TELLING)}</title>'


def shape(tone: str) -> str:
    """The marker of a tone: triangles point to the side, circles take none."""
    return SHAPES[tone.rstrip("123")]
