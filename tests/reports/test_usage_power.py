"""Usage against power: every mark has its name, and no name lies on another or on a mark."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ethnos_sim.reports.figures.usage_power import CHARACTER, MARK, NAME_SIZE, places_of_names


def _boxes(marks, lengths):
    for (x, y), length, (right, up) in zip(
        marks, lengths, places_of_names(marks, lengths), strict=True
    ):
        width = CHARACTER * length
        yield (x + right, y + up - NAME_SIZE / 2, x + right + width, y + up + NAME_SIZE / 2)


def _cover(one, other) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("seed", range(20))
def test_no_name_lies_on_another_or_on_a_mark(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = [(float(x), float(y)) for x, y in rng.uniform(0, (300, 180), (12, 2))]
    lengths = [int(each) for each in rng.integers(3, 10, 12)]
    names = list(_boxes(marks, lengths))
    dots = [(x - MARK, y - MARK, x + MARK, y + MARK) for x, y in marks]
    assert not [pair for pair in itertools.combinations(names, 2) if _cover(*pair)]
    assert not [(n, d) for n, d in itertools.product(names, dots) if _cover(n, d)]


def test_a_name_with_room_stands_right_of_its_mark() -> None:
    assert places_of_names([(0.0, 0.0), (100.0, 100.0)], [5, 5]) == [(6.0, 0), (6.0, 0)]
