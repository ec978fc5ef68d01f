"""A heat map of estimates: blue above a middle, orange below, and the numbers in the cells.

What is significant is set in bold and framed; what is not is pale and plain, so that the difference
can be seen without colors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import INCH, WIDTH, svg
from ethnos_sim.reports.figures.shapes import BOLD, SIZE, width_of
from ethnos_sim.reports.figures.style import DIVERGING, GRID, INK, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import MINUS, UNITS, decimals_for, with_interval

SIGNIFICANT = ("not significant", "significant")

Grid = Sequence[Sequence[Estimate | None]]

ROW = 0.27
"""Inches of height a row."""

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
    cell = (WIDTH - max(map(width_of, rows)) - SIZE) / shape[1]
    longest = max(map(width_of, columns))
    wide = longest > cell
    height = ROW * shape[0] + 0.1 + (longest if wide else SIZE) / INCH
    size = _font_size(texts, cell)
    chart = Chart(
        Side(
            limits=(0, shape[1]),
            names=(),
            opposite=[(column + 0.5, name) for column, name in enumerate(columns)],
            upright=wide,
        ),
        Side(limits=(shape[0], 0), names=[(row + 0.5, name) for row, name in enumerate(rows)]),
    )
    depths = _depths(values, center, reach) * np.where(certain, 1.0, FAINTLY)
    for row, column in product(range(shape[0]), range(shape[1])):
        estimate = values[row][column]
        if estimate is None or estimate.value is None:
            continue
        certainly, color = bool(certain[row][column]), _color(float(depths[row, column]))
        words = told(f"{rows[row]}{joint}{columns[column]}", estimate, SIGNIFICANT[certainly])
        with chart.telling(words):
            chart.box((column, column + 1), (row, row + 1), color, GRID, 0.6)
            if certainly:
                frame = (column + 0.03, column + 0.97), (row + 0.05, row + 0.95)
                chart.box(*frame, edge=INK, width=0.9)
            middle, ink = (column + 0.5, row + 0.5), _readable(color)
            chart.write(middle, texts[row][column], "middle", size, ink, certainly)
    alt = _alt(rows, columns, values, certain, about, joint)
    return Figure(key, caption, alt, svg(chart, height))


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


def _font_size(texts: list[list[str]], cell: float) -> float:
    """Points in which the longest number, set in bold, stays inside its cell; 9 at most."""
    longest = max((width_of(text, 1.0) for line in texts for text in line), default=0.0)
    return float(np.clip(0.95 * cell / (BOLD * max(longest, 0.5)), 6.5, SIZE))


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


def _color(depth: float) -> str:
    """The color of a depth, between the nearest two of the palette."""
    place = (depth + 1) / 2 * (len(DIVERGING) - 1)
    below = min(int(place), len(DIVERGING) - 2)
    low, high = _parts(DIVERGING[below]), _parts(DIVERGING[below + 1])
    mixed = low + (place - below) * (high - low)
    return "#" + "".join(f"{round(float(part)):02x}" for part in mixed)


def _readable(color: str) -> str:
    """Ink or white, whichever stands out more from a color (WCAG 2 contrast)."""
    ground = _light(color)
    return INK if ground / _light(INK) > _light("#ffffff") / ground else "#ffffff"


def _light(color: str) -> float:
    """How light a color is, from 0.05 to 1.05 (WCAG 2)."""
    parts = _parts(color) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05


def _parts(color: str) -> np.ndarray:
    """Red, green and blue of a color such as "#1f2933", from 0 to 255."""
    return np.asarray([int(color[at : at + 2], 16) for at in (1, 3, 5)], float)


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
