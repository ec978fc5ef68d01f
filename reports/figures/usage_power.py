"""Usage against power: which clans are led often, and whether these are the strong ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import svg
from ethnos_sim.reports.figures.shapes import path, written
from ethnos_sim.reports.figures.style import FAINT, GRID, TONES, shape
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import UNITS, whole, with_interval
from ethnos_sim.reports.verdicts import Verdict

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
    shown = [v for v in found if v.clan in usage and usage[v.clan].value is not None]
    factor = UNITS[shown[0].estimate.unit].factor
    chart = Chart(
        Side(f"share of {parties} led, %", margin=0.2),
        Side("power against the average, pp", margin=0.15),
    )
    chart.box((-inf, inf), (-factor * POWER.minor, factor * POWER.minor), GRID)
    points = [
        (100 * (usage[v.clan].value or 0.0), factor * (v.estimate.value or 0.0)) for v in shown
    ]
    for verdict, point in zip(shown, points, strict=True):
        _intervals(chart, point, usage[verdict.clan], verdict.estimate, factor)
    said = {labels[v.clan]: _told(v, usage[v.clan], labels[v.clan]) for v in shown}
    for verdict, point, text in zip(shown, points, said.values(), strict=True):
        fill = "white" if verdict.tone == "open" else ""
        with chart.telling(text):
            chart.mark(point, TONES[verdict.tone], shape(verdict.tone), 2 * MARK - 1, fill)
    chart.parts.append(lambda x, y: _names([(x(a), y(b)) for a, b in points], list(said)))
    alt = "; ".join(each.replace("\n", ", ") for each in said.values())
    return Figure(key, caption, f"Usage and power: {alt}.", svg(chart, HEIGHT))


def _intervals(
    chart: Chart, point: tuple[float, float], usage: Estimate, power: Estimate, factor: float
) -> None:
    """The intervals of a mark, as far as there are any."""
    across, up = point
    if power.low is not None and power.high is not None:
        chart.line([(across, factor * power.low), (across, factor * power.high)], FAINT)
    if usage.low is not None and usage.high is not None:
        chart.line([(100 * usage.low, up), (100 * usage.high, up)], FAINT)


def _names(marks: Sequence[tuple[float, float]], names: Sequence[str]) -> str:
    """The name of each mark where it covers nothing; a line leads from far ones to their mark."""
    parts = []
    places = places_of_names(marks, [len(name) for name in names])
    for (x, y), (right, down), name in zip(marks, places, names, strict=True):
        if abs(down) > NEAR:
            near = right if right > 0 else min(right + CHARACTER * len(name), 0.0)
            parts.append(path([(x, y), (x + near, y + down)], stroke=FAINT, stroke_width=0.8))
        parts.append(written(x + right, y + down, name, size=NAME_SIZE, halo=True))
    return "".join(parts)


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
