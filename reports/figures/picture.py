"""A picture of one or several charts: the room of their labels, their ticks, their legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ethnos_sim.reports.figures.chart import Chart, Point, Scale, Side
from ethnos_sim.reports.figures.shapes import (
    SAMPLE,
    SIZE,
    path,
    sample,
    short,
    width_of,
    written,
)
from ethnos_sim.reports.figures.style import FAINT, INK
from ethnos_sim.reports.rendering.numbers import MINUS

WIDTH = 324.0
"""Points of every picture; text of 9 points can then be read at the width of a phone."""

INCH = 72.0
"""Points."""

EDGE = 3.0
"""Points around all that is drawn."""

TICK = 3.5
"""Points: the length of a tick, and its distance from what it says."""

LINE = 13.0
"""Points from one line of text to the next."""

APART_ACROSS, APART_UP = 3 * SIZE, 2 * SIZE
"""Points between numbers, at least."""

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Distances of ticks, times a power of ten."""

MOST_STEPS = 9
"""Between the ticks of a scale."""

THIN = 0.8
"""Points of width of scales and ticks."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a picture that a chart's scales span, in points from the upper left corner."""

    left: float
    top: float
    right: float
    foot: float


def svg(chart: Chart, inches: float) -> str:
    """A picture of one chart, as high as given with all its labels."""
    return side_by_side([chart], inches, [1.0])


def side_by_side(charts: Sequence[Chart], inches: float, parts: Sequence[float]) -> str:
    """Charts from the left, whose scales share the room in these parts."""
    height = INCH * inches
    around = [_around(chart, height) for chart in charts]
    room = WIDTH - sum(each.left + each.right for each in around)
    widths = [room * part / sum(parts) for part in parts]
    top, foot = max(each.top for each in around), max(each.foot for each in around)
    taken = [each.left + width + each.right for each, width in zip(around, widths, strict=True)]
    starts = accumulate(taken[:-1], initial=0.0)
    frames = [
        Frame(start + each.left, top, start + each.left + width, height - foot)
        for start, each, width in zip(starts, around, widths, strict=True)
    ]
    return _picture(charts, frames, height)


def stacked(charts: Sequence[Chart], inches: float) -> str:
    """Charts below each other that share the horizontal scale; the last says its numbers."""
    reach = [number for chart in charts for number in chart.across.seen]
    for chart in charts:
        chart.across.seen = reach
    height = INCH * inches
    around = [_around(chart, height / len(charts)) for chart in charts]
    left, right = max(each.left for each in around), max(each.right for each in around)
    room = (height - sum(each.top + each.foot for each in around)) / len(charts)
    taken = [each.top + room + each.foot for each in around]
    frames = [
        Frame(left, start + each.top, WIDTH - right, start + each.top + room)
        for start, each in zip(accumulate(taken[:-1], initial=0.0), around, strict=True)
    ]
    return _picture(charts, frames, height)


