"""The figures of a search: the front, what each value does, clan power before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.reports.rendering.document import Figure, Mark
from ethnos_sim.reports.rendering.table import Row


def front_figure(rows: Sequence[Row], axis: str) -> Figure:
    """Imbalance of every finalist.

    Args:
        rows: the finalists in the order of their distance, with labels `cost` and `rules`; the
            baseline first.
        axis: what imbalance is called.
    """
    known = [row for row in rows if row.estimate is not None]
    marks = tuple(Mark(f"{row['rules']} (distance {row['cost']:g})", row) for row in known)
    start = known[0].estimate
    note = "Each line is a rule set on fresh deals; the middle one is the baseline."
    level = start.value if start else None
    return Figure("front", "The finalists", "intervals", marks, axis, note=note, middle=level)


def lines_figure(
    key: str, title: str, axis: str, series: Mapping[str, Sequence[Row]], label: str
) -> Figure:
    """Numbers with their intervals, a line each, in one or more series side by side.

    Args:
        key: unique on the page.
        title: what it shows.
        axis: what the numbers are.
        series: rows by what they have in common, all with the same lines.
        label: the rows' label that names a line.
    """
    marks = tuple(
        Mark(str(row[label]), row, name if len(series) > 1 else "")
        for name, rows in series.items()
        for row in rows
        if row.estimate is not None and row.estimate.value is not None
    )
    return Figure(key, title, "intervals", marks, axis, middle=0.0)
