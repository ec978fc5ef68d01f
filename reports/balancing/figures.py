"""The figures of a search: the front, what each value does, clan power before and after."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import svg
from ethnos_sim.reports.figures.style import FAINT, GRID, SERIES, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import UNITS, with_interval
from ethnos_sim.reports.rendering.table import Row

ROW = 0.24
"""Inches of height a line."""


def front_figure(rows: Sequence[Row], axis: str) -> Figure:
    """Imbalance against distance.

    Args:
        rows: the finalists in the order of their distance, with labels `cost` and `rules`; the
            rules as they stand first.
        axis: what imbalance is called.
    """
    known = [(row, row.estimate) for row in rows if row.estimate is not None]
    chart = Chart(
        Side("distance: steps away from the rules as they stand, at their cost"), Side(axis)
    )
    start = known[0][1]
    level = UNITS[start.unit].factor * (start.value or 0.0)
    chart.line([(-inf, level), (inf, level)], FAINT, 0.8)
    for row, estimate in known:
        factor = UNITS[estimate.unit].factor
        assert estimate.low is not None, "every finalist has an interval"
        assert estimate.high is not None, "every finalist has an interval"
        assert estimate.value is not None, "every finalist has a value"
        cost = float(row["cost"])
        with chart.telling(told(str(row["rules"]), estimate)):
            ends = [(cost, factor * estimate.low), (cost, factor * estimate.high)]
            chart.line(ends, SERIES[0], 2)
            chart.mark((cost, factor * estimate.value), SERIES[0])
    chart.up.limits = 0, 1.05 * max(chart.up.seen)
    parts = [f"{row['rules']}: {with_interval(estimate)}" for row, estimate in known]
    alt = f"{axis} by distance. {'; '.join(parts)}."
    caption = "Each point is a rule set on fresh deals; the line is the rules as they stand."
    return Figure("front", caption, alt, svg(chart, 2.8))


def lines_figure(
    key: str, caption: str, axis: str, series: dict[str, Sequence[Row]], label: str
) -> Figure:
    """Numbers with their intervals, a line each, in one or more series side by side.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        axis: what the numbers are.
        series: rows by what they have in common, all with the same lines.
        label: the rows' label that names a line.
    """
    lines = list(dict.fromkeys(str(row[label]) for rows in series.values() for row in rows))
    colors = (FAINT, *SERIES) if len(series) > 1 else SERIES
    chart = Chart(Side(axis), Side(limits=(len(lines) - 0.4, -0.6), names=list(enumerate(lines))))
    chart.line([(0, -inf), (0, inf)], GRID)
    parts = []
    for number, (name, rows) in enumerate(series.items()):
        shift = 0.16 * (2 * number - len(series) + 1)
        color, mark = colors[number], "o" if number else "s"
        if len(series) > 1:
            chart.explain(name, mark, color)
        for row in rows:
            estimate = row.estimate
            if estimate is None or estimate.value is None:
                continue
            factor = UNITS[estimate.unit].factor
            at = lines.index(str(row[label])) + shift
            with chart.telling(told(f"{row[label]}, {name}", estimate)):
                if estimate.low is not None and estimate.high is not None:
                    ends = [(factor * estimate.low, at), (factor * estimate.high, at)]
                    chart.line(ends, color, 2)
                chart.mark((factor * estimate.value, at), color, mark, 4.7)
            parts.append(f"{row[label]}, {name}: {with_interval(estimate)}")
    drawn = svg(chart, ROW * len(lines) + 0.9)
    return Figure(key, caption, f"{axis}: {'; '.join(parts)}.", drawn)