def ticks(reach: Point, points: float) -> list[tuple[float, str]]:
    """Round numbers along a scale, at most as many as its length in points has room for.

    Returns:
        Numbers from the lower end to the upper, and how each is written.
    """
    low, high = sorted(reach)
    least = (high - low) / min(max(points, 1.0), MOST_STEPS)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(each * power for each in STEPS if each * power >= least * (1 - 1e-9))
    decimals = next(
        (places for places in range(12) if abs(round(step, places) - step) < step / 1e6), 12
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [
        (step * number, f"{step * number:.{decimals}f}".replace("-", MINUS))
        for number in range(first, last + 1)
    ]


def _picture(charts: Sequence[Chart], frames: Sequence[Frame], height: float) -> str:
    """The element around all charts."""
    inside = "".join(_drawn(chart, frame) for chart, frame in zip(charts, frames, strict=True))
    size = f'font-size="{short(SIZE)}" fill="{INK}"'
    return f'<svg viewBox="0 0 {short(WIDTH)} {short(height)}" {size}>{inside}</svg>'


def _drawn(chart: Chart, frame: Frame) -> str:
    """One chart: lines of its grid, what is drawn, its scales and its legend."""
    across = Scale(chart.across.reach(), (frame.left, frame.right))
    up = Scale(chart.up.reach(), (frame.foot, frame.top))
    told_across = _numbers(chart.across, across, APART_ACROSS)
    told_up = _numbers(chart.up, up, APART_UP)
    lines = [
        path([(across(at), frame.foot), (across(at), frame.top)], stroke=chart.across.grid)
        for at, _ in told_across
        if chart.across.grid
    ]
    lines += [
        path([(frame.left, up(at)), (frame.right, up(at))], stroke=chart.up.grid)
        for at, _ in told_up
        if chart.up.grid
    ]
    parts = [part(across, up) for part in chart.parts]
    sides = [_foot(chart.across, across, told_across, frame), _left(chart.up, up, told_up, frame)]
    sides += [
        written(frame.right + TICK, up(at), text, size=chart.up.size)
        for at, text in chart.up.opposite
    ]
    sides += [_above(chart.across, across(at), text, frame) for at, text in chart.across.opposite]
    return "".join([*lines, *parts, *sides, _legend(chart, frame)])


def _numbers(side: Side, scale: Scale, apart: float) -> list[tuple[float, str]]:
    """What stands along a scale: its names, or numbers that are so many points apart at least."""
    if side.names is not None:
        return list(side.names)
    found = ticks(scale.numbers, abs(scale.points[1] - scale.points[0]) / apart)
    return [(at, f"{text}{side.unit}") for at, text in found]


def _foot(side: Side, scale: Scale, told: Sequence[tuple[float, str]], frame: Frame) -> str:
    """The horizontal scale below a chart."""
    parts = []
    tick = TICK if side.names is None else 0.0
    if side.names is None:
        parts.append(_line((frame.left, frame.foot), (frame.right, frame.foot), FAINT))
    for at, text in told:
        x = scale(at)
        if tick:
            parts.append(_line((x, frame.foot), (x, frame.foot + tick)))
        y = frame.foot + tick + TICK + 0.45 * SIZE
        parts.append(written(x, y, text, "middle", side.size))
    if side.label:
        half = width_of(side.label) / 2
        middle = max(min((frame.left + frame.right) / 2, WIDTH - EDGE - half), EDGE + half)
        y = frame.foot + (tick + TICK + LINE if told else TICK) + 0.45 * SIZE
        parts.append(written(middle, y, side.label, "middle"))
    return "".join(parts)


def _left(side: Side, scale: Scale, told: Sequence[tuple[float, str]], frame: Frame) -> str:
    """The vertical scale to the left of a chart."""
    parts = []
    tick = TICK if side.names is None else 0.0
    if side.names is None:
        parts.append(_line((frame.left, frame.foot), (frame.left, frame.top), FAINT))
    for at, text in told:
        y = scale(at)
        if tick:
            parts.append(_line((frame.left - tick, y), (frame.left, y)))
        parts.append(written(frame.left - tick - TICK, y, text, "end", side.size))
    if side.label:
        middle = (frame.top + frame.foot) / 2
        parts.append(written(EDGE + SIZE / 2, middle, side.label, "middle", turned=True))
    return "".join(parts)


def _line(start: Point, end: Point, color: str = INK) -> str:
    """A tick, or a line of a scale."""
    return path([start, end], stroke=color, stroke_width=THIN)


def _above(side: Side, x: float, text: str, frame: Frame) -> str:
    """A name above a chart, upright or not."""
    if side.upright:
        return written(x, frame.top - TICK, text, size=side.size, turned=True)
    return written(x, frame.top - TICK - SIZE / 2, text, "middle", side.size)


def _around(chart: Chart, height: float) -> Frame:
    """How many points the labels of a chart of this height take on each side."""
    across, up = chart.across, chart.up
    foot = EDGE + (LINE if across.label else 0.0)
    foot += 2 * TICK + SIZE if across.names is None else (TICK + SIZE if across.names else 0.0)
    above = [width_of(text, across.size) if across.upright else SIZE for _, text in across.opposite]
    top = EDGE + (max(above) + TICK if above else SIZE / 2)
    top += LINE * math.ceil(len(chart.legend) / chart.columns)
    told = _numbers(up, Scale(up.reach(), (height - foot, top)), APART_UP)
    left = EDGE + max((width_of(text, up.size) for _, text in told), default=0.0) + TICK
    left += (TICK if up.names is None else 0.0) + (LINE if up.label else 0.0)
    right = EDGE + max((width_of(text, up.size) + TICK for _, text in up.opposite), default=SIZE)
    return Frame(left, top, right, foot)


def _legend(chart: Chart, frame: Frame) -> str:
    """What a chart's marks mean, in columns above it, from the left as far as they fit."""
    if not chart.legend:
        return ""
    columns = [chart.legend[place :: chart.columns] for place in range(chart.columns)]
    widths = [
        SAMPLE + 5 + max(width_of(label) for label, *_ in column) + 8
        for column in columns
        if column
    ]
    start = (frame.left + frame.right - sum(widths)) / 2
    start = max(min(start, WIDTH - EDGE - sum(widths)), EDGE)
    parts = []
    for column, left in zip(columns, accumulate(widths[:-1], initial=start), strict=False):
        for line, (label, *look) in enumerate(column):
            y = EDGE + SIZE / 2 + LINE * line
            parts += [sample(left, y, *look), written(left + SAMPLE + 5, y, label)]
    return "".join(parts)
