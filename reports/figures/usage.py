"""Usage of winners against losers: a filled and a hollow mark a clan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import svg
from ethnos_sim.reports.figures.style import FAINT, GRID, SERIES, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import decimals_for, with_interval


def usage_figure(
    key: str,
    caption: str,
    winners: Sequence[Estimate],
    losers: Sequence[Estimate],
    labels: Mapping[str, str],
    parties: str,
) -> Figure:
    """Share of parties that each clan leads, for winners and losers.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        winners: the winners' usage, in the order in which clans are drawn from the top.
        losers: the losers' usage of the same clans.
        labels: what each clan is called.
        parties: the edition's word for parties.
    """
    rows = range(len(winners))
    chart = Chart(
        Side(f"share of {parties} led, %", grid=GRID),
        Side(
            limits=(len(winners) - 0.4, -0.6),
            names=[(row, labels[estimate.name]) for row, estimate in enumerate(winners)],
        ),
    )
    for row, winner, loser in zip(rows, winners, losers, strict=True):
        if winner.value is not None and loser.value is not None:
            chart.line([(100 * winner.value, row), (100 * loser.value, row)], FAINT)
    sides = (("winners", winners, SERIES[0], ""), ("losers", losers, SERIES[5], "white"))
    for label, side, color, fill in sides:
        chart.explain(label, "o", color, fill)
        for row, estimate in zip(rows, side, strict=True):
            if estimate.low is not None and estimate.high is not None:
                ends = [(100 * estimate.low, row), (100 * estimate.high, row)]
                chart.line(ends, color, 3, opacity=0.45)
    for label, side, color, fill in sides:
        for row, estimate in zip(rows, side, strict=True):
            if estimate.value is not None:
                with chart.telling(told(f"{labels[estimate.name]}, {label}", estimate)):
                    chart.mark((100 * estimate.value, row), color, fill=fill)
    decimals = decimals_for([*winners, *losers])
    parts = [
        f"{labels[w.name]} winners {with_interval(w, decimals)}, "
        f"losers {with_interval(lo, decimals)}"
        for w, lo in zip(winners, losers, strict=True)
    ]
    alt = f"Share of {parties} led by each clan, with 95 % intervals: " + "; ".join(parts) + "."
    return Figure(key, caption, alt, svg(chart, 0.25 * len(winners) + 0.9))
