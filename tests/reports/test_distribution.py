"""Distributions: shares by bin for each group, in the figure's words and in its marks."""

from __future__ import annotations

import re

import pytest

from ethnos_sim.reports.figures.distribution import distribution

BINS = (0, 5, 10, 15, 20, 25)


def titles(svg: str) -> list[str]:
    return re.findall(r"<title>([^<]*)</title>", svg)


def test_each_bin_tells_the_share_of_every_group() -> None:
    figure = distribution(
        "d", "C.", "points", BINS, {"winners": [0, 1, 3, 0, 0], "others": [0, 30, 10, 0, 0]}
    )
    assert titles(figure.svg) == [
        "5–9\nwinners 25.0 %\nothers 75.0 %",
        "10–14\nwinners 75.0 %\nothers 25.0 %",
    ]


def test_the_words_name_median_spread_and_number_of_values() -> None:
    figure = distribution("d", "C.", "points", range(6), {"games": [50, 100, 700, 100, 50]})
    assert figure.alt == (
        "Distribution of points, median with the middle 90 %: games 2 (0 to 3), 1,000 values."
    )


def test_a_group_without_values_is_left_out_and_none_at_all_is_refused() -> None:
    figure = distribution("d", "C.", "points", BINS, {"a": [1, 0, 0, 0, 0], "b": [0] * 5})
    assert titles(figure.svg) == ["0–4\na 100.0 %"]
    with pytest.raises(ValueError, match="groups with values"):
        distribution("d", "C.", "points", BINS, {"b": [0] * 5})


def test_another_number_of_counts_is_refused() -> None:
    with pytest.raises(ValueError, match="5 counts"):
        distribution("d", "C.", "points", BINS, {"a": [1, 2]})


def test_groups_differ_by_more_than_their_color() -> None:
    svg = distribution("d", "C.", "points", BINS, {k: [1, 2, 3, 4, 5] for k in "abc"}).svg
    dashes = set(re.findall(r'stroke-dasharray="([^"]*)"', svg))
    assert len(dashes) >= 2


def test_a_hostile_group_is_inert() -> None:
    svg = distribution("d", "C.", "points", BINS, {"<script>$x$": [1, 2, 3, 4, 5]}).svg
    assert "<script" not in svg
    assert "&lt;script&gt;$x$ " in titles(svg)[0]


def test_an_open_last_bin_says_that_it_holds_more() -> None:
    counts = {"games": [50, 100, 500, 100, 250]}
    figure = distribution("d", "C.", "turns", BINS, counts, open_end=True)
    assert titles(figure.svg)[-1] == "20 or more\ngames 25.0 %"
    assert "games 10–14 (0–4 to 20 or more)" in figure.alt
    assert "turns (last bar: 20 or more)" in figure.svg
    unused = distribution("d", "C.", "turns", BINS, {"games": [1, 2, 3, 4, 0]}, open_end=True)
    assert "or more" not in unused.svg
