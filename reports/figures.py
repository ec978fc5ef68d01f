"""Draw figures with seaborn and matplotlib: for slides, notebooks, the card, and ratings.

They have the marks and colors of the page's figures, which its script draws.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.document import Figure, Mark
from ethnos_sim.reports.rendering.numbers import MINUS, UNITS
from ethnos_sim.simulator.utilities.errors import WrongInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing


PAGE, INK, SOFT, RULE, BAND = "#ffffff", "#1d2733", "#55616e", "#dfe4ea", "#eef1f4"
"""The light colors of the page's style sheet, under the same names."""

SERIES = ("#0b5cad", "#b84d00", "#1d7a46", "#a3478a", "#3f8fc4", "#d99a00", "#6b5b95")
"""Colors of series, the page's first; color-blind readers can tell them apart."""

DIVERGING = (SERIES[1], PAGE, SERIES[0])
"""The colors of a scale below its middle value, at it, and above it."""

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
    "axes.edgecolor": SOFT,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""Users' names may contain a dollar sign, so it starts no formula. In SVG, text stays text."""


def as_files(figure: Drawing) -> dict[str, bytes]:
    """A figure as files by format, byte for byte the same in every run. Call it inside `styled`."""
    files = {}
    for kind in FORMATS:
        buffer = BytesIO()
        about = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, dpi=160, metadata=about)
        files[kind] = buffer.getvalue()
    return files


def check_drawn() -> None:
    """Raise WrongInput if matplotlib or seaborn is not installed."""
    if any(find_spec(name) is None for name in ("matplotlib", "seaborn")):
        raise WrongInput(
            "figures as pictures need matplotlib and seaborn; install them with: "
            "pip install 'ethnos-sim[plot]'"
        )


def styled() -> AbstractContextManager[None]:
    """A context for making and writing figures: colors, fonts and file settings."""
    check_drawn()
    import matplotlib as mpl

    return mpl.rc_context(STYLE)


WIDTH = 8.0
"""The width of a figure in inches."""

LINE = 0.32
"""The height of a line of a figure in inches."""

APART = 0.26
"""The distance between two marks of one line, as a part of the line's height."""


def figure_files(figure: Figure) -> dict[str, bytes]:
    """A figure of a page as files by format ("svg", "png"), byte for byte the same in every run."""
    check_drawn()
    from matplotlib.figure import Figure as Drawing

    with styled():
        drawing = Drawing(figsize=(WIDTH, height_of(figure)), layout="constrained")
        axes = drawing.subplots()
        draw(figure, axes)
        axes.set_title(figure.title, loc="left", fontweight="bold")
        return as_files(drawing)


def height_of(figure: Figure) -> float:
    """The height that a figure needs, in inches."""
    lines = len(_unique(mark.label for mark in figure.marks))
    return 1.4 + LINE * lines if figure.kind in TALL else 4.5


def draw(figure: Figure, axes: Axes) -> None:
    """Draw a figure's marks, axes and legend, but not its title."""
    import seaborn

    KINDS[figure.kind](figure, axes)
    if figure.kind == "grid":
        return
    tall = figure.kind in TALL
    seaborn.despine(ax=axes, left=tall)
    axes.grid(axis="x" if tall else "both", color=RULE)
    axes.set_axisbelow(True)
    if len(_unique(mark.series for mark in figure.marks)) > 1:
        axes.legend(frameon=False, loc="best")


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _scaled(estimate: Estimate | None) -> tuple[float, float, float]:
    """A number and the ends of its interval in its unit's scale; nan for missing ones."""
    if estimate is None or estimate.value is None:
        return np.nan, np.nan, np.nan
    factor = UNITS[estimate.unit].factor
    low, high = (np.nan if end is None else factor * end for end in (estimate.low, estimate.high))
    return factor * estimate.value, low, high


