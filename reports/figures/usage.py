"""Usage of winners against losers: a filled and a hollow mark a clan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.figures.drawing import FAINT, GRID, SERIES, drawing, svg, tell, told
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
    sides = (("winners", winners, SERIES[0], True), ("losers", losers, SERIES[5], False))
    with drawing(key, 0.25 * len(winners) + 0.9) as (figure, axes):
        axes.grid(axis="x", color=GRID)
        for row, winner, loser in zip(rows, winners, losers, strict=True):
            if winner.value is not None and loser.value is not None:
                ends = (100 * winner.value, 100 * loser.value)
                axes.hlines(row, *ends, color=FAINT, linewidth=1)
        for label, side, color, filled in sides:
            known = [(e, row) for e, row in zip(side, rows, strict=True) if e.value is not None]
            for estimate, row in known:
                if estimate.low is not None and estimate.high is not None:
                    low, high = 100 * estimate.low, 100 * estimate.high
                    axes.hlines(row, low, high, color=color, linewidth=3, alpha=0.45)
                point = axes.scatter(
                    [100 * (estimate.value or 0.0)],
                    [row],
                    s=30,
                    color=color if filled else "white",
                    edgecolor=color,
                    linewidth=1.3,
                    zorder=3,
                    label=label if row == known[0][1] else None,
                )
                tell(point, told(f"{labels[estimate.name]}, {label}", estimate))
        axes.set_ylim(len(winners) - 0.4, -0.6)
        axes.set_yticks(list(rows), [labels[estimate.name] for estimate in winners])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"share of {parties} led, %")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
        decimals = decimals_for([*winners, *losers])
        parts = [
            f"{labels[w.name]} winners {with_interval(w, decimals)}, "
            f"losers {with_interval(lo, decimals)}"
            for w, lo in zip(winners, losers, strict=True)
        ]
        alt = f"Share of {parties} led by each clan, with 95 % intervals: " + "; ".join(parts) + "."
        return Figure(key, caption, alt, svg(figure))
