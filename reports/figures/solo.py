"""Figures of the solo part: win rates, both totals, and the margin between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import IntArray
from ethnos_sim.reports.estimators.solo import quantiles
from ethnos_sim.reports.figures.drawing import (
    FAINT,
    GRID,
    INK,
    SERIES,
    drawing,
    drawings,
    svg,
    tell,
    told,
)
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import MINUS, number, whole, with_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.27
"""Inches of height a strategy."""

BAR = 5
"""Points of prestige that stand together in one bar of a histogram."""

MARKS = ("o", "s", "D")
"""Marks of the difficulties, from easy to hard."""

ValueCounts = tuple[IntArray, IntArray]
"""Values, rising, and in how many games each came up."""


def win_rate_figure(
    key: str, caption: str, rates: Mapping[str, Mapping[str, Estimate]], modes: Mapping[str, str]
) -> Figure:
    """A row a strategy with a mark for each difficulty.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        rates: win rates by strategy, in the order in which they are drawn, and difficulty.
        modes: what each difficulty is called, from easy to hard.
    """
    with drawing(key, ROW * len(rates) + 0.95) as (figure, axes):
        axes.axvline(50, color=GRID, linewidth=1.5)
        for place, (mode, label) in enumerate(modes.items()):
            points = [
                (row, s, e) for row, (s, by) in enumerate(rates.items()) if (e := by.get(mode))
            ]
            for row, strategy, estimate in points:
                if estimate.low is not None and estimate.high is not None:
                    ends = (100 * estimate.low, 100 * estimate.high)
                    axes.hlines(row, *ends, color=SERIES[place], linewidth=2)
                point = axes.scatter(
                    [100 * (estimate.value or 0.0)],
                    [row],
                    marker=MARKS[place],
                    s=34,
                    color=SERIES[place],
                    edgecolor="white",
                    linewidth=0.6,
                    label=label if row == points[0][0] else None,
                    zorder=3,
                )
                tell(point, told(f"{strategy}, {label}", estimate))
        axes.set_ylim(len(rates) - 0.4, -0.6)
        axes.set_yticks(range(len(rates)), list(rates))
        axes.set_xlim(-2, 102)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="y", color=GRID, linewidth=0.6)
        axes.set_xlabel("games won against Bruno, %")
        axes.legend(
            loc="lower center",
            bbox_to_anchor=(0.4, 1),
            ncols=len(modes),
            frameon=False,
            handletextpad=0.2,
        )
        parts = [
            f"{strategy}: " + ", ".join(f"{modes[m]} {with_interval(e)}" for m, e in by.items())
            for strategy, by in rates.items()
        ]
        alt = "Win rates against Bruno with 95 % intervals: " + "; ".join(parts) + "."
        return Figure(key, caption, alt, svg(figure))


def totals_figure(
    key: str,
    caption: str,
    totals: Mapping[str, tuple[ValueCounts, ValueCounts]],
    player: str,
    prestige: str,
) -> Figure:
    """Both totals as histograms, a panel a difficulty.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        totals: counted totals of the player and of Bruno by difficulty.
        player: what the player is called.
        prestige: the edition's word for prestige.
    """
    parts = []
    with drawings(key, 1.05 * len(totals) + 0.75, len(totals)) as (figure, panels):
        for axes, (label, both) in zip(panels, totals.items(), strict=True):
            for place, (name, counted) in enumerate(zip((player, "Bruno"), both, strict=True)):
                _histogram(axes, counted, SERIES[place], name)
            axes.set_title(label, loc="left", fontsize=9, pad=2)
            axes.set_yticks([])
            axes.spines["left"].set_visible(False)
            told = (f"{name} {_spread(c)}" for name, c in zip((player, "Bruno"), both, strict=True))
            parts.append(f"{label}: {' and '.join(told)}")
        panels[0].legend(loc="upper right", frameon=False, fontsize=8, borderaxespad=0)
        panels[-1].set_xlabel(f"{prestige} at the end of a game")
        alt = f"Totals, median with the middle 90 % of games: {'; '.join(parts)}."
        return Figure(key, caption, alt, svg(figure))


def _histogram(axes: Axes, counted: ValueCounts, color: str, label: str) -> None:
    """One side's totals as the outline of bars, filled lightly."""
    values, games = counted
    first, last = int(values[0]) // BAR, int(values[-1]) // BAR
    heights = np.bincount(values // BAR - first, weights=games, minlength=last - first + 1)
    edges = BAR * np.arange(first, last + 2)
    axes.stairs(heights / games.sum(), edges, fill=True, color=color, alpha=0.3)
    axes.stairs(heights / games.sum(), edges, color=color, linewidth=1.2, label=label)


def margin_figure(
    key: str,
    caption: str,
    margins: Mapping[str, Mapping[str, ValueCounts]],
    prestige: str,
) -> Figure:
    """The margin of every strategy: the middle half and nine tenths of its games, and the median.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        margins: counted margins by difficulty and strategy, in the order in which they are drawn.
        prestige: the edition's word for prestige.
    """
    rows = [(label, name) for label, by in margins.items() for name in by]
    places = [k + 0.8 * list(margins).index(label) for k, (label, _) in enumerate(rows)]
    parts = []
    with drawing(key, 0.19 * (places[-1] + 1) + 0.7) as (figure, axes):
        axes.axvline(0, color=FAINT, linewidth=0.8)
        for place, (label, name) in zip(places, rows, strict=True):
            counted = margins[label][name]
            low, lower, middle, upper, high = quantiles(counted)
            color = SERIES[list(margins).index(label)]
            axes.hlines(place, low, high, color=color, linewidth=1)
            axes.hlines(place, lower, upper, color=color, linewidth=4, alpha=0.45)
            (point,) = axes.plot([middle], [place], "o", color=color, markersize=4)
            tell(
                point, f"{label}, {name}: {_spread(counted)}\n{whole(int(counted[1].sum()))} games"
            )
            parts.append(f"{label}, {name} {_spread(counted)}")
        for label in margins:
            first = places[next(k for k, (mine, _) in enumerate(rows) if mine == label)]
            axes.text(
                1, first - 0.75, label, transform=axes.get_yaxis_transform(), ha="right", color=INK
            )
        axes.set_ylim(places[-1] + 0.8, -1.3)
        axes.set_yticks(places, [name for _, name in rows], fontsize=8)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"the player's {prestige} less Bruno's")
        alt = f"Margins, median with the middle 90 % of games: {'; '.join(parts)}."
        return Figure(key, caption, alt, svg(figure))


