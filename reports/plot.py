"""Figures for notebooks: matplotlib axes from estimates, comparisons and games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ethnos_sim.experiments.matches.batch import Batch
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import with_bounds
from ethnos_sim.reports.comparison.sides import Comparison
from ethnos_sim.reports.figures import check_drawn, draw, height_of, styled
from ethnos_sim.reports.numbers import LABELS
from ethnos_sim.reports.rendering.document import Figure, Mark
from ethnos_sim.reports.rendering.numbers import UNITS
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def intervals(
    found: pl.DataFrame | Comparison,
    *,
    label: str | None = None,
    sort: bool = True,
    axes: Axes | None = None,
) -> Axes:
    """Draw estimates with their 95 % intervals, one a line, the largest at the top.

    Args:
        found: a frame from `estimate` or a rating; or a comparison, whose differences are drawn.
        label: the column that labels the lines; unless given, the columns that tell them apart.
        sort: whether to sort the lines by value.
        axes: where to draw; a new figure unless given.

    Returns:
        The axes, in the unit of the estimates (shares and their differences as percentages).

    Raises:
        WrongInput: there is nothing to draw, or no such column.

    Example:
        >>> from ethnos_sim import estimate, play_batch, plot
        >>> batch = play_batch("second", "greedy,random", games=400, seed=1)
        >>> axes = plot.intervals(estimate(batch, "strategy_share"))
        >>> [text.get_text() for text in axes.get_yticklabels()]
        ['greedy', 'random']
    """
    if isinstance(found, Comparison):
        found = found.frame().rename({"difference": "value"})
    found = found.filter(pl.col("value").is_not_null())
    if found.is_empty():
        raise WrongInput("there is no estimate to draw")
    found = found.sort("value", descending=True) if sort else found
    has_unit = "unit" in found.columns
    unit = str(found["unit"][0]) if has_unit else "count"
    axis = UNITS[unit].words if has_unit else str(found["estimand"][0])
    labels = _labels(found, label)
    value, low, high = (found[name].cast(pl.Float64) for name in ("value", "low", "high"))
    rows = _estimates(value, low, high, unit)
    crossed = any((row.low or 0) < 0 < (row.high or 0) for row in rows)
    marks = tuple(map(Mark, labels, rows))
    figure = Figure("plot", "", "intervals", marks, axis, middle=0.0 if crossed else None)
    return _drawn(figure, axes)


def distribution(
    games: Batch | pl.DataFrame,
    column: str = "prestige",
    *,
    by: str | None = "strategy",
    axes: Axes | None = None,
) -> Axes:
    """Draw how often each whole number comes up, as shares of the rows of each group.

    Args:
        games: a batch, whose seats are counted, or a frame of games or seats.
        column: the column to count: prestige, parties, turns ...
        by: the column that makes the groups, one a line; None for all rows together.
        axes: where to draw; a new figure unless given.

    Returns:
        The axes: the values of the column across, percent of the group's rows up.

    Raises:
        WrongInput: there is no such column.

    Example:
        >>> from ethnos_sim import play_batch, plot
        >>> batch = play_batch("second", "greedy,random", games=400, seed=1)
        >>> len(plot.distribution(batch, "prestige").patches)
        2
    """
    rows = games.seats() if isinstance(games, Batch) else games
    for name in filter(None, (column, by)):
        if name not in rows.columns:
            raise WrongInput(f"there is no column '{name}'{nearest(name, rows.columns)}")
    marks: list[Mark] = []
    for group in [rows] if by is None else rows.partition_by(by, maintain_order=True):
        series = column if by is None else str(group[by][0])
        counts = dict(group[column].value_counts().iter_rows())
        bins = range(min(counts), max(counts) + 1)
        shares = pl.Series([counts.get(low, 0) / len(group) for low in bins])
        estimates = _estimates(shares, shares, shares, "share")
        marks += [
            Mark(str(number), share, series) for number, share in zip(bins, estimates, strict=True)
        ]
    axis = "% of rows" if by is None else f"% of each {by}'s rows"
    return _drawn(Figure("plot", "", "histogram", tuple(marks), axis, column), axes)


def _estimates(
    value: pl.Series, low: pl.Series, high: pl.Series, unit: str
) -> tuple[Estimate, ...]:
    """Numbers with their intervals as estimates."""
    bounds = (column.fill_null(float("nan")).to_numpy() for column in (value, low, high))
    return with_bounds(
        *bounds, unit=unit, games=0, name=[""] * len(value), estimand="", population=""
    ).estimates()


def _drawn(figure: Figure, axes: Axes | None) -> Axes:
    """Draw a figure into the axes given, or into a new figure, which notebooks show."""
    check_drawn()
    import matplotlib.pyplot as plt

    with styled():
        if axes is None:
            _, axes = plt.subplots(figsize=(6, height_of(figure)), layout="constrained")
        draw(figure, axes)
    return axes


def _labels(frame: pl.DataFrame, label: str | None) -> list[str]:
    """A label for each row: its name, and further labels until no two rows are alike."""
    if label is not None and label not in frame.columns:
        raise WrongInput(f"there is no column '{label}'{nearest(label, frame.columns)}")
    varied = [name for name in LABELS if name in frame.columns and frame[name].n_unique() > 1]
    named = [label or ("name" if "name" in frame.columns else frame.columns[0])]
    for name in [] if label else reversed(varied):
        if frame.select(named).is_duplicated().any() and name not in named:
            named.append(name)
    values = frame.select(named).rows()
    return [", ".join(str(part) for part in row if part not in (None, "")) for row in values]
