"""The response surface predicts rule sets that were not played, with honest errors."""

import numpy as np
import pytest
from inside.experiments.balancing import Evaluation, fit_surface, polynomial_terms

FACTORS, NUMBERS, NOISE = 4, 6, 0.02


def _truth(rng: np.random.Generator):
    """Numbers that three factors move; each of the first two moves one number strongly."""
    slopes = np.zeros((FACTORS, NUMBERS))
    slopes[:3] = 0.03 * rng.normal(size=(3, NUMBERS))
    slopes[0, 0], slopes[1, 1] = 0.3 * rng.choice([-1, 1], 2)
    level = rng.normal(0, 0.05, NUMBERS)
    return lambda scaled: level + scaled @ slopes + 0.3 * scaled**2 @ slopes


def _evaluations(rng: np.random.Generator, count: int, power) -> list[Evaluation]:
    """Evaluations in rounds of 8; most of their noise is common to a round."""
    observed = []
    for number in range(count):
        if number % 8 == 0:
            common = rng.normal(0, 0.8**0.5 * NOISE, NUMBERS)
        scaled = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], FACTORS)
        values = power(scaled) + common + rng.normal(0, 0.2**0.5 * NOISE, NUMBERS)
        observed.append(Evaluation(scaled, number // 8, 500, values, np.full(NUMBERS, NOISE)))
    return observed


def test_rule_sets_that_were_not_played_are_predicted_within_the_errors() -> None:
    misses = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        power = _truth(rng)
        surface = fit_surface(_evaluations(rng, 40, power))
        points = rng.uniform(-1, 1, (200, FACTORS))
        mean, variance = surface.predict(points)
        square = (mean - power(points)) ** 2
        misses.append((np.sqrt(square.mean()), np.sqrt((square / variance).mean())))
    missed, in_errors = np.mean(misses, axis=0)
    assert missed < NOISE  # forty evaluations together are more precise than one
    assert 0.6 < in_errors < 1.4


def test_draws_have_the_predicted_mean_and_variance() -> None:
    rng = np.random.default_rng(1)
    power = _truth(rng)
    surface = fit_surface(_evaluations(rng, 20, power))
    points = np.stack([np.zeros(FACTORS), np.full(FACTORS, 0.7)])
    mean, variance = surface.predict(points)
    drawn = polynomial_terms(points) @ surface.draw_weights(rng, 4000)
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=5 * np.sqrt(variance.max() / 4000))
    assert drawn.var(axis=0) == pytest.approx(variance, rel=0.15)
