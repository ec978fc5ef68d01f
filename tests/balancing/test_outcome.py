"""The outcome of a search: true improvements are found, and no false ones."""

from types import SimpleNamespace

import numpy as np
import pytest
from balancing_truth import BLOCKS, CLANS
from inside.experiments import Estimates, Verdict
from inside.experiments.balancing import SearchResult
from inside.reports.balancing import (
    BETTER,
    DEPENDS,
    FOUND,
    NONE,
    Aim,
    Validation,
    judge_finalists,
    make_outcome,
)
from toy_numbers import numbers_of

ERROR = 0.004
"""The standard error of a clan's power."""

START, BEST, SINGLE, OTHER = (0,), (2,), (1,), (3,)


@pytest.fixture
def aim(spread) -> Aim:
    """The spread of clans."""
    names = tuple(map(str, range(CLANS)))
    return Aim(description="", estimand="worth", names=names, unit="share_spread", target=spread)


def _row(true: np.ndarray, rng: np.random.Generator, common: np.ndarray) -> Estimates:
    """Measured numbers; half of their noise is `common` to all rule sets."""
    return numbers_of(true + rng.normal(0, ERROR * np.sqrt(BLOCKS / 2), (BLOCKS, CLANS)) + common)


def _validation(truths: dict, seed: int) -> Validation:
    rng = np.random.default_rng(seed)
    common = rng.normal(0, ERROR * np.sqrt(BLOCKS / 2), (BLOCKS, CLANS))
    return Validation("", {p: _row(true, rng, common) for p, true in truths.items()}, 1000)


def test_equal_rule_sets_are_seldom_called_better(aim) -> None:
    found = 0
    for seed in range(400):
        true = np.random.default_rng(seed).normal(0, 0.02, CLANS)
        validation = _validation(dict.fromkeys((START, SINGLE, BEST, OTHER), true), seed)
        found += any(f.word == BETTER for f in judge_finalists(aim, validation, START).values())
    # At most 2.5 % of runs may call any rule set better. 20 or more of 400 have a chance of 0.3 %.
    assert found < 20


def test_the_intervals_of_all_finalists_hold_together(aim) -> None:
    missed = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        truths = {
            point: rng.normal(0, rng.uniform(0, 0.03), CLANS)
            for point in (START, SINGLE, BEST, OTHER)
        }
        finalists = judge_finalists(aim, _validation(truths, 1000 + seed), START)
        spreads = {point: true.std(ddof=1) for point, true in truths.items()}
        for point, true in spreads.items():
            distance, change = finalists[point].distance, finalists[point].change
            missed_here = not distance.low <= true <= distance.high
            if change is not None:
                missed_here |= not change.low <= true - spreads[START] <= change.high
            missed += missed_here
    # 5 % of 300 families may miss. 28 or more have a chance of 0.2 %.
    assert missed < 28


def test_the_outcome_is_mixed_if_another_population_calls_the_rules_worse(aim) -> None:
    request = SimpleNamespace(aim=aim, space=SimpleNamespace(baseline=START))
    wide, narrow = np.linspace(-0.06, 0.06, CLANS), np.linspace(-0.01, 0.01, CLANS)
    one = _validation({START: wide, BEST: narrow}, 1)
    other = _validation({START: narrow, BEST: wide}, 2)

    def word(best: tuple[int, ...], *validations: Validation) -> str:
        return make_outcome(request, SearchResult(best, 0, 0), validations).word

    assert word(BEST, one) == word(BEST, one, one) == FOUND
    assert word(BEST, one, other) == DEPENDS
    assert word(BEST, other) == word(START, one) == NONE


def test_a_change_within_the_margin_is_alike(aim) -> None:
    """The margin is the same as in `compare`: 0.5 percentage points of spread."""
    shape = np.linspace(-1, 1, CLANS) / np.linspace(-1, 1, CLANS).std(ddof=1)
    luck = np.random.default_rng(3).normal(0, 0.0004, (BLOCKS, CLANS))
    rows = {START: numbers_of(0.050 * shape + luck), BEST: numbers_of(0.047 * shape + luck)}
    finalist = judge_finalists(aim, Validation("", rows, 1000), START)[BEST]
    assert finalist.change.high < 0
    assert finalist.change.value == pytest.approx(-0.003, abs=0.0001)
    assert finalist.word == Verdict.ALIKE


def test_rule_sets_with_identical_games_differ_by_zero(aim) -> None:
    """Games are identical if the players never meet the changed value."""
    level = _row(np.zeros(CLANS), np.random.default_rng(2), np.zeros((BLOCKS, CLANS)))
    assert aim.target.imbalance_estimate(level).bias_corrected[0] < 0
    validation = Validation("", {START: level, BEST: level}, 1)
    change = judge_finalists(aim, validation, START)[BEST].change
    assert (change.low, change.value, change.high) == (0, 0, 0)