def _spread(counted: ValueCounts) -> str:
    """Median and middle nine tenths in words: "131 (102 to 160)"."""
    low, _, middle, _, high = (str(value).replace("-", MINUS) for value in quantiles(counted))
    return f"{middle} ({low} to {high})"


def columns_figure(
    key: str, caption: str, rates: Mapping[str, Sequence[Estimate]], colors: Sequence[str]
) -> Figure:
    """How often each of Bruno's columns is played: a group of bars a color, one a difficulty."""
    with drawing(key, 0.62 * len(colors) + 0.9) as (figure, axes):
        for place, (label, estimates) in enumerate(rates.items()):
            at = [k + 0.27 * (place - (len(rates) - 1) / 2) for k in range(len(colors))]
            values = [estimate.value or 0.0 for estimate in estimates]
            bars = axes.barh(at, values, height=0.25, color=SERIES[place], label=label)
            for y, bar, color, estimate in zip(at, bars, colors, estimates, strict=True):
                tell(bar, told(f"{color}, {label}", estimate))
                text = f" {number(estimate.value, estimate.unit)}"
                axes.text(estimate.value or 0.0, y, text, va="center", fontsize=8, color=INK)
        axes.set_yticks(range(len(colors)), list(colors))
        axes.set_ylim(len(colors) - 0.45, -0.55)
        axes.margins(x=0.1)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("times a game")
        axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncols=len(rates), frameon=False)
        parts = [
            f"{label}: "
            + ", ".join(f"{c} {number(e.value, e.unit)}" for c, e in zip(colors, of, strict=True))
            for label, of in rates.items()
        ]
        alt = "Times a game that each column is played: " + "; ".join(parts) + "."
        return Figure(key, caption, alt, svg(figure))
