"""Figures for notebooks: matplotlib axes from estimates, comparisons and games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ethnos_sim.experiments.matches.batch import Batch
from ethnos_sim.reports.comparison.sides import Comparison
from ethnos_sim.reports.figures import FAINT, GRID, SERIES
from ethnos_sim.reports.numbers import LABELS
from ethnos_sim.reports.rendering.numbers import UNITS
from ethnos_sim.simulator.errors import WrongInput, nearest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.3
"""Inches of height an estimate."""


def intervals(
    found: pl.DataFrame | Comparison,
    *,
    label: str | None = None,
    sort: bool = True,
    axes: Axes | None = None,
) -> Axes:
    """Estimates with their 95 % intervals, a row each, from the smallest at the foot.

    Args:
        found: a frame from `estimate` or of a rating, or a comparison, of which the differences
            are drawn.
        label: the column that tells the rows apart; all labels that differ unless given.
        sort: whether to put the rows in order; otherwise they stay as they come, from the top.
        axes: where to draw; a figure of its own unless given.

    Returns:
        The axes, in the unit of the estimates (shares and their differences as percentages).

    Raises:
        WrongInput: there is nothing to draw, or no such column.

    Example:
        >>> from ethnos_sim import estimate, play_batch, plot
        >>> batch = play_batch("second", "greedy,random", games=400, seed=1)
        >>> axes = plot.intervals(estimate(batch, "strategy_share"))
        >>> [text.get_text() for text in axes.get_yticklabels()]
        ['random', 'greedy']
    """
    if isinstance(found, Comparison):
        found = found.frame().rename({"difference": "value"})
    found = found.filter(pl.col("value").is_not_null())
    if found.is_empty():
        raise WrongInput("there is no estimate to draw")
    found = found.sort("value") if sort else found.reverse()
    factor, words = 1.0, str(found["estimand"][0])
    if "unit" in found.columns:
        factor, words = UNITS[found["unit"][0]].factor, UNITS[found["unit"][0]].words
    value, low, high = (
        factor * found[name].cast(pl.Float64).to_numpy() for name in ("value", "low", "high")
    )
    rows = np.arange(len(found))
    axes = axes or _new_axes(height=ROW * len(found) + 0.8)
    axes.hlines(rows, low, high, color=SERIES[0], linewidth=1.5)
    axes.plot(value, rows, "o", color=SERIES[0], markersize=5)
    if low.min() < 0 < high.max():
        axes.axvline(0, color=FAINT, linewidth=0.8, zorder=0)
    axes.set_yticks(rows, _labels(found, label))
    axes.set_xlabel(words)
    axes.grid(axis="x", color=GRID)
    return axes


def distribution(
    games: Batch | pl.DataFrame,
    column: str = "prestige",
    *,
    by: str | None = "strategy",
    axes: Axes | None = None,
) -> Axes:
    """How often each whole number comes up, as shares of the rows of each group.

    Args:
        games: a batch, of which the seats are counted, or a frame of games or seats.
        column: what is counted: prestige, parties, turns ...
        by: the column that makes the groups, a line each; None for all rows together.
        axes: where to draw; a figure of its own unless given.

    Returns:
        The axes: the values of the column across, percent of the group's rows up.

    Raises:
        WrongInput: there is no such column.

    Example:
        >>> from ethnos_sim import play_batch, plot
        >>> batch = play_batch("second", "greedy,random", games=400, seed=1)
        >>> len(plot.distribution(batch, "prestige").lines)
        2
    """
    rows = games.seats() if isinstance(games, Batch) else games
    for name in filter(None, (column, by)):
        if name not in rows.columns:
            raise WrongInput(f"there is no column '{name}'{nearest(name, rows.columns)}")
    axes = axes or _new_axes(height=3.2)
    groups = [rows] if by is None else rows.partition_by(by, maintain_order=True)
    for number, group in enumerate(groups):
        counts = group.group_by(column).len().sort(column)
        share = 100 * counts["len"] / len(group)
        axes.step(counts[column], share, where="mid", color=SERIES[number % len(SERIES)])
        axes.lines[-1].set_label(column if by is None else str(group[by][0]))
    axes.set_xlabel(column)
    axes.set_ylabel("% of rows" if by is None else f"% of each {by}'s rows")
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID)
    if by is not None:
        axes.legend(frameon=False)
    return axes


def _new_axes(height: float) -> Axes:
    """Axes on a figure of their own, which notebooks show by themselves."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(6, height), layout="constrained")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    return axes


def _labels(found: pl.DataFrame, label: str | None) -> list[str]:
    """What each row is about: the name, and as much more as tells rows apart."""
    if label is not None and label not in found.columns:
        raise WrongInput(f"there is no column '{label}'{nearest(label, found.columns)}")
    varied = [name for name in LABELS if name in found.columns and found[name].n_unique() > 1]
    named = [label or ("name" if "name" in found.columns else found.columns[0])]
    for name in [] if label else reversed(varied):
        if found.select(named).is_duplicated().any() and name not in named:
            named.append(name)
    rows = found.select(named).rows()
    return [", ".join(str(part) for part in row if part not in (None, "")) for row in rows]