def _draw_lines(figure: Figure, axes: Axes, *, bars: bool) -> None:
    """Draw one line per label, with its marks one below the other."""
    series = _unique(mark.series for mark in figure.marks)
    labels = [mark.label for mark in figure.marks]
    labels = _unique(labels) if len(series) > 1 else labels
    for number, name in enumerate(series):
        marks = [mark for mark in figure.marks if mark.series == name]
        value, low, high = np.asarray([_scaled(mark.number) for mark in marks]).T
        at = np.arange(len(marks), dtype=np.float64)
        if len(series) > 1:
            at = np.asarray([labels.index(mark.label) for mark in marks], np.float64)
        at += APART * (number - (len(series) - 1) / 2)
        color = SERIES[number % len(SERIES)]
        if bars:
            axes.barh(at, value, 0.9 * APART, color=color, label=name)
        axes.hlines(at, low, high, color=INK if bars else color, linewidth=1.5)
        if not bars:
            _draw_dots(axes, marks, value, at, color, name)
    if figure.middle is not None:
        factor = UNITS[figure.marks[0].number.unit].factor
        middle, band = factor * figure.middle, factor * figure.band
        axes.axvspan(middle - band, middle + band, color=BAND, zorder=0)
        axes.axvline(middle, color=SOFT, linewidth=1)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel(figure.axis)
    signed = UNITS[figure.marks[0].number.unit].signed
    axes.xaxis.set_major_formatter(
        lambda value, _: (f"{value:+g}" if signed and value else f"{value:g}").replace("-", MINUS)
    )


def _draw_dots(
    axes: Axes, marks: list[Mark], x: np.ndarray, y: np.ndarray, color: str, name: str
) -> None:
    """Draw marks as circles, hollow ones for too few games."""
    inside = [PAGE if mark.hollow else color for mark in marks]
    axes.scatter(x, y, s=30, facecolors=inside, edgecolors=color, linewidths=1.5, zorder=3)
    axes.scatter([], [], s=30, color=color, label=name)


def _draw_grid(figure: Figure, axes: Axes) -> None:
    """Draw a cell for each label and series, blue above the middle and orange below."""
    import seaborn
    from matplotlib.colors import LinearSegmentedColormap

    labels = _unique(mark.label for mark in figure.marks)
    series = _unique(mark.series for mark in figure.marks)
    cells = np.full((len(labels), len(series)), np.nan)
    for mark in figure.marks:
        cells[labels.index(mark.label), series.index(mark.series)] = _scaled(mark.number)[0]
    unit = UNITS[figure.marks[0].number.unit]
    middle = unit.factor * (figure.middle or 0.0)
    # Shares cannot be negative, so their scale reaches from 0; differences reach to the largest.
    reach = float(np.nanmax(np.abs(cells - middle))) if unit.signed else middle
    with warnings.catch_warnings():
        # seaborn 0.13 copies a color map in a way that matplotlib deprecates.
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        seaborn.heatmap(
            cells,
            ax=axes,
            xticklabels=series,
            yticklabels=labels,
            cmap=LinearSegmentedColormap.from_list("diverging", DIVERGING),
            center=middle,
            vmin=middle - reach,
            vmax=middle + reach,
            annot=True,
            fmt="+.1f" if unit.signed else ".1f",
            linewidths=0.5,
            cbar_kws={"label": figure.axis},
        )
    axes.tick_params(length=0)
    axes.set_xlabel(figure.across)


def _draw_histogram(figure: Figure, axes: Axes) -> None:
    """Draw the share of each bin as steps."""
    for number, name in enumerate(_unique(mark.series for mark in figure.marks)):
        marks = [mark for mark in figure.marks if mark.series == name]
        lows = [float(mark.label) for mark in marks]
        width = lows[1] - lows[0] if len(lows) > 1 else 1.0
        values = [_scaled(mark.number)[0] for mark in marks]
        color = SERIES[number % len(SERIES)]
        axes.stairs(values, [*lows, lows[-1] + width], color=color, linewidth=2, label=name)
    axes.set_xlabel(figure.across)
    axes.set_ylabel(figure.axis)


def _draw_scatter(figure: Figure, axes: Axes) -> None:
    """Draw the two numbers of each mark as a point, with its label beside it."""
    y, low, high = np.asarray([_scaled(mark.number) for mark in figure.marks]).T
    x = np.asarray([_scaled(mark.across)[0] for mark in figure.marks])
    axes.vlines(x, low, high, color=SERIES[0], linewidth=1.5)
    _draw_dots(axes, list(figure.marks), x, y, SERIES[0], "")
    for mark, across, up in zip(figure.marks, x, y, strict=True):
        axes.annotate(mark.label, (across, up), (6, -3), textcoords="offset points")
    axes.margins(x=0.1)
    axes.set_xlabel(figure.across)
    axes.set_ylabel(figure.axis)


TALL = ("intervals", "bars", "grid")
"""The kinds of figures whose height grows with the number of their lines."""

KINDS: Mapping[str, Callable[[Figure, Axes], None]] = {
    "intervals": lambda figure, axes: _draw_lines(figure, axes, bars=False),
    "bars": lambda figure, axes: _draw_lines(figure, axes, bars=True),
    "grid": _draw_grid,
    "histogram": _draw_histogram,
    "scatter": _draw_scatter,
}
