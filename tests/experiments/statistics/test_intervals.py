"""Intervals: each formula against its textbook form or an independent implementation."""

import numpy as np
import pytest
from inside.experiments import jackknife, ratio
from inside.experiments.statistics import controlled_mean, t_quantile, wilson_interval
from scipy import stats

RNG = np.random.default_rng(20)


def _ratio_sums(blocks: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    sizes = RNG.integers(5, 50, blocks)
    below = RNG.poisson(20 * sizes)
    return {"above": RNG.binomial(below, 0.3), "below": below}, sizes


def _statistic(sums):
    return ratio(sums["above"], sums["below"])[..., None]


def test_jackknife_with_unequal_blocks_follows_busing_meijer_and_van_der_leeden():
    sums, sizes = _ratio_sums(25)
    estimates = jackknife(_statistic, sums, sizes)
    whole = sums["above"].sum() / sums["below"].sum()
    total = sizes.sum()
    above, below = (sums[name].sum() - sums[name] for name in ("above", "below"))
    without = above / below
    h = total / sizes
    center = 25 * whole - np.sum((1 - sizes / total) * without)
    pseudo = h * whole - (h - 1) * without
    variance = np.mean((pseudo - center) ** 2 / (h - 1))
    assert estimates.standard_error == pytest.approx(np.sqrt(variance), rel=1e-9)


def test_blocks_without_games_do_not_count():
    sums, sizes = _ratio_sums(24)
    padded = {name: np.concatenate([array, np.zeros(8, np.int64)]) for name, array in sums.items()}
    plain = jackknife(_statistic, sums, sizes)
    estimates = jackknife(_statistic, padded, np.concatenate([sizes, np.zeros(8, np.int64)]))
    assert estimates.blocks == 24
    assert estimates.standard_error == plain.standard_error


def test_interval_reaches_a_t_quantile_with_one_degree_less_than_blocks():
    sums, sizes = _ratio_sums(32)
    estimates = jackknife(_statistic, sums, sizes)
    for comparisons in (1, 4):
        low, high = estimates.interval(comparisons)
        reach = stats.t.ppf(1 - 0.025 / comparisons, 31) * estimates.standard_error
        assert (high - low) / 2 == pytest.approx(reach)


def test_students_t_is_as_scipy_has_it():
    degrees = np.concatenate([RNG.uniform(0.5, 80, 500), [1, 2, 31, 62, 1000]])
    chance = 1 - 10 ** RNG.uniform(-7, 0, len(degrees))
    assert t_quantile(degrees, chance) == pytest.approx(stats.t.ppf(chance, degrees), rel=1e-9)
    assert np.isnan(t_quantile([-1.0, 0.0, np.nan], 0.9)).all()
    assert t_quantile(31, 0.5) == 0


def test_differences_are_the_jackknife_of_the_difference():
    x = RNG.integers(0, 100, (32, 3))
    sums = {"x": x, "n": np.ones((32, 1), np.int64)}
    ones = np.ones(32, np.int64)
    shares = jackknife(lambda s: ratio(s["x"], s["n"]), sums, ones, name=["a", "b", "c"])
    third = shares.rows_at([2]).rename_labels({"c": "a"}, "name")
    pair = shares.rows_at([0]).minus(third, ["name"])
    direct = jackknife(lambda s: ratio(s["x"][..., :1] - s["x"][..., 2:], s["n"]), sums, ones)
    assert pair.value == pytest.approx(direct.value)
    assert pair.standard_error == pytest.approx(direct.standard_error)


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (3, 10), (250, 1000), (1000, 1000)])
def test_wilson_is_the_score_interval(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson_interval(successes, trials) == pytest.approx(tuple(expected), abs=1e-12)


CONTROLLED = ("total", "control", "product", "square", "count")
TRUE_MEAN, SLOPE = 200, 3


def _controlled(sums):
    return controlled_mean(*(sums[name] for name in CONTROLLED))[..., None]


def _with_a_control(rng: np.random.Generator, deals: int, games: int) -> dict[str, np.ndarray]:
    """Sums by block for games whose deals share x, of mean 0, and further noise."""
    x = np.repeat(rng.integers(-20, 21, (deals, 1)), games, axis=1)
    shared = rng.integers(-3, 4, (deals, 1))
    y = TRUE_MEAN + SLOPE * x + shared + rng.integers(-15, 16, (deals, games))
    by_deal = dict(zip(CONTROLLED, (y, x, x * y, x * x, np.ones_like(x)), strict=True))
    return {
        name: values.sum(axis=1).reshape(32, -1).sum(axis=1) for name, values in by_deal.items()
    }


def test_a_mean_with_a_control_variate_is_the_constant_of_the_regression_on_it():
    x, y = RNG.normal(size=50), RNG.normal(size=50)
    constant = stats.linregress(x, y).intercept
    mean = controlled_mean(y.sum(), x.sum(), (x * y).sum(), (x * x).sum(), np.float64(50))
    assert mean == pytest.approx(constant, rel=1e-9)


def test_a_control_variate_that_never_varies_changes_nothing():
    y = np.asarray([3, 5, 10])
    zero = np.int64(0)
    assert controlled_mean(y.sum(), zero, zero, zero, np.int64(3)) == 6


@pytest.mark.parametrize("deals", [32, 96])
def test_intervals_of_means_with_a_control_variate_cover_and_are_narrower(deals):
    rng = np.random.default_rng(17)
    covered, shorter = [], []
    for _ in range(1600):
        sums = _with_a_control(rng, deals, 16)
        estimates = jackknife(_controlled, sums, sums["count"])
        low, high = estimates.interval()
        covered.append(low <= TRUE_MEAN <= high)
        plain = jackknife(lambda s: ratio(s["total"], s["count"])[..., None], sums, sums["count"])
        shorter.append(plain.standard_error / estimates.standard_error)
    assert 0.93 <= np.mean(covered) <= 0.97
    assert np.median(shorter) > 5
