"""Usage against power: which clans are led often, and whether these are the strong ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.bands import POWER
from ethnos_sim.reports.document import Figure
from ethnos_sim.reports.figures.drawing import FAINT, GRID, INK, SHAPES, TONES, drawing, svg, tell
from ethnos_sim.reports.numbers import UNITS, whole, with_interval
from ethnos_sim.reports.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 3.3
"""Inches."""

NAME_WIDTH, NAME_HEIGHT = 0.2, 0.055
"""What a name takes of the plot; names nearer than that move apart."""


def usage_power_figure(
    key: str,
    caption: str,
    found: Sequence[Verdict],
    usage: Mapping[str, Estimate],
    labels: Mapping[str, str],
    parties: str,
) -> Figure:
    """A mark a clan: how often it is led across, its power up.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        found: verdicts by restricted play.
        usage: each clan's share of all parties, by clan.
        labels: what each clan is called.
        parties: the edition's word for parties.
    """
    import pandas
    import seaborn

    shown = [v for v in found if v.clan in usage and usage[v.clan].value is not None]
    factor = UNITS[shown[0].estimate.unit].factor
    frame = pandas.DataFrame(
        {
            "usage": [100 * (usage[v.clan].value or 0.0) for v in shown],
            "power": [factor * (v.estimate.value or 0.0) for v in shown],
            "tone": [v.tone for v in shown],
        }
    )
    with drawing(key, HEIGHT) as (figure, axes):
        axes.axhspan(-factor * POWER.minor, factor * POWER.minor, color=GRID, linewidth=0)
        for verdict, across, up in zip(shown, frame["usage"], frame["power"], strict=True):
            _intervals(axes, (across, up), usage[verdict.clan], verdict.estimate, factor)
        for tone, group in frame.groupby("tone", sort=False):
            seaborn.scatterplot(
                group,
                x="usage",
                y="power",
                color="white" if tone == "open" else TONES[str(tone)],
                edgecolor=TONES[str(tone)],
                linewidth=1.2,
                marker=SHAPES[str(tone).rstrip("123")],
                s=46,
                ax=axes,
                legend=False,
                zorder=3,
            )
        said = {labels[v.clan]: _told(v, usage[v.clan], labels[v.clan]) for v in shown}
        _name(axes, list(frame["usage"]), list(frame["power"]), said)
        axes.set_xlabel(f"share of {parties} led, %")
        axes.set_ylabel("power against the average, pp")
        alt = "; ".join(each.replace("\n", ", ") for each in said.values())
        return Figure(key, caption, f"Usage and power: {alt}.", svg(figure))


def _intervals(
    axes: Axes, point: tuple[float, float], usage: Estimate, power: Estimate, factor: float
) -> None:
    """The intervals of a mark, as far as there are any."""
    across, up = point
    if power.low is not None and power.high is not None:
        axes.vlines(across, factor * power.low, factor * power.high, color=FAINT, linewidth=1)
    if usage.low is not None and usage.high is not None:
        axes.hlines(up, 100 * usage.low, 100 * usage.high, color=FAINT, linewidth=1)


def _name(
    axes: Axes, across: Sequence[float], up: Sequence[float], said: Mapping[str, str]
) -> None:
    """Write the name of each mark beside it, and let it say its text."""
    axes.margins(x=0.2)
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    room = NAME_WIDTH * (right - left), NAME_HEIGHT * (high - low)
    heights = _apart(across, up, *room)
    for x, y, height, (label, text) in zip(across, up, heights, said.items(), strict=True):
        axes.annotate(
            label,
            (x, height),
            (6, 0),
            textcoords="offset points",
            fontsize=8,
            color=INK,
            va="center",
        )
        (point,) = axes.plot([x], [y], "o", markersize=9, alpha=0)
        tell(point, text)


def _told(verdict: Verdict, usage: Estimate, label: str) -> str:
    """What a mark says."""
    return (
        f"{label}: {with_interval(verdict.estimate)}, {verdict.words}\n"
        f"led in {with_interval(usage)}\n{whole(verdict.estimate.games)} games"
    )


def _apart(
    across: Sequence[float], heights: Sequence[float], width: float, least: float
) -> list[float]:
    """Heights of names that do not overlap: from the lowest on, each as low as it may be.

    Args:
        across: where each name begins.
        heights: where it would stand by itself.
        width: what a name takes across.
        least: what it takes of the height.
    """
    placed: dict[int, float] = {}
    for name in sorted(range(len(heights)), key=heights.__getitem__):
        near = sorted(
            at for other, at in placed.items() if abs(across[other] - across[name]) < width
        )
        height = heights[name]
        for other in near:
            if abs(height - other) < least:
                height = other + least
        placed[name] = height
    return [placed[name] for name in range(len(heights))]
