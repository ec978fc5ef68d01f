"""Seat edge for every player count, with intervals that hold for all seats of a table at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import svg
from ethnos_sim.reports.figures.style import FAINT, GRID, SERIES, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import decimals_for, with_interval


def seat_figure(key: str, caption: str, edges: Mapping[int, Sequence[Estimate]]) -> Figure:
    """Seat edges; `edges` maps a number of players to its seats in order of play."""
    rows: list[tuple[float, str, str, Estimate]] = []
    place = 0.0
    for players, estimates in edges.items():
        for seat, estimate in enumerate(estimates):
            whole_label = f"{players} players: {estimate.name}"
            label = estimate.name if seat else whole_label
            rows.append((place, label, whole_label, estimate))
            place += 1
        place += 0.6
    chart = Chart(
        Side("winning chance less a fair share, pp (gray: negligible)"),
        Side(limits=(place - 1, -0.8), names=[(row, label) for row, label, _, _ in rows]),
    )
    chart.box((-100 * POWER.minor, 100 * POWER.minor), (-inf, inf), GRID)
    chart.line([(0, -inf), (0, inf)], FAINT, 0.8)
    for row, _, whole_label, estimate in rows:
        if estimate.value is None:
            continue
        with chart.telling(told(whole_label, estimate)):
            if estimate.low is not None and estimate.high is not None:
                ends = [(100 * estimate.low, row), (100 * estimate.high, row)]
                chart.line(ends, SERIES[0], 2)
            chart.mark((100 * estimate.value, row), SERIES[0], size=5)
    decimals = decimals_for([estimate for *_, estimate in rows])
    parts = [
        f"{players} players "
        + ", ".join(f"{e.name} {with_interval(e, decimals)}" for e in estimates)
        for players, estimates in edges.items()
    ]
    alt = "Seat edge by order of play in the first age: " + "; ".join(parts) + "."
    return Figure(key, caption, alt, svg(chart, 0.2 * place + 0.6))
