"""Seat edge for every player count, with intervals that hold for all seats of a table at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.figures.drawing import FAINT, GRID, SERIES, drawing, svg, tell, told
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
    with drawing(key, 0.2 * place + 0.6) as (figure, axes):
        axes.axvspan(-100 * POWER.minor, 100 * POWER.minor, color=GRID, linewidth=0)
        axes.axvline(0, color=FAINT, linewidth=0.8)
        for row, _, whole_label, estimate in rows:
            if estimate.value is None:
                continue
            if estimate.low is not None and estimate.high is not None:
                axes.hlines(
                    row, 100 * estimate.low, 100 * estimate.high, color=SERIES[0], linewidth=2
                )
            point = axes.scatter([100 * estimate.value], [row], s=26, color=SERIES[0], zorder=3)
            tell(point, told(whole_label, estimate))
        axes.set_ylim(place - 1, -0.8)
        axes.set_yticks([row for row, *_ in rows], [label for _, label, _, _ in rows])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("winning chance less a fair share, pp (gray: negligible)")
        decimals = decimals_for([estimate for *_, estimate in rows])
        parts = [
            f"{players} players "
            + ", ".join(f"{e.name} {with_interval(e, decimals)}" for e in estimates)
            for players, estimates in edges.items()
        ]
        alt = "Seat edge by order of play in the first age: " + "; ".join(parts) + "."
        return Figure(key, caption, alt, svg(figure))
