"""The response surface predicts rule sets that were not played, with honest errors."""

import numpy as np
import pytest
from inside.experiments.balancing import Fitted, Observed, features, fit

FACTORS, NUMBERS, NOISE = 4, 6, 0.02
NEAR = np.zeros((FACTORS, NUMBERS), dtype=bool)
NEAR[0, 0] = NEAR[1, 1] = True


def _truth(rng: np.random.Generator):
    """Numbers that two factors each move strongly, and that the third moves a little."""
    slopes = 0.03 * rng.normal(size=(FACTORS, NUMBERS)) * NEAR.any(axis=1, keepdims=True)
    slopes[2] = 0.03 * rng.normal(size=NUMBERS)
    slopes += 0.3 * NEAR * rng.choice([-1, 1], NUMBERS)
    level = rng.normal(0, 0.05, NUMBERS)
    return lambda scaled: level + scaled @ slopes + 0.3 * scaled**2 @ slopes


def _evaluations(rng: np.random.Generator, count: int, power) -> list[Observed]:
    observed = []
    for number in range(count):
        scaled = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], FACTORS)
        values = power(scaled) + rng.normal(0, NOISE, NUMBERS)
        observed.append(Observed(scaled, number // 8, 500, values, np.full(NUMBERS, NOISE)))
    return observed


def _missed(fitted: Fitted, rng: np.random.Generator, power) -> tuple[float, float]:
    """The root mean square of prediction errors at new points, also in standard errors."""
    points = rng.uniform(-1, 1, (200, FACTORS))
    mean, variance = fitted.predict(points)
    square = (mean - power(points)) ** 2
    return float(np.sqrt(square.mean())), float(np.sqrt((square / variance).mean()))


def test_rule_sets_that_were_not_played_are_predicted_within_the_errors() -> None:
    misses = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        power = _truth(rng)
        fitted = fit(_evaluations(rng, 40, power), range(NUMBERS), NEAR)
        misses.append(_missed(fitted, rng, power))
    missed, in_errors = np.mean(misses, axis=0)
    assert missed < NOISE  # forty evaluations together are more precise than one
    assert 0.6 < in_errors < 1.4


def test_knowing_the_clan_of_a_value_helps_if_few_evaluations_were_played() -> None:
    better = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        power = _truth(rng)
        evaluations = _evaluations(rng, 12, power)
        knowing, not_knowing = (
            _missed(fit(evaluations, range(NUMBERS), near), np.random.default_rng(seed), power)[0]
            for near in (NEAR, np.zeros_like(NEAR))
        )
        better += knowing < not_knowing
    assert better >= 10


def test_draws_have_the_predicted_mean_and_variance() -> None:
    rng = np.random.default_rng(1)
    power = _truth(rng)
    evaluations = _evaluations(rng, 20, power)
    fitted = fit(evaluations, range(NUMBERS), NEAR)
    points = np.stack([np.zeros(FACTORS), evaluations[0].scaled, np.full(FACTORS, 0.7)])
    mean, variance = fitted.predict(points)
    drawn = fitted.sampled(points, 4000, rng)
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=5 * np.sqrt(variance.max() / 4000))
    assert drawn.var(axis=0) == pytest.approx(variance, rel=0.15)
    lines = np.stack([features(points) @ fitted.drawn(rng) for _ in range(500)])
    # `lines` lack the extra term of each rule set.
    assert lines[:, 2].mean(axis=0) == pytest.approx(mean[2], abs=5 * np.sqrt(variance.max() / 500))
    assert (lines[:, 2].var(axis=0) < 1.3 * variance[2]).all()
