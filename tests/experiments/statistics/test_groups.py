"""Groups: two clans share a letter exactly when they cannot be told apart."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ethnos_sim.experiments.statistics.groups import letters, told_apart
from ethnos_sim.experiments.statistics.jackknife import jackknife, ratio


@st.composite
def _relations(draw):
    count = draw(st.integers(1, 8))
    upper = draw(st.lists(st.booleans(), min_size=count**2, max_size=count**2))
    apart = np.triu(np.asarray(upper).reshape(count, count), 1)
    return apart | apart.T


@given(_relations())
def test_two_share_a_letter_exactly_when_they_are_not_told_apart(apart):
    found = letters(apart)
    for i in range(len(apart)):
        assert found[i]
        for j in range(len(apart)):
            assert bool(set(found[i]) & set(found[j])) == (not apart[i, j])


def test_a_chain_overlaps():
    apart = np.zeros((3, 3), bool)
    apart[0, 2] = apart[2, 0] = True
    assert letters(apart) == ("a", "ab", "b")


def test_the_first_item_is_in_group_a():
    apart = ~np.eye(4, dtype=bool)
    assert letters(apart) == ("a", "b", "c", "d")


def test_far_values_are_told_apart_and_equal_ones_are_not():
    rng = np.random.default_rng(3)
    x = np.round(1000 + rng.normal([0, 0, 500], 30, (32, 3))).astype(np.int64)
    ones = np.ones(32, np.int64)
    sums = {"x": x, "n": ones[:, None]}
    apart = told_apart(
        jackknife(lambda s: ratio(s["x"], s["n"]), sums, ones, games=1000, name=["a", "b", "c"])
    )
    assert apart.tolist() == [[False, False, True], [False, False, True], [True, True, False]]
