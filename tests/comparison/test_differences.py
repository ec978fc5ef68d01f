"""Differences are paired where deals are shared, and their intervals cover as claimed."""

import numpy as np
import pytest
from inside.experiments import Verdict
from inside.reports.comparison import compare_numbers, with_verdicts
from scipy import stats
from toy_numbers import numbers_of

BLOCKS = 32


def two_sides(seed: int, moved: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Block values of two sides that share noise, shape (blocks, 1)."""
    rng = np.random.default_rng(seed)
    luck, one, two = rng.normal(0, 1, (3, BLOCKS, 1))
    return luck + one, luck + two + moved


def compared(*sides, **how):
    """The numbers of two sides with their verdicts."""
    (numbers,) = with_verdicts([compare_numbers(*sides, **how)])
    return numbers


def test_shared_deals_give_the_interval_of_the_paired_t_test():
    one, two = two_sides(1)
    (number,) = compared(numbers_of(one, ["bear"]), numbers_of(two, ["bear"]))
    expected = tuple(stats.ttest_rel(two[:, 0], one[:, 0]).confidence_interval())
    assert (number.difference.low, number.difference.high) == pytest.approx(expected)


def test_other_deals_give_the_interval_of_welchs_t_test():
    one, two = two_sides(2)
    sides = numbers_of(one, ["bear"]), numbers_of(two * 3, ["bear"])
    (number,) = compared(*sides, same_deals=False)
    expected = stats.ttest_ind(two[:, 0] * 3, one[:, 0], equal_var=False).confidence_interval()
    assert (number.difference.low, number.difference.high) == pytest.approx(tuple(expected))


def test_only_names_and_estimands_on_both_sides_are_compared_in_the_first_sides_order():
    blocks = np.random.default_rng(4).normal(0, 1, (BLOCKS, 3))
    first = numbers_of(blocks, ("giant", "orc", "elf"))
    second = numbers_of(blocks[:, :2] + 1, ("koi", "bear"))
    pairs = compare_numbers(first, second.rename_labels({"bear": "giant", "koi": "orc"}, "name"))
    assert pairs.names == ("giant", "orc")
    moved = (blocks[:, [1, 0]] + 1 - blocks[:, [0, 1]]).mean(axis=0)
    assert list(pairs.value) == pytest.approx(list(moved))
    assert compare_numbers(first, numbers_of(blocks, first.names, estimand="usage")).names == ()


def test_a_number_with_too_few_events_has_no_interval_and_is_open():
    one, two = two_sides(6, moved=9.0)
    (told,) = compared(numbers_of(one), numbers_of(two, games=5))
    assert (told.difference.low, told.verdict) == (None, Verdict.OPEN)


def test_a_precise_small_difference_is_alike_and_a_precise_large_one_matters():
    rng = np.random.default_rng(10)
    noise = rng.normal(0, 0.01, (BLOCKS, 3))
    moved, wide = np.asarray([0.01, 0.5, 0.0]), np.asarray([1, 1, 60.0])
    second = noise + moved + wide * rng.normal(0, 0.005, (BLOCKS, 3))
    verdicts = [number.verdict for number in compared(numbers_of(noise), numbers_of(second))]
    assert verdicts == [Verdict.ALIKE, Verdict.MATTERS, Verdict.OPEN]


def test_equal_sides_have_no_number_that_matters_in_95_of_100_comparisons():
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(400):
        judged = compared(*map(numbers_of, rng.normal(0, 1, (2, BLOCKS, 60))), same_deals=False)
        alarms += any(number.verdict is Verdict.MATTERS for number in judged)
    assert alarms / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
