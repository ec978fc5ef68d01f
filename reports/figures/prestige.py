"""Where prestige comes from: a bar for each side of every player count or solo difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.prestige_source import TOTAL
from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import svg
from ethnos_sim.reports.figures.style import SERIES, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import number


def prestige_figure(
    key: str,
    caption: str,
    means: Mapping[tuple[str, str], Sequence[Estimate]],
    labels: Mapping[str, str],
    prestige: str,
) -> Figure:
    """Stacked bars of mean prestige, two in each group.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        means: estimates by source, the total last, by (group, side).
        labels: what each source is called.
        prestige: the edition's word for prestige.
    """
    places = [bar + 0.45 * (bar // 2) for bar in range(len(means))]
    sources = [e.name for e in next(iter(means.values())) if e.name != TOTAL]
    used = [s for s in sources if any(_value(bar, s) for bar in means.values())]
    chart = Chart(
        Side(f"mean {prestige} of a seat"),
        Side(
            limits=(places[-1] + 0.7, -0.7),
            names=list(zip(places, _bar_labels(means), strict=True)),
        ),
    )
    starts = [0.0] * len(means)
    for source in used:
        color = SERIES[sources.index(source)]
        chart.explain(labels[source], "box", color)
        for bar, ((group, side), by) in enumerate(means.items()):
            estimate = next(e for e in by if e.name == source)
            end = starts[bar] + (estimate.value or 0.0)
            with chart.telling(told(f"{group}, {side}, {labels[source]}", estimate)):
                height = (places[bar] - 0.43, places[bar] + 0.43)
                chart.box((starts[bar], end), height, color, "white", 0.8)
            starts[bar] = end
    for place, total in zip(places, starts, strict=True):
        chart.write((total, place), f"{total:.1f}", shift=(3, 0))
    chart.across.limits = min(chart.across.seen, default=0.0), 1.1 * max(starts) or 1.0
    drawn = svg(chart, 0.24 * (places[-1] + 1) + 1.15)
    return Figure(key, caption, _alt(means, labels, prestige), drawn)


def _value(bar: Sequence[Estimate], source: str) -> float:
    """The mean of one source; 0 where there is none."""
    return next((e.value or 0.0) for e in bar if e.name == source)


def _bar_labels(bars: Iterable[tuple[str, str]]) -> list[str]:
    """The label of each bar: its side, and the group at the first of the two."""
    return [side if k % 2 else f"{group}: {side}" for k, (group, side) in enumerate(bars)]


def _alt(
    means: Mapping[tuple[str, str], Sequence[Estimate]], labels: Mapping[str, str], prestige: str
) -> str:
    """The figure in words and numbers."""
    parts = [
        f"{group}, {side}: " + ", ".join(f"{labels[e.name]} {number(e.value, e.unit)}" for e in bar)
        for (group, side), bar in means.items()
    ]
    return f"Mean {prestige} by source: " + "; ".join(parts) + "."
