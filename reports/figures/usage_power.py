"""Usage against power: which clans are led often, and whether these are the strong ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.figures.drawing import FAINT, GRID, INK, SHAPES, TONES, drawing, svg, tell
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import UNITS, whole, with_interval
from ethnos_sim.reports.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 3.3
"""Inches."""

NAME_SIZE, CHARACTER, MARK = 8, 4.7, 4.0
"""Points: the height of a name, the width of one of its characters, half a mark."""

NEAR = 12
"""Points: a name that stands higher or lower than that is led to its mark by a line."""


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
    """Write the name of each mark where it covers nothing, and let the mark say its text."""
    axes.margins(x=0.2, y=0.15)
    scale = 72 / axes.figure.dpi
    points = axes.transData.transform(np.column_stack([across, up])) * scale
    places = places_of_names(
        [(float(x), float(y)) for x, y in points], [len(name) for name in said]
    )
    for x, y, place, (label, text) in zip(across, up, places, said.items(), strict=True):
        far = abs(place[1]) > NEAR
        axes.annotate(
            label,
            (x, y),
            place,
            textcoords="offset points",
            fontsize=NAME_SIZE,
            color=INK,
            va="center",
            ha="left",
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.8} if far else None,
        )
        (point,) = axes.plot([x], [y], "o", markersize=9, alpha=0)
        tell(point, text)


def places_of_names(
    marks: Sequence[tuple[float, float]], lengths: Sequence[int]
) -> list[tuple[float, float]]:
    """Where names begin beside their marks, so that none covers a mark or another name.

    The nearest free place is taken, marks with the closest neighbors first.

    Args:
        marks: where the marks are, in points.
        lengths: how many characters each name has.

    Returns:
        For each mark the offset of its name's left end, at half its height, in points.
    """
    taken = [(x - MARK, y - MARK, x + MARK, y + MARK) for x, y in marks]
    found: dict[int, tuple[float, float]] = {}

    def crowd(number: int) -> float:
        x, y = marks[number]
        return min(
            (abs(x - a) + abs(y - b) for i, (a, b) in enumerate(marks) if i != number), default=0.0
        )

    for number in sorted(range(len(marks)), key=crowd):
        x, y = marks[number]
        width = CHARACTER * lengths[number]

        def box(
            place: tuple[float, float], x: float = x, y: float = y, width: float = width
        ) -> tuple[float, float, float, float]:
            left, middle = x + place[0], y + place[1]
            return left, middle - NAME_SIZE / 2, left + width, middle + NAME_SIZE / 2

        sides = [
            (side, height)
            for height in (0, *(sign * step for step in range(6, 60, 3) for sign in (1, -1)))
            for side in (6.0, -6 - width, -width / 2)
            if height or side != -width / 2
        ]
        free = (place for place in sides if not any(_cover(box(place), other) for other in taken))
        found[number] = next(free, sides[0])
        taken.append(box(found[number]))
    return [found[number] for number in range(len(marks))]


def _cover(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two boxes (left, low, right, high) share anything."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _told(verdict: Verdict, usage: Estimate, label: str) -> str:
    """What a mark says."""
    return (
        f"{label}: {with_interval(verdict.estimate)}, {verdict.words}\n"
        f"led in {with_interval(usage)}\n{whole(verdict.estimate.games)} games"
    )
