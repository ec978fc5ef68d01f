"""Charts as SVG text that stands inside a page: two scales, what is drawn on them, a legend.

A page has hundreds of small charts, those of every table that its reader may choose. One takes a
quarter of a second in matplotlib, which draws what is saved or shown in notebooks
(`reports.figures.payoffs`, `reports.plot`), and milliseconds here.

Names come from users, and all that is written is escaped. Text stays text: it can be read, searched
and scaled. Charts are narrow, because a wide one shrinks to nothing on a phone. Marks say what they
stand for when a pointer rests on them or a key leads there: see `Chart.telling`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from ethnos_sim.reports.figures.shapes import SIZE, marked, path, rectangle, title, written
from ethnos_sim.reports.figures.style import INK

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers as points of the picture; an infinite number is the end of the scale."""

    numbers: Point
    points: Point

    def __call__(self, number: float) -> float:
        """The point of a number."""
        first, last = self.points
        if math.isinf(number):
            return last if number > 0 else first
        part = (number - self.numbers[0]) / (self.numbers[1] - self.numbers[0])
        return first + part * (last - first)


Part = Callable[[Scale, Scale], str]
"""Something drawn, once it is known where."""


@dataclass(slots=True, eq=False)
class Side:
    """One scale of a chart, across or up, and what stands along it.

    Attributes:
        label: what the numbers are.
        limits: the numbers at the left or the foot and at the other end; around all that is drawn
            unless given.
        margin: how much longer than what is drawn the scale is at each end, as a part of it.
        unit: what follows every number.
        names: what is written along the scale in place of numbers: places and texts.
        opposite: the same on the right or above.
        upright: whether names above stand upright.
        size: points of the names' text.
        grid: the color of lines through the chart at every number; "" for none.
    """

    label: str = ""
    limits: Point | None = None
    margin: float = 0.05
    unit: str = ""
    names: Sequence[tuple[float, str]] | None = None
    opposite: Sequence[tuple[float, str]] = ()
    upright: bool = False
    size: float = SIZE
    grid: str = ""
    seen: list[float] = field(default_factory=list, repr=False)

    def reach(self) -> Point:
        """The numbers at both ends."""
        if self.limits is not None:
            return self.limits
        low, high = min(self.seen, default=0.0), max(self.seen, default=1.0)
        more = self.margin * (high - low) or 0.5
        return low - more, high + more


@dataclass(slots=True, eq=False)
class Chart:
    """Two scales, and what is drawn on them in their numbers; what comes later lies above.

    Attributes:
        across: the horizontal scale.
        up: the vertical scale.
        legend: what the legend explains: a label, a kind of sample, its color and what fills it.
        columns: entries of the legend beside each other.
    """

    across: Side = field(default_factory=Side)
    up: Side = field(default_factory=Side)
    legend: list[tuple[str, str, str, str]] = field(default_factory=list)
    columns: int = 3
    parts: list[Part] = field(default_factory=list, repr=False)

    @contextmanager
    def telling(self, text: str) -> Iterator[None]:
        """Let what is drawn inside say a text, which may have several lines, as one mark."""
        outside, self.parts = self.parts, []
        yield
        inside, self.parts = self.parts, outside
        self.parts.append(
            lambda x, y: (
                f'<g class="mark">{title(text)}{"".join(part(x, y) for part in inside)}</g>'
            )
        )

    def line(
        self,
        points: Sequence[Point],
        color: str,
        width: float = 1.0,
        dash: str = "",
        opacity: float = 1.0,
    ) -> None:
        """A line through points, of which an infinite coordinate is the end of the scale."""
        self._see(points)
        self.parts.append(
            lambda x, y: path(
                _placed(points, x, y),
                fill="none",
                stroke=color,
                stroke_width=width,
                stroke_dasharray=dash,
                opacity=opacity,
            )
        )

    def area(self, points: Sequence[Point], color: str, opacity: float) -> None:
        """A filled shape with these corners."""
        self._see(points)
        self.parts.append(lambda x, y: path(_placed(points, x, y), fill=color, opacity=opacity))

    def box(
        self, across: Point, up: Point, fill: str = "none", edge: str = "", width: float = 0
    ) -> None:
        """A rectangle; a band where it reaches from one end of a scale to the other."""
        one, other = zip(across, up, strict=True)
        self._see([one, other])
        self.parts.append(
            lambda x, y: rectangle(
                (x(one[0]), y(one[1])), (x(other[0]), y(other[1])), fill, edge, width
            )
        )

    def mark(
        self,
        point: Point,
        color: str,
        shape: str = "o",
        size: float = 5.5,
        fill: str = "",
        width: float = 1.2,
    ) -> None:
        """A mark as many points wide as its size, full of its color unless another is given."""
        self._see([point])
        self.parts.append(
            lambda x, y: marked(x(point[0]), y(point[1]), shape, size, fill or color, color, width)
        )

    def write(
        self,
        point: Point,
        text: str,
        anchor: str = "start",
        size: float = SIZE,
        color: str = INK,
        bold: bool = False,
        shift: Point = (0.0, 0.0),
    ) -> None:
        """A text whose start, middle or end lies at a point, moved by points of the picture."""
        self.parts.append(
            lambda x, y: written(
                x(point[0]) + shift[0], y(point[1]) + shift[1], text, anchor, size, color, bold
            )
        )

    def explain(self, label: str, kind: str, color: str, fill: str = "") -> None:
        """A line of the legend; `kind` is a mark's shape, "box", or a line's dashes."""
        self.legend.append((label, kind, color, fill or color))

    def _see(self, points: Iterable[Point]) -> None:
        """Let the scales reach some points."""
        for x, y in points:
            if not math.isinf(x):
                self.across.seen.append(x)
            if not math.isinf(y):
                self.up.seen.append(y)


def _placed(points: Iterable[Point], across: Scale, up: Scale) -> list[Point]:
    """Points of a chart as points of the picture."""
    return [(across(x), up(y)) for x, y in points]


def steps(edges: np.ndarray, heights: np.ndarray) -> list[Point]:
    """The outline of a histogram from the foot to the foot; one edge more than heights."""
    points = zip(np.repeat(edges, 2), [0, *np.repeat(heights, 2), 0], strict=True)
    return [(float(x), float(y)) for x, y in points]
