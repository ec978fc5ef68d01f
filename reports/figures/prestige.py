"""Where prestige comes from: a bar for each side of every player count or solo difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.prestige_source import TOTAL
from ethnos_sim.reports.figures.drawing import INK, SERIES, drawing, svg, tell, told
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
    with drawing(key, 0.24 * (places[-1] + 1) + 1.15) as (figure, axes):
        starts = [0.0] * len(means)
        for source in used:
            widths = [_value(bar, source) for bar in means.values()]
            bars = axes.barh(
                places,
                widths,
                left=starts,
                height=0.86,
                color=SERIES[sources.index(source)],
                edgecolor="white",
                linewidth=0.8,
                label=labels[source],
            )
            for bar, (group, side), by in zip(bars, means, means.values(), strict=True):
                estimate = next(e for e in by if e.name == source)
                tell(bar, told(f"{group}, {side}, {labels[source]}", estimate))
            starts = [start + width for start, width in zip(starts, widths, strict=True)]
        for place, total in zip(places, starts, strict=True):
            axes.text(total, place, f" {total:.1f}", va="center", color=INK)
        axes.set_yticks(places, _bar_labels(means))
        axes.set_ylim(places[-1] + 0.7, -0.7)
        axes.margins(x=0.1)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"mean {prestige} of a seat")
        axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=3, frameon=False)
        return Figure(key, caption, _alt(means, labels, prestige), svg(figure))


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
