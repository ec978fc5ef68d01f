"""Differences are paired where deals are shared, and their intervals cover as claimed."""

import numpy as np
import pytest
from inside.reports.comparison import compare_numbers, with_verdicts
from scipy import stats
from toy_numbers import numbers_of

from ethnos_sim.experiments import Verdict, together

BLOCKS = 32


def two_sides(seed: int, shared: float = 1.0, moved: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Block values of two sides that share noise, shape (blocks, 1)."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, shared, (BLOCKS, 1))
    return luck + rng.normal(0, 1, (BLOCKS, 1)), luck + rng.normal(0, 1, (BLOCKS, 1)) + moved


def test_shared_deals_give_the_interval_of_the_paired_t_test():
    one, two = two_sides(1)
    differences = numbers_of(two).minus(numbers_of(one), same_deals=True)
    low, high = differences.interval()
    expected = tuple(stats.ttest_rel(two[:, 0], one[:, 0]).confidence_interval())
    assert (low[0], high[0]) == pytest.approx(expected)
    variances = one.var(ddof=1) + two.var(ddof=1)
    ((verdicts,),) = with_verdicts(
        [compare_numbers(numbers_of(one, ["bear"]), numbers_of(two, ["bear"]))]
    )
    assert verdicts.variance_ratio == pytest.approx(variances / (two - one).var(ddof=1))
    assert verdicts.variance_ratio > 1.3
    assert (verdicts.difference.low, verdicts.difference.high) == pytest.approx(expected)


def test_other_deals_give_the_interval_of_welchs_t_test():
    one, two = two_sides(2)
    differences = numbers_of(two * 3).minus(numbers_of(one), same_deals=False)
    low, high = differences.interval()
    expected = stats.ttest_ind(two[:, 0] * 3, one[:, 0], equal_var=False).confidence_interval()
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high))
    sides = numbers_of(one, ["bear"]), numbers_of(two * 3, ["bear"])
    ((verdicts,),) = with_verdicts([compare_numbers(*sides, same_deals=False)])
    assert verdicts.variance_ratio is None


def test_sides_whose_blocks_differ_in_size_are_not_paired():
    one, two = two_sides(3)
    first, second = numbers_of(one), numbers_of(two, leverage=30.0)
    apart = np.hypot(first.standard_error, second.standard_error)
    assert second.minus(first).standard_error == pytest.approx(apart)


def test_only_names_on_both_sides_are_compared_and_labelled_as_on_the_first_side():
    blocks = np.random.default_rng(4).normal(0, 1, (BLOCKS, 3))
    first = numbers_of(blocks, ("giant", "orc", "elf"))
    second = numbers_of(blocks[:, :2] + 1, ("koi", "bear"))
    called = second.renamed({"bear": "giant", "koi": "orc"}, "name")
    pairs = compare_numbers(first, called)
    assert pairs.names == ("giant", "orc")
    assert list(pairs.value) == pytest.approx(
        [(blocks[:, 1] + 1 - blocks[:, 0]).mean(), (blocks[:, 0] + 1 - blocks[:, 1]).mean()]
    )


def test_numbers_of_different_estimands_are_not_compared():
    one, two = two_sides(5)
    assert compare_numbers(numbers_of(one), numbers_of(two, estimand="usage")).names == ()


def test_a_number_with_too_few_events_has_no_interval_and_is_open():
    one, two = two_sides(6, moved=9.0)
    comparison = compare_numbers(numbers_of(one), numbers_of(two, games=5))
    ((told,),) = with_verdicts([comparison])
    assert (told.difference.low, told.verdict) == (None, Verdict.OPEN)


def test_a_precise_small_difference_is_alike_and_a_precise_large_one_matters():
    rng = np.random.default_rng(10)
    noise = rng.normal(0, 0.01, (BLOCKS, 3))
    moved = np.asarray([0.01, 0.5, 0.0])
    wide = np.asarray([1, 1, 60.0])
    second = noise + moved + wide * rng.normal(0, 0.005, (BLOCKS, 3))
    (judged,) = with_verdicts([compare_numbers(numbers_of(noise), numbers_of(second))])
    assert [difference.verdict for difference in judged] == [
        Verdict.ALIKE,
        Verdict.MATTERS,
        Verdict.OPEN,
    ]


def test_equal_sides_have_no_number_that_matters_in_95_of_100_comparisons():
    """Over seven families of numbers and several situations, as the headline counts them."""
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(400):
        one, two = rng.normal(0, 1, (2, BLOCKS, 60))
        kinds = ("win_lift", "usage", "worth", "seat_edge", "strategy_share")
        sides = [
            together(
                numbers_of(blocks[:, 12 * n : 12 * n + 12], estimand=kind)
                for n, kind in enumerate(kinds)
            )
            for blocks in (one, two)
        ]
        (judged,) = with_verdicts([compare_numbers(*sides, same_deals=False)])
        assert len(judged) == 60
        alarms += any(difference.verdict is Verdict.MATTERS for difference in judged)
    assert alarms / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
