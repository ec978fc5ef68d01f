"""Charts: scales with round numbers, room for every label, marks that tell, and nothing hostile."""

from __future__ import annotations

import re
from math import inf

import numpy as np
import pytest

from ethnos_sim.reports.figures.chart import Chart, Side, steps
from ethnos_sim.reports.figures.picture import WIDTH, side_by_side, stacked, svg, ticks
from ethnos_sim.reports.figures.shapes import SHAPES, width_of

HOSTILE = "\"'<script>alert(1)</script>&amp; $x$ `` -->"


def chart_of(*points: tuple[float, float], **across: object) -> Chart:
    chart = Chart(Side(**across))
    for point in points:
        chart.mark(point, "#000000")
    return chart


def circles(picture: str) -> list[tuple[float, float]]:
    found = re.findall(r'<circle cx="([^"]*)" cy="([^"]*)"', picture)
    return [(float(x), float(y)) for x, y in found]


@pytest.mark.parametrize(
    ("reach", "room", "expected"),
    [
        ((0, 10), 5, ["0", "2", "4", "6", "8", "10"]),
        ((-0.11, 0.12), 9, ["−0.10", "−0.05", "0.00", "0.05", "0.10"]),
        ((12.4, -1.0), 9, ["0", "2", "4", "6", "8", "10", "12"]),
        ((0, 0.1), 4, ["0.000", "0.025", "0.050", "0.075", "0.100"]),
        ((0, 1e6), 2, ["0", "500000", "1000000"]),
    ],
)
def test_ticks_are_round_numbers_within_the_scale(reach, room, expected) -> None:
    found = ticks(reach, room)
    assert [text for _, text in found] == expected
    assert all(min(reach) <= at <= max(reach) for at, _ in found)


def test_places_on_the_picture_follow_the_numbers() -> None:
    chart = chart_of((0, 0), (1, 1), (3, 3))
    (x0, y0), (x1, y1), (x3, y3) = circles(svg(chart, 2))
    assert (x3 - x0) / (x1 - x0) == pytest.approx(3, rel=1e-3)
    assert (y3 - y0) / (y1 - y0) == pytest.approx(3, rel=1e-3)
    assert y3 < y0, "up is up"


def test_limits_turn_a_scale_around_and_an_infinite_number_is_its_end() -> None:
    chart = Chart(Side(limits=(0, 1)), Side(limits=(2.5, -0.5), names=[(0, "a"), (2, "b")]))
    chart.mark((0.5, 0), "#000000")
    chart.mark((0.5, 2), "#000000")
    chart.line([(0.5, -inf), (0.5, inf)], "#123456")
    picture = svg(chart, 2)
    (_, first), (_, last) = circles(picture)
    assert first < last
    line = re.search(r'd="M[\d.]+ ([\d.]+)L[\d.]+ ([\d.]+)"[^>]*stroke="#123456"', picture)
    assert line is not None
    assert float(line[1]) > last > first > float(line[2])


def test_every_label_lies_inside_the_picture() -> None:
    names = [(0.0, "A name that is long"), (1.0, "b")]
    rows = Side(limits=(1.4, -0.6), names=names, opposite=[(0.0, "−13.4 ± 3.7 pp abcde")])
    chart = Chart(Side("winning chance less a fair share, pp (gray: negligible)"), rows)
    chart.mark((-12345.0, 0), "#000000")
    chart.mark((12345.0, 1), "#000000")
    for label in ("one", "another", "a third", "a fourth"):
        chart.explain(label, "o", "#000000")
    found = re.findall(
        r'<text x="([^"]*)" y="([^"]*)"(?: text-anchor="(\w+)")?[^>]*>([^<]*)<', svg(chart, 1.5)
    )
    assert len(found) > 9
    for x, y, anchor, text in found:
        start = float(x) - {"": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width_of(text)
        assert start >= 0, text
        assert start + width_of(text) <= WIDTH + 1, text
        assert 0 < float(y) < 1.5 * 72, text


def test_charts_side_by_side_do_not_overlap_and_share_the_room() -> None:
    left, right = chart_of((0, 0), (1, 1)), chart_of((0, 0), (1, 1))
    (a, _), (b, _), (c, _), (d, _) = circles(side_by_side([left, right], 2, (2, 1)))
    assert a < b < c < d
    assert (b - a) / (d - c) == pytest.approx(2, rel=1e-3)


def test_stacked_charts_have_one_horizontal_scale() -> None:
    above, below = chart_of((0, 0), (4, 1), names=()), chart_of((2, 0), (10, 1))
    (a, top), (b, _), (c, foot), (d, _) = circles(stacked([above, below], 3))
    assert top < foot
    assert a < c < b < d
    assert (b - a) / (d - a) == pytest.approx(0.4, rel=1e-3)


def test_the_outline_of_a_histogram_begins_and_ends_at_the_foot() -> None:
    outline = steps(np.asarray([0, 1, 3]), np.asarray([0.25, 0.75]))
    assert outline == [(0, 0), (0, 0.25), (1, 0.25), (1, 0.75), (3, 0.75), (3, 0)]


def test_what_a_mark_tells_is_its_title_and_inert() -> None:
    chart = Chart()
    with chart.telling(f"{HOSTILE}\nsecond line"):
        chart.mark((1, 2), "#000000")
        chart.line([(0, 2), (2, 2)], "#000000")
    chart.write((1, 2), HOSTILE)
    picture = svg(chart, 2)
    groups = re.findall(r'<g class="mark"><title>([^<]*)</title>(.*?)</g>', picture, re.DOTALL)
    ((title, inside),) = groups
    assert "&lt;script&gt;" in title
    assert title.endswith("\nsecond line")
    assert inside.count("<circle") == inside.count("<path") == 1
    assert "<script" not in picture


@pytest.mark.parametrize("shape", ["o", *SHAPES])
def test_every_shape_of_mark_is_drawn_and_explained(shape) -> None:
    chart = Chart()
    chart.mark((1, 2), "#abcdef", shape)
    chart.explain("this", shape, "#abcdef")
    assert svg(chart, 2).count('fill="#abcdef"') == 2


def test_a_chart_without_numbers_is_drawn_all_the_same() -> None:
    assert svg(Chart(), 1).startswith("<svg viewBox=")
    assert len(circles(svg(chart_of((5, 5)), 1))) == 1
