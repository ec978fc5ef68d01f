"""One rule decides whether a difference matters, and it seldom changes its mind."""

import json
from pathlib import Path

import numpy as np
import pytest
from inside.experiments import Verdict
from inside.experiments.statistics import family_verdicts, verdict_of, verdicts
from scipy import stats
from toy_numbers import numbers_of

CASES = json.loads(Path(__file__).parents[1].joinpath("verdicts.json").read_text())
BLOCKS = 32
MARGIN = 1.0


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_verdict_of_an_interval(case) -> None:
    assert verdict_of(case["low"], case["high"], case["limit"]) == case["verdict"]


def simulated(truth: float, error: float, count: int, seed: int) -> np.ndarray:
    """Block values of numbers with one true value and about one standard error."""
    rng = np.random.default_rng(seed)
    return rng.normal(truth, error * np.sqrt(BLOCKS), (BLOCKS, count))


@pytest.mark.parametrize("truth", [0.0, 0.5, 0.7, 0.9, 1.0, 1.1, 1.5])
@pytest.mark.parametrize("error", [0.15, 0.3, 0.6])
def test_ten_times_the_games_seldom_turn_alike_into_matters_or_back(truth, error) -> None:
    """Whatever the true difference; with a limit of 0, every second report changed its mind."""
    first = simulated(truth, error, 2_000, 1)
    rest = simulated(truth, error / 3, 2_000, 2)
    before, after = (
        verdicts(numbers_of(blocks), MARGIN) for blocks in (first, (first + 9 * rest) / 10)
    )
    settled = {Verdict.ALIKE, Verdict.MATTERS}
    turned = [a != b and {a, b} == settled for a, b in zip(before, after, strict=True)]
    assert np.mean(turned) <= 0.05


@pytest.mark.parametrize("error", [0.2, 1.0, 5.0])
def test_a_family_of_equal_numbers_seldom_has_one_that_matters(error) -> None:
    alarms = [
        Verdict.MATTERS in family_verdicts(numbers_of(simulated(0.0, error, 60, seed)), MARGIN)
        for seed in range(300)
    ]
    assert np.mean(alarms) <= stats.binom.ppf(0.999, 300, 0.05) / 300


def test_a_family_needs_more_games_only_for_what_matters() -> None:
    numbers = numbers_of(np.hstack([simulated(2.0, 0.35, 60, 1), simulated(0.0, 0.3, 60, 2)]))
    alone, family = verdicts(numbers, MARGIN), family_verdicts(numbers, MARGIN)
    changed = {(a, b) for a, b in zip(alone, family, strict=True) if a != b}
    assert changed == {(Verdict.MATTERS, Verdict.OPEN)}
