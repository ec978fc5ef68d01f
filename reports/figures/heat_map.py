"""A heat map of estimates: blue above a middle, orange below, and the numbers in the cells.

What is significant is set in bold and framed; what is not is pale and plain, so that the difference
can be seen without colors.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.figures.drawing import (
    GRID,
    INK,
    WIDTH,
    diverging,
    drawing,
    svg,
    tell_area,
    told,
)
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import MINUS, UNITS, decimals_for, with_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIGNIFICANT = ("not significant", "significant")

Grid = Sequence[Sequence[Estimate | None]]

ROW = 0.27
"""Inches of height a row."""

LETTER = 0.075
"""Inches of width of a letter of 9 points, or of height of one that stands upright."""

DIGITS = 3
"""The most digits of a number with a fraction; more of them stand in the alt text."""

FAINTLY = 0.35
"""The part of its color that a cell keeps while it is not significant."""


def heat_map(
    key: str,
    caption: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Grid,
    unit: str,
    *,
    center: float = 0.0,
    reach: float | Sequence[float] | None = None,
    significant: Sequence[Sequence[bool]] | None = None,
    about: str = "",
    joint: str = ", ",
) -> Figure:
    """A heat map with a number in each cell; a cell without an estimate stays empty.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        rows: what each row is called, from the top.
        columns: what each column is called, from the left.
        values: an estimate a cell, shape (rows, columns).
        unit: key of `numbers.UNITS` for all estimates, or "" where they have their own by column;
            then the columns' names should say which.
        center: the value without color, in the estimates' own scale.
        reach: how far from the center the color is full, for all or a column each; the largest
            distance that is found unless given.
        significant: which cells are, shape (rows, columns); where the interval leaves out the
            center unless given.
        about: what the numbers are, for the text that stands in for the figure.
        joint: what joins the names of a row and a column.

    Raises:
        ValueError: `values` or `significant` have another shape, or an estimate has another unit.
    """
    shape = len(rows), len(columns)
    certain = _sure(values, center) if significant is None else significant
    for grid in (values, certain):
        if len(grid) != shape[0] or any(len(line) != shape[1] for line in grid):
            raise ValueError(f"the heat map '{key}' needs {shape[0]} rows of {shape[1]} cells")
    if unit and any(e is not None and e.unit != unit for line in values for e in line):
        raise ValueError(f"the heat map '{key}' has estimates that are no {unit}")
    texts = _texts(values)
    wide = max(map(len, columns)) > (WIDTH - LETTER * max(map(len, rows))) / len(columns) / LETTER
    height = ROW * shape[0] + 0.2 + (LETTER * max(map(len, columns)) if wide else 0.2)
    size = _font_size(texts, WIDTH - LETTER * max(map(len, rows)), shape[1])
    with drawing(key, height) as (figure, axes):
        depths = _depths(values, center, reach) * np.where(certain, 1.0, FAINTLY)
        _paint(axes, depths)
        for place in product(range(shape[0]), range(shape[1])):
            row, column = place
            estimate = values[row][column]
            if estimate is None or estimate.value is None:
                continue
            certainly = bool(certain[row][column])
            _write(axes, place, texts[row][column], depths[place], certainly, size)
            words = told(f"{rows[row]}{joint}{columns[column]}", estimate, SIGNIFICANT[certainly])
            tell_area(axes, (column, row), (1, 1), words)
        axes.set_xticks(np.arange(shape[1]) + 0.5, columns, rotation=90 if wide else 0)
        axes.set_yticks(np.arange(shape[0]) + 0.5, rows, rotation=0)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.set_xlabel("")
        axes.set_ylabel("")
        alt = _alt(rows, columns, values, certain, about, joint)
        return Figure(key, caption, alt, svg(figure))


def _sure(values: Grid, center: float) -> list[list[bool]]:
    """Whether each cell's interval leaves out the center."""
    return [
        [
            e is not None and e.low is not None and e.high is not None
            and not e.low <= center <= e.high
            for e in line
        ]
        for line in values
    ]  # fmt: skip


