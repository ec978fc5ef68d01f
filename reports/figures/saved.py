"""The figures of a page as files for slides: the same marks, drawn by seaborn, as SVG and PNG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ethnos_sim.reports.figures.style import FAINT, GRID, SERIES, STYLE, as_files, heatmap
from ethnos_sim.reports.rendering.document import Figure, Mark
from ethnos_sim.reports.rendering.numbers import UNITS
from ethnos_sim.reports.rendering.table import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    """Each text once, in order."""
    return list(dict.fromkeys(texts))


def _shown(row: Row | None) -> tuple[float, float, float]:
    """A number and the ends of its interval, as they are read; not a number where there is none."""
    estimate = row.estimate if row else None
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
        value, low, high = np.asarray([_shown(mark.row) for mark in marks]).T
        at = np.asarray([labels.index(mark.label) for mark in marks], np.float64)
        at += APART * (number - (len(series) - 1) / 2)
        color = SERIES[number % len(SERIES)]
        if bars:
            axes.barh(at, value, 0.9 * APART, color=color, label=name)
        axes.hlines(at, low, high, color=FAINT if bars else color, linewidth=1.5)
        if not bars:
            _dots(axes, marks, value, at, color, name)
    if figure.middle is not None:
        unit = figure.marks[0].row.estimate
        factor = UNITS[unit.unit].factor if unit else 1.0
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

    labels = _unique(mark.label for mark in figure.marks)
    series = _unique(mark.series for mark in figure.marks)
    frame = pandas.DataFrame(np.nan, index=labels, columns=series)
    for mark in figure.marks:
        frame.loc[mark.label, mark.series] = _shown(mark.row)[0]
    most = float(np.nanmax(np.abs(frame.to_numpy())))
    heatmap(frame, axes, middle=0.0, reach=most, fmt="+.1f", cbar_kws={"label": figure.axis})


def _histogram(figure: Figure, axes: Axes) -> None:
    """How often each bin comes up, as steps."""
    for number, name in enumerate(_unique(mark.series for mark in figure.marks)):
        marks = [mark for mark in figure.marks if mark.series == name]
        lows = [float(mark.label) for mark in marks]
        width = lows[1] - lows[0] if len(lows) > 1 else 1.0
        values = [_shown(mark.row)[0] for mark in marks]
        color = SERIES[number % len(SERIES)]
        axes.stairs(values, [*lows, lows[-1] + width], color=color, linewidth=2, label=name)
    axes.set_xlabel(figure.across)
    axes.set_ylabel(figure.axis)


def _scatter(figure: Figure, axes: Axes) -> None:
    """Two numbers of each label, the label beside them."""
    y, low, high = np.asarray([_shown(mark.row) for mark in figure.marks]).T
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
