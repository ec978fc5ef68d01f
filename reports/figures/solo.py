"""Figures of the solo part: win rates, both totals, and the margin between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.reports.estimators.solo import quantiles
from ethnos_sim.reports.figures.chart import Chart, Side, steps
from ethnos_sim.reports.figures.picture import stacked, svg
from ethnos_sim.reports.figures.style import FAINT, GRID, SERIES, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import MINUS, number, whole, with_interval

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
    rows = list(enumerate(rates.items()))
    chart = Chart(
        Side("games won against Bruno, %", limits=(-2, 102)),
        Side(
            limits=(len(rates) - 0.4, -0.6),
            names=[(row, name) for row, (name, _) in rows],
            grid=GRID,
        ),
    )
    chart.line([(50, -inf), (50, inf)], GRID, 1.5)
    for place, (mode, label) in enumerate(modes.items()):
        chart.explain(label, MARKS[place], SERIES[place])
        for row, (strategy, by) in rows:
            estimate = by.get(mode)
            if estimate is None:
                continue
            with chart.telling(told(f"{strategy}, {label}", estimate)):
                if estimate.low is not None and estimate.high is not None:
                    ends = [(100 * estimate.low, row), (100 * estimate.high, row)]
                    chart.line(ends, SERIES[place], 2)
                point = 100 * (estimate.value or 0.0), row
                chart.mark(point, "white", MARKS[place], 6.2, SERIES[place], 0.6)
    parts = [
        f"{strategy}: " + ", ".join(f"{modes[m]} {with_interval(e)}" for m, e in by.items())
        for strategy, by in rates.items()
    ]
    alt = "Win rates against Bruno with 95 % intervals: " + "; ".join(parts) + "."
    return Figure(key, caption, alt, svg(chart, ROW * len(rates) + 0.95))


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
    charts: list[Chart] = []
    parts = []
    for label, both in totals.items():
        chart = Chart(Side(names=()), Side(names=(), limits=(0, 1)))
        spreads = []
        for place, (name, counted) in enumerate(zip((player, "Bruno"), both, strict=True)):
            _histogram(chart, counted, SERIES[place])
            spreads.append(f"{name} {_spread(counted)}")
            if not charts:
                chart.explain(name, "", SERIES[place])
        chart.up.limits = 0, 1.3 * max(chart.up.seen)
        chart.write((-inf, inf), label, shift=(0, 5))
        charts.append(chart)
        parts.append(f"{label}: {' and '.join(spreads)}")
    charts[-1].across = replace(
        charts[-1].across, names=None, label=f"{prestige} at the end of a game"
    )
    alt = f"Totals, median with the middle 90 % of games: {'; '.join(parts)}."
    return Figure(key, caption, alt, stacked(charts, 1.05 * len(totals) + 0.75))


def _histogram(chart: Chart, counted: ValueCounts, color: str) -> None:
    """One side's totals as the outline of bars, filled lightly."""
    values, games = counted
    first, last = int(values[0]) // BAR, int(values[-1]) // BAR
    heights = np.bincount(values // BAR - first, weights=games, minlength=last - first + 1)
    outline = steps(BAR * np.arange(first, last + 2), heights / games.sum())
    chart.area(outline, color, 0.3)
    chart.line(outline, color, 1.2)


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
    names = [(place, name) for place, (_, name) in zip(places, rows, strict=True)]
    chart = Chart(
        Side(f"the player's {prestige} less Bruno's"),
        Side(limits=(places[-1] + 0.8, -1.3), names=names, size=8),
    )
    chart.line([(0, -inf), (0, inf)], FAINT, 0.8)
    for place, (label, name) in zip(places, rows, strict=True):
        counted = margins[label][name]
        low, lower, middle, upper, high = quantiles(counted)
        color = SERIES[list(margins).index(label)]
        words = f"{label}, {name}: {_spread(counted)}\n{whole(int(counted[1].sum()))} games"
        with chart.telling(words):
            chart.line([(low, place), (high, place)], color)
            chart.line([(lower, place), (upper, place)], color, 4, opacity=0.45)
            chart.mark((middle, place), color, size=4)
        parts.append(f"{label}, {name} {_spread(counted)}")
    for label in margins:
        first = places[next(k for k, (mine, _) in enumerate(rows) if mine == label)]
        chart.write((inf, first - 0.9), label, "end")
    alt = f"Margins, median with the middle 90 % of games: {'; '.join(parts)}."
    return Figure(key, caption, alt, svg(chart, 0.19 * (places[-1] + 1) + 0.7))


def _spread(counted: ValueCounts) -> str:
    """Median and middle nine tenths in words: "131 (102 to 160)"."""
    low, _, middle, _, high = (str(value).replace("-", MINUS) for value in quantiles(counted))
    return f"{middle} ({low} to {high})"


def columns_figure(
    key: str, caption: str, rates: Mapping[str, Sequence[Estimate]], colors: Sequence[str]
) -> Figure:
    """How often each of Bruno's columns is played: a group of bars a color, one a difficulty."""
    chart = Chart(
        Side("times a game"),
        Side(limits=(len(colors) - 0.45, -0.55), names=list(enumerate(colors))),
    )
    for place, (label, estimates) in enumerate(rates.items()):
        chart.explain(label, "box", SERIES[place])
        for row, (color, estimate) in enumerate(zip(colors, estimates, strict=True)):
            at = row + 0.27 * (place - (len(rates) - 1) / 2)
            value = estimate.value or 0.0
            with chart.telling(told(f"{color}, {label}", estimate)):
                chart.box((0, value), (at - 0.125, at + 0.125), SERIES[place])
            text = number(estimate.value, estimate.unit)
            chart.write((value, at), text, size=8, shift=(3, 0))
    chart.across.limits = 0, 1.15 * max(chart.across.seen) or 1.0
    parts = [
        f"{label}: "
        + ", ".join(f"{c} {number(e.value, e.unit)}" for c, e in zip(colors, of, strict=True))
        for label, of in rates.items()
    ]
    alt = "Times a game that each column is played: " + "; ".join(parts) + "."
    return Figure(key, caption, alt, svg(chart, 0.62 * len(colors) + 0.9))
