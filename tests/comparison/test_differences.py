"""Differences: paired where deals are shared, unpaired where not, with the intervals they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW, ttost_ind, ttost_paired

from ethnos_sim.experiments.statistics.jackknife import Jackknife
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.comparison.differences import differences, welch_degrees
from ethnos_sim.reports.comparison.equivalence import beyond_p, equivalence_p
from ethnos_sim.reports.comparison.words import CHANGED, EQUIVALENT, UNDECIDED, words_of_family

BLOCKS = 32


def measured(blocks: np.ndarray, names: tuple[str, ...], leverage: float = BLOCKS - 1) -> Measure:
    """A measure whose statistic is the mean over blocks, shape (blocks, names)."""
    jackknife = Jackknife(blocks.mean(axis=0), blocks, np.full(len(blocks), leverage))
    counts = np.full(len(names), 10_000)
    return Measure(
        definition="win_lift",
        unit="fair_shares",
        names=names,
        jackknife=jackknife,
        games=counts,
        events=counts,
        population="toy",
    )


def two_sides(seed: int, shared: float = 1.0, moved: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of two sides, shape (blocks, 1), with luck in common."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, shared, (BLOCKS, 1))
    return luck + rng.normal(0, 1, (BLOCKS, 1)), luck + rng.normal(0, 1, (BLOCKS, 1)) + moved


def test_shared_deals_give_the_interval_of_the_paired_t_test():
    one, two = two_sides(1)
    found = differences(measured(one, ("bear",)), measured(two, ("bear",)), same_deals=True)
    low, high = found.interval()
    expected = DescrStatsW((two - one)[:, 0]).tconfint_mean()
    assert (low[0], high[0]) == pytest.approx(expected)
    assert found.paired
    variances = one.var(ddof=1) + two.var(ddof=1)
    assert found.variance_ratio[0] == pytest.approx(variances / (two - one).var(ddof=1))
    assert found.variance_ratio[0] > 1.3


def test_other_deals_give_the_interval_of_welchs_t_test():
    one, two = two_sides(2)
    found = differences(measured(one, ("bear",)), measured(two * 3, ("bear",)), same_deals=False)
    low, high = found.interval()
    expected = stats.ttest_ind(two[:, 0] * 3, one[:, 0], equal_var=False).confidence_interval()
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high))
    assert not found.paired
    assert np.isnan(found.variance_ratio[0])


def test_sides_whose_blocks_differ_in_size_are_not_paired():
    one, two = two_sides(3)
    first = measured(one, ("bear",))
    found = differences(first, measured(two, ("bear",), leverage=30.0), same_deals=True)
    assert not found.paired


def test_only_names_of_both_sides_are_compared_under_the_first_sides_name():
    blocks = np.random.default_rng(4).normal(0, 1, (BLOCKS, 3))
    first = measured(blocks, ("giant", "orc", "elf"))
    second = measured(blocks[:, :2] + 1, ("koi", "bear"))
    found = differences(first, second, same_deals=True, renamed={"giant": "bear", "orc": "koi"})
    assert found.names == ("giant", "orc")
    assert found.value == pytest.approx(
        [
            *(blocks[:, 1] + 1 - blocks[:, 0]).mean(keepdims=True),
            *(blocks[:, 0] + 1 - blocks[:, 1]).mean(keepdims=True),
        ]
    )


def test_measures_of_different_estimands_cannot_be_compared():
    one, two = two_sides(5)
    first = measured(one, ("bear",))
    other = measured(two, ("bear",))
    wrong = Measure(
        definition="usage",
        unit="share",
        names=other.names,
        jackknife=other.jackknife,
        games=other.games,
        events=other.events,
        population="toy",
    )
    with pytest.raises(ValueError, match="win_lift cannot be compared with usage"):
        differences(first, wrong, same_deals=True)


def test_a_number_with_too_few_events_has_no_interval_and_is_undecided():
    one, two = two_sides(6, moved=9.0)
    few = measured(two, ("bear",))
    few.events[:] = 5
    found = differences(measured(one, ("bear",)), few, same_deals=True)
    assert not found.trusted[0]
    assert words_of_family([found], [np.asarray([0.02])]) == [[UNDECIDED]]


def test_degrees_of_two_equal_errors_add_up():
    degrees = welch_degrees(np.asarray([0.5, 0.0]), np.asarray([0.5, 0.0]), 31, 31)
    assert degrees == pytest.approx([62, 62])


@pytest.mark.parametrize("margin", [0.3, 0.8, 2.0])
def test_equivalence_is_the_two_one_sided_tests_of_statsmodels(margin):
    one, two = two_sides(7)
    paired = differences(measured(one, ("bear",)), measured(two, ("bear",)), same_deals=True)
    p = equivalence_p(paired.value, paired.standard_error, paired.degrees, margin)
    expected = ttost_paired(two[:, 0], one[:, 0], -margin, margin)[0]
    assert p[0] == pytest.approx(expected)
    apart = differences(measured(one, ("bear",)), measured(two, ("bear",)), same_deals=False)
    p = equivalence_p(apart.value, apart.standard_error, apart.degrees, margin)
    expected = ttost_ind(two[:, 0], one[:, 0], -margin, margin, usevar="unequal")[0]
    assert p[0] == pytest.approx(expected)


def test_beyond_a_limit_of_nothing_is_the_two_sided_t_test():
    one, two = two_sides(8, moved=0.5)
    found = differences(measured(one, ("bear",)), measured(two, ("bear",)), same_deals=True)
    p = beyond_p(found.value, found.standard_error, found.degrees)
    assert p[0] == pytest.approx(stats.ttest_rel(two[:, 0], one[:, 0]).pvalue)


def test_at_the_limit_the_test_beyond_it_has_its_level():
    rng = np.random.default_rng(9)
    blocks = rng.normal(0.5, 1, (4000, BLOCKS))
    error = blocks.std(axis=1, ddof=1) / np.sqrt(BLOCKS)
    p = beyond_p(blocks.mean(axis=1), error, np.full(4000, BLOCKS - 1.0), 0.5)
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.012)


def test_no_error_is_certainty_and_a_missing_one_is_none():
    value, degrees = np.asarray([0.0, 0.5, 0.5]), np.full(3, 31.0)
    error = np.asarray([0.0, 0.0, np.nan])
    assert beyond_p(value, error, degrees, 0.1).tolist() == [1.0, 0.0, 1.0]
    assert equivalence_p(value, error, degrees, 0.1).tolist() == [0.0, 1.0, 1.0]


def test_a_sure_but_small_difference_is_equivalent_and_a_large_one_changed():
    rng = np.random.default_rng(10)
    noise = rng.normal(0, 0.01, (BLOCKS, 3))
    first = measured(noise, ("bear", "fox", "koi"))
    moved = np.asarray([0.01, 0.5, 0.0])
    wide = np.asarray([1, 1, 60.0])
    second = measured(noise + moved + wide * rng.normal(0, 0.005, (BLOCKS, 3)), first.names)
    found = differences(first, second, same_deals=True)
    words = words_of_family([found], [np.full(3, 0.02)])
    assert words == [[EQUIVALENT, CHANGED, UNDECIDED]]


def test_holm_keeps_chance_findings_out_of_a_family():
    rng = np.random.default_rng(11)
    changed = 0
    for _ in range(200):
        names = tuple(f"clan {i}" for i in range(20))
        one, two = rng.normal(0, 1, (2, BLOCKS, 20))
        found = differences(measured(one, names), measured(two, names), same_deals=False)
        changed += CHANGED in words_of_family([found], [np.full(20, 0.01)])[0]
    assert changed / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_intervals_of_paired_differences_cover_the_truth():
    covered = 0
    for seed in range(1000):
        one, two = two_sides(seed + 100, moved=0.2)
        found = differences(measured(one, ("bear",)), measured(two, ("bear",)), same_deals=True)
        low, high = found.interval()
        covered += low[0] <= 0.2 <= high[0]
    assert covered / 1000 == pytest.approx(0.95, abs=0.021)