def _depths(values: Grid, center: float, reach: float | Sequence[float] | None) -> np.ndarray:
    """Each cell's color: -1 is all orange, 0 white, 1 all blue; NaN without a value."""
    away = np.asarray(
        [[np.nan if e is None or e.value is None else e.value - center for e in v] for v in values]
    )
    far = np.nanmax(np.abs(away), initial=0.0) if reach is None else np.asarray(reach, float)
    return np.clip(away / np.where(far > 0, far, 1.0), -1, 1)


def _texts(values: Grid) -> list[list[str]]:
    """The numbers as short as they may be: no plus, no unit, no zero before the point."""
    columns = list(zip(*values, strict=True))
    places = [decimals_for([e for e in column if e is not None]) for column in columns]
    return [[_short(e, place) for e, place in zip(line, places, strict=True)] for line in values]


def _font_size(texts: list[list[str]], inches: float, columns: int) -> float:
    """Points in which the longest number, set in bold, stays inside its cell; 9 at most."""
    longest = max((len(text) for line in texts for text in line), default=0)
    return float(np.clip(72 * inches / columns / (0.72 * max(longest, 1)), 6.5, 9))


def _short(estimate: Estimate | None, decimals: int) -> str:
    """One number for a cell: ".12", "−1.3", "" without a value."""
    if estimate is None or estimate.value is None:
        return ""
    value = estimate.value * UNITS[estimate.unit].factor
    whole = len(f"{abs(value):.0f}") if abs(value) >= 1 else 0
    text = f"{value:.{max(0, min(decimals, DIGITS - whole))}f}"
    if float(text) == 0:
        return "0"
    if abs(float(text)) < 1:
        text = text.replace("0.", ".", 1)
    return text.replace("-", MINUS)


def _paint(axes: Axes, depths: np.ndarray) -> None:
    """The colors of all cells."""
    import seaborn

    with warnings.catch_warnings():
        # seaborn 0.13 copies a color map in a way that matplotlib will give up some day.
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        seaborn.heatmap(
            depths,
            ax=axes,
            mask=np.isnan(depths),
            cmap=diverging(),
            vmin=-1,
            vmax=1,
            cbar=False,
            linewidths=0.6,
            linecolor=GRID,
        )


def _write(
    axes: Axes, place: tuple[int, int], text: str, depth: float, certainly: bool, size: float
) -> None:
    """A cell's number in what can be read on its color, bold and framed where it is significant."""
    from matplotlib.patches import Rectangle

    row, column = place
    axes.text(
        column + 0.5,
        row + 0.5,
        text,
        ha="center",
        va="center",
        fontsize=size,
        color=_readable(depth),
        weight="bold" if certainly else "normal",
    )
    if certainly:
        corner = column + 0.03, row + 0.05
        axes.add_patch(Rectangle(corner, 0.94, 0.9, fill=False, edgecolor=INK, linewidth=0.9))


def _readable(depth: float) -> str:
    """Ink or white, whichever stands out more from a depth of color (WCAG 2 contrast)."""
    from matplotlib.colors import to_rgb

    def light(color: str | tuple[float, float, float, float]) -> float:
        parts = np.asarray(to_rgb(color), np.float64)
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05

    ground = light(diverging()((depth + 1) / 2))
    return INK if ground / light(INK) > light("white") / ground else "white"


def _alt(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Grid,
    certain: Sequence[Sequence[bool]],
    about: str,
    joint: str,
) -> str:
    """The figure in words and numbers, with a mark at what is significant."""
    parts = [
        f"{name}{joint}{over} {with_interval(estimate)}{' (significant)' if sure else ''}"
        for name, line, sures in zip(rows, values, certain, strict=True)
        for over, estimate, sure in zip(columns, line, sures, strict=True)
        if estimate is not None
    ]
    return f"{about or 'Heat map'}: {'; '.join(parts)}."
