"""The outcome of a search: true improvements are found, and no false ones."""

import numpy as np
import pytest
from balancing_truth import BLOCKS, CLANS
from inside.experiments.balancing import Goals, Keep
from inside.reports.balancing import (
    AGAINST_SINGLE,
    BETTER,
    CHANGE,
    FOUND,
    IMBALANCE,
    MIXED_WORDS,
    NONE,
    Validation,
    kept,
    outcome_of,
)
from toy_numbers import numbers_of

from ethnos_sim.experiments import Estimates, Verdict

ERROR = 0.004
"""The standard error of a clan's power."""


def _row(true: np.ndarray, rng: np.random.Generator, common: np.ndarray) -> Estimates:
    """Measured numbers; half of their noise is `common` to all rule sets."""
    noise = rng.normal(0, ERROR * np.sqrt(BLOCKS / 2), (BLOCKS, len(true)))
    blocks = true + noise + common
    return numbers_of(blocks)


def _validation(space, truths: dict, seed: int, name: str = "search") -> Validation:
    rng = np.random.default_rng(seed)
    common = rng.normal(0, ERROR * np.sqrt(BLOCKS / 2), (BLOCKS, CLANS))
    return Validation(name, name, {p: _row(t, rng, common) for p, t in truths.items()}, 1000)


def _points(space):
    (start,) = space.start
    return (start,), (start + 1,), (start + 2,), (start - 1,)


def test_equal_rule_sets_are_seldom_called_better(space_over, spread) -> None:
    space = space_over("bear.on_take")
    points = _points(space)
    words = []
    for seed in range(400):
        true = np.random.default_rng(seed).normal(0, 0.02, CLANS)
        validated = _validation(space, dict.fromkeys(points, true), seed)
        outcome = outcome_of(space, spread, points[2], points[1], [validated])
        words.append(BETTER in outcome.numbers["word"])
        assert outcome.word in (NONE, FOUND)
    # At most 2.5 % of runs may call any rule set better. 20 or more of 400 have a chance of 0.3 %.
    assert sum(words) < 20


def test_the_intervals_of_all_finalists_hold_together(space_over, spread) -> None:
    space = space_over("bear.on_take")
    points = _points(space)
    missed = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        truths = {point: rng.normal(0, rng.uniform(0, 0.03), CLANS) for point in points}
        validation = _validation(space, truths, 1000 + seed)
        outcome = outcome_of(space, spread, points[2], points[1], [validation])
        spreads = {point: true.std(ddof=1) for point, true in truths.items()}
        standing = spreads[space.start]
        for point, true in spreads.items():
            level, change = (outcome.of(validation, point, told) for told in (IMBALANCE, CHANGE))
            missed_here = not level.low <= true <= level.high
            if change is not None:
                missed_here |= not change.low <= true - standing <= change.high
            missed += missed_here
    # 5 % of 300 families may miss. 28 or more have a chance of 0.2 %.
    assert missed < 28


def test_the_outcome_is_mixed_if_another_population_calls_the_rules_worse(
    space_over, spread
) -> None:
    space = space_over("bear.on_take")
    start, best, *_ = _points(space)
    wide, narrow = np.linspace(-0.06, 0.06, CLANS), np.linspace(-0.01, 0.01, CLANS)
    one = _validation(space, {start: wide, best: narrow}, 1)
    other = _validation(space, {start: narrow, best: wide}, 2, "others")
    assert outcome_of(space, spread, best, best, [one]).word == FOUND
    assert outcome_of(space, spread, best, best, [one, one]).word == FOUND
    assert outcome_of(space, spread, best, best, [one, other]).word == MIXED_WORDS
    assert outcome_of(space, spread, best, best, [other]).word == NONE
    assert outcome_of(space, spread, start, best, [one]).word == NONE


def test_a_change_within_the_margin_is_alike_and_not_recommended(space_over, spread) -> None:
    """The margin is the same as in `compare`: 0.5 percentage points of spread."""
    space = space_over("bear.on_take")
    start, best, *_ = _points(space)
    shape = np.linspace(-1, 1, CLANS) / np.linspace(-1, 1, CLANS).std(ddof=1)
    luck = np.random.default_rng(3).normal(0, 0.0004, (BLOCKS, CLANS))
    rows = {start: numbers_of(0.050 * shape + luck), best: numbers_of(0.047 * shape + luck)}
    validation = Validation("search", "", rows, 1000)
    outcome = outcome_of(space, spread, best, best, [validation])
    changed = outcome.of(validation, best, CHANGE)
    assert changed.high < 0
    assert changed.value == pytest.approx(-0.003, abs=0.0001)
    assert (outcome.word_of(validation, best), outcome.word) == (Verdict.ALIKE, NONE)


def test_rule_sets_with_identical_games_differ_by_zero(space_over, spread) -> None:
    """Games are identical if the players never meet the changed value."""
    space = space_over("bear.on_take")
    start, best, single, _ = _points(space)
    level = _row(np.zeros(CLANS), np.random.default_rng(2), np.zeros((BLOCKS, CLANS)))
    assert spread.measured(level).center[0] < 0
    validation = Validation("", "", dict.fromkeys((start, best, single), level), 1)
    outcome = outcome_of(space, spread, best, single, [validation])
    against = outcome.of(validation, best, AGAINST_SINGLE)
    assert (against.low, against.value, against.high) == (0, 0, 0)


@pytest.mark.parametrize(
    ("moved", "verdict"), [(0.0, "alike"), (0.05, "matters"), (0.018, "close")]
)
def test_a_kept_number_has_to_be_shown_within_its_margin(moved: float, verdict: str) -> None:
    keep = Keep(number="length", places=(0,), margin=0.02)
    rng = np.random.default_rng(1)
    nothing = np.zeros((BLOCKS, CLANS))
    standing, row = (_row(np.full(CLANS, value), rng, nothing) for value in (0.0, moved))
    assert kept(keep, standing, row) == verdict


def test_a_kept_number_outside_its_margin_is_penalized() -> None:
    goals = Goals((), (Keep(number="length", places=(1,), margin=2.0),))
    standing = np.asarray([0.0, 300.0])
    rows = np.asarray([[5.0, 300.5], [5.0, 304.0], [0.0, 310.0]])
    costs = goals.penalty(rows, standing)
    assert costs[0] == 0
    assert costs[2] > costs[1] > 1
