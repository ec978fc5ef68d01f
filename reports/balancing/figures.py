"""The figures of a search: the front, what each value does, clan power before and after."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.reports.figures.drawing import FAINT, GRID, SERIES, drawing, svg, tell, told
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
    with drawing("front", 2.8) as (figure, axes):
        for row, estimate in known:
            factor = UNITS[estimate.unit].factor
            place = [float(row["cost"])]
            assert estimate.low is not None, "every finalist has an interval"
            assert estimate.high is not None, "every finalist has an interval"
            assert estimate.value is not None, "every finalist has a value"
            axes.vlines(
                place, factor * estimate.low, factor * estimate.high, color=SERIES[0], linewidth=2
            )
            point = axes.scatter(place, [factor * estimate.value], s=28, color=SERIES[0], zorder=3)
            tell(point, told(str(row["rules"]), estimate))
        start = known[0][1]
        axes.axhline(
            UNITS[start.unit].factor * (start.value or 0.0), color=FAINT, linewidth=0.8, zorder=0
        )
        axes.set_ylim(bottom=0)
        axes.set_xlabel("distance: steps away from the rules as they stand, at their cost")
        axes.set_ylabel(axis)
        parts = [f"{row['rules']}: {with_interval(estimate)}" for row, estimate in known]
        alt = f"{axis} by distance. {'; '.join(parts)}."
        caption = "Each point is a rule set on fresh deals; the line is the rules as they stand."
        return Figure("front", caption, alt, svg(figure))


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
    with drawing(key, ROW * len(lines) + 0.9) as (figure, axes):
        axes.axvline(0, color=GRID, linewidth=1)
        parts = []
        for number, (name, rows) in enumerate(series.items()):
            shift = 0.16 * (2 * number - len(series) + 1)
            for row in rows:
                estimate = row.estimate
                if estimate is None or estimate.value is None:
                    continue
                factor = UNITS[estimate.unit].factor
                at = lines.index(str(row[label])) + shift
                if estimate.low is not None and estimate.high is not None:
                    axes.hlines(
                        at,
                        factor * estimate.low,
                        factor * estimate.high,
                        color=colors[number],
                        linewidth=2,
                    )
                point = axes.scatter(
                    [factor * estimate.value],
                    [at],
                    s=22,
                    marker="o" if number else "s",
                    color=colors[number],
                    zorder=3,
                )
                tell(point, told(f"{row[label]}, {name}", estimate))
                parts.append(f"{row[label]}, {name}: {with_interval(estimate)}")
            if len(series) > 1:
                axes.scatter([], [], s=22, color=colors[number], label=name)
        if len(series) > 1:
            axes.legend(
                loc="lower center",
                bbox_to_anchor=(0.4, 1),
                ncols=len(series),
                frameon=False,
                fontsize=8,
            )
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.set_yticks(range(len(lines)), lines)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(axis)
        return Figure(key, caption, f"{axis}: {'; '.join(parts)}.", svg(figure))
