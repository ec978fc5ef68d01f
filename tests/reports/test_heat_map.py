"""Heat maps: numbers in the cells and in words, and what is sure told apart without colors."""

from __future__ import annotations

import re

import pytest

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.figures.heat_map import heat_map

SCRIPT, MATH = "<script>alert(1)</script>", "$x$"


def estimate(value: float | None, half: float | None, unit: str = "share_difference") -> Estimate:
    known = value is not None and half is not None
    return Estimate(
        name="x",
        definition="pair",
        value=value,
        low=value - half if known else None,
        high=value + half if known else None,
        standard_error=None,
        games=12_345,
        blocks=32,
        unit=unit,
        population="mixed",
    )


SURE, OPEN = estimate(0.042, 0.01), estimate(-0.004, 0.01)


def drawn(**more):
    grid = [[SURE, OPEN], [None, estimate(None, None)]]
    return heat_map(
        "pairs", "Pairs.", (SCRIPT, MATH), ("Fox", "Owl"), grid, "share_difference", **more
    )


def texts(svg: str) -> dict[str, str]:
    """The drawn texts with the look of each."""
    return {text: look for look, text in re.findall(r"<text ([^>]*)>([^<]*)<", svg)}


def test_the_numbers_stand_in_the_cells_and_in_the_words() -> None:
    figure = drawn()
    assert {"4.2", "−.4"} <= set(texts(figure.svg))
    assert f"{SCRIPT}, Fox +4.2 ± 1.0 pp (significant)" in figure.alt
    assert f"{SCRIPT}, Owl −0.4 ± 1.0 pp;" in figure.alt


def test_what_is_sure_is_bold_and_framed_and_the_rest_is_neither() -> None:
    shown = texts(drawn().svg)
    assert 'font-weight="bold"' in shown["4.2"]
    assert "font-weight" not in shown["−.4"]
    none_sure = drawn(significant=[[False, False], [False, False]]).svg
    frames = [svg.count('stroke="#1f2933" stroke-width="0.9"') for svg in (drawn().svg, none_sure)]
    assert frames == [1, 0]


def test_what_the_caller_calls_sure_is_sure() -> None:
    figure = drawn(significant=[[False, True], [False, False]])
    assert f"{SCRIPT}, Owl −0.4 ± 1.0 pp (significant)" in figure.alt
    assert f"{SCRIPT}, Fox +4.2 ± 1.0 pp;" in figure.alt


def test_each_cell_with_a_value_tells_value_interval_and_games() -> None:
    titles = re.findall(r"<title>([^<]*)</title>", drawn().svg)
    assert len(titles) == 2
    assert "Fox: +4.2 ± 1.0 pp\nsignificant\n12,345 games" in titles[0]


def test_names_are_inert_in_texts_and_titles() -> None:
    figure = drawn()
    assert "<script" not in figure.svg
    assert figure.svg.count("&lt;script&gt;") >= 3
    assert MATH in texts(figure.svg)


def test_another_shape_or_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="2 rows of 1 cells"):
        heat_map("k", "", ("a", "b"), ("c",), [[SURE]], "share_difference")
    with pytest.raises(ValueError, match="no prestige"):
        heat_map("k", "", ("a",), ("c",), [[SURE]], "prestige")


def test_a_map_without_any_value_is_drawn_empty() -> None:
    figure = heat_map("k", "", ("a",), ("c",), [[None]], "share_difference")
    assert "<title>" not in figure.svg


def test_numbers_have_no_more_digits_than_a_cell_holds() -> None:
    line = [estimate(-0.12283, 0.0001), estimate(0.00012, 0.00001), estimate(1.5, 0.0001)]
    shown = texts(heat_map("k", "", ("a",), ("b", "c", "d"), [line], "share_difference").svg)
    assert {"−12.3", ".012", "150"} <= set(shown)
