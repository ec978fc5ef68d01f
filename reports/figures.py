"""The figures of a page as files for slides: the same marks, drawn by seaborn, as SVG and PNG.

So is the payoff matrix of a rating. All are safe for color-blind readers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import with_bounds
from ethnos_sim.reports.rendering.document import Figure, Mark
from ethnos_sim.reports.rendering.numbers import UNITS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing


INK = "#1f2933"
FAINT = "#7b8794"
GRID = "#e4e7eb"

DIVERGING = ("#a63603", "#f4a259", "#ffffff", "#6baed6", "#08519c")
"""Orange through white to blue, for values below and above a middle, in equal steps (ColorBrewer's
Oranges and Blues), told apart by color-blind readers."""

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe & Ito's palette for categories, in an order in which neighbors differ in lightness."""

FORMATS = ("svg", "png")

STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "ethnos-sim",
    "font.size": 9,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""Names come from users, so that a dollar sign is one; in SVG text stays text."""


def as_files(figure: Drawing) -> dict[str, bytes]:
    """A figure as files by format, the same whenever they are written."""
    found = {}
    for kind in FORMATS:
        buffer = BytesIO()
        about = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, dpi=160, metadata=about)
        found[kind] = buffer.getvalue()
    return found


WIDTH = 8.0
"""Inches of a figure."""

LINE = 0.32
"""Inches of a line of a figure."""

APART = 0.26
"""How far the marks of one line stand apart, in lines."""


def figure_files(figure: Figure) -> dict[str, bytes]:
    """A figure of a page as files by format ("svg", "png"), the same whenever they are made."""
    import matplotlib as mpl
    import seaborn
    from matplotlib.figure import Figure as Drawing

    labels = _unique(mark.label for mark in figure.marks)
    tall = figure.kind in ("intervals", "bars", "grid")
    with mpl.rc_context(STYLE):
        drawing = Drawing(
            figsize=(WIDTH, 1.4 + LINE * len(labels) if tall else 4.5), layout="constrained"
        )
        axes = drawing.subplots()
        KINDS[figure.kind](figure, axes)
        axes.set_title(figure.title, loc="left", fontweight="bold")
        if figure.kind != "grid":
            seaborn.despine(ax=axes, left=tall)
            axes.grid(axis="x" if tall else "both", color=GRID)
            axes.set_axisbelow(True)
            if len(_unique(mark.series for mark in figure.marks)) > 1:
                axes.legend(frameon=False, loc="best")
        return as_files(drawing)


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _shown(estimate: Estimate | None) -> tuple[float, float, float]:
    """A number and the ends of its interval, as they are read; not a number where there is none."""
    if estimate is None or estimate.value is None:
        return np.nan, np.nan, np.nan
    factor = UNITS[estimate.unit].factor
    low, high = (np.nan if end is None else factor * end for end in (estimate.low, estimate.high))
    return factor * estimate.value, low, high


def _lines(figure: Figure, axes: Axes, *, bars: bool) -> None:
    """A line a label, its marks one below the other."""
    labels = _unique(mark.label for mark in figure.marks)
    series = _unique(mark.series for mark in figure.marks)
    for number, name in enumerate(series):
        marks = [mark for mark in figure.marks if mark.series == name]
        value, low, high = np.asarray([_shown(mark.number) for mark in marks]).T
        at = np.asarray([labels.index(mark.label) for mark in marks], np.float64)
        at += APART * (number - (len(series) - 1) / 2)
        color = SERIES[number % len(SERIES)]
        if bars:
            axes.barh(at, value, 0.9 * APART, color=color, label=name)
        axes.hlines(at, low, high, color=FAINT if bars else color, linewidth=1.5)
        if not bars:
            _dots(axes, marks, value, at, color, name)
    if figure.middle is not None:
        factor = UNITS[figure.marks[0].number.unit].factor
        middle, band = factor * figure.middle, factor * figure.band
        axes.axvspan(middle - band, middle + band, color=GRID, zorder=0)
        axes.axvline(middle, color=FAINT, linewidth=1)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel(figure.axis)


def _dots(
    axes: Axes, marks: list[Mark], x: np.ndarray, y: np.ndarray, color: str, name: str
) -> None:
    """Marks as circles, hollow where they are not settled."""
    inside = ["white" if mark.hollow else color for mark in marks]
    axes.scatter(x, y, s=30, facecolors=inside, edgecolors=color, linewidths=1.5, zorder=3)
    axes.scatter([], [], s=30, color=color, label=name)


def _grid(figure: Figure, axes: Axes) -> None:
    """A cell for each label and series, blue above the middle and orange below."""
    import pandas
    import seaborn
    from matplotlib.colors import LinearSegmentedColormap

    labels = _unique(mark.label for mark in figure.marks)
    series = _unique(mark.series for mark in figure.marks)
    frame = pandas.DataFrame(np.nan, index=labels, columns=series)
    for mark in figure.marks:
        frame.loc[mark.label, mark.series] = _shown(mark.number)[0]
    unit = UNITS[figure.marks[0].number.unit]
    middle = unit.factor * (figure.middle or 0.0)
    # Shares end at 0, and differences nowhere.
    reach = float(np.nanmax(np.abs(frame.to_numpy() - middle))) if unit.signed else middle
    with warnings.catch_warnings():
        # seaborn 0.13 copies a color map in a way that matplotlib will give up some day.
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        seaborn.heatmap(
            frame,
            ax=axes,
            cmap=LinearSegmentedColormap.from_list("diverging", DIVERGING),
            center=middle,
            vmin=middle - reach,
            vmax=middle + reach,
            annot=True,
            fmt="+.1f" if unit.signed else ".1f",
            linewidths=0.5,
            cbar_kws={"label": figure.axis},
        )
    axes.tick_params(length=0, color=FAINT)
    axes.set_xlabel(figure.across)


def _histogram(figure: Figure, axes: Axes) -> None:
    """How often each bin comes up, as steps."""
    for number, name in enumerate(_unique(mark.series for mark in figure.marks)):
        marks = [mark for mark in figure.marks if mark.series == name]
        lows = [float(mark.label) for mark in marks]
        width = lows[1] - lows[0] if len(lows) > 1 else 1.0
        values = [_shown(mark.number)[0] for mark in marks]
        color = SERIES[number % len(SERIES)]
        axes.stairs(values, [*lows, lows[-1] + width], color=color, linewidth=2, label=name)
    axes.set_xlabel(figure.across)
    axes.set_ylabel(figure.axis)


def _scatter(figure: Figure, axes: Axes) -> None:
    """Two numbers of each label, the label beside them."""
    y, low, high = np.asarray([_shown(mark.number) for mark in figure.marks]).T
    x = np.asarray([_shown(mark.across)[0] for mark in figure.marks])
    axes.vlines(x, low, high, color=SERIES[0], linewidth=1.5)
    _dots(axes, list(figure.marks), x, y, SERIES[0], "")
    for mark, across, up in zip(figure.marks, x, y, strict=True):
        axes.annotate(mark.label, (across, up), (6, -3), textcoords="offset points")
    axes.margins(x=0.1)
    axes.set_xlabel(figure.across)
    axes.set_ylabel(figure.axis)


KINDS: Mapping[str, Callable[[Figure, Axes], None]] = {
    "intervals": lambda figure, axes: _lines(figure, axes, bars=False),
    "bars": lambda figure, axes: _lines(figure, axes, bars=True),
    "grid": _grid,
    "histogram": _histogram,
    "scatter": _scatter,
}


def payoff_figure(payoffs: pl.DataFrame, players: int, title: str) -> dict[str, bytes]:
    """The payoff matrix of a rating as files by format: blue above an even share, orange below.

    Args:
        payoffs: the table `payoffs` of a rating (`reports.rating.tables`), best strategy first.
        players: seats of a table; 1 / players is the even share.
        title: what stands above.
    """
    alone = with_bounds(
        *(payoffs[f"alone{end}"] for end in ("", "_low", "_high")),
        unit="share",
        games=0,
        estimand="alone",
        name=payoffs["strategy"].to_list(),
        population=payoffs["rival"].to_list(),
    )
    marks = tuple(Mark(each.name, each, each.population) for each in alone.estimates())
    even = 1 / players
    axis = f"wins of one seat, of 100 games (even: {100 * even:.3g})"
    return figure_files(
        Figure("payoffs", title, "grid", marks, axis, "the other seats", middle=even)
    )
