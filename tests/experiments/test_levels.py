"""Verdicts over levels of skill: planted effects get the right word, and none a wrong one."""

import numpy as np
import pytest
from inside.experiments.statistics import (
    FADES,
    FLIPS,
    GROWS,
    HOLDS,
    OPEN,
    STRONG_ONLY,
    WEAK_ONLY,
    Levels,
)

TRUTHS = {
    HOLDS: (0.5, 0.5, 0.5, 0.5),
    GROWS: (0.3, 0.6, 0.9, 1.2),
    FADES: (1.2, 0.9, 0.6, 0.3),
    STRONG_ONLY: (0.0, 0.0, 0.4, 0.8),
    WEAK_ONLY: (0.8, 0.4, 0.0, 0.0),
    FLIPS: (-0.6, -0.3, 0.3, 0.6),
    OPEN: (0.0, 0.0, 0.0, 0.0),
}
"""By word: planted effects, one at each of four levels, for which the word is true."""

TRUE_WORDS = {
    HOLDS: {HOLDS},
    GROWS: {GROWS, HOLDS},
    FADES: {FADES, HOLDS},
    STRONG_ONLY: {STRONG_ONLY, GROWS},
    WEAK_ONLY: {WEAK_ONLY, FADES},
    FLIPS: {FLIPS, GROWS, FADES},
    OPEN: set(),
}
"""Further words that are true of each effect, beside "not settled"."""

MARGIN = 0.1

NAMES, TABLES = 12, 200


def tables(words: list[str], error: float, seed: int) -> list[tuple[str, ...]]:
    """The verdicts of many tables of planted clans, estimated with a standard error."""
    truth = np.array([TRUTHS[word] for word in words]).T
    rng = np.random.default_rng(seed)
    spread = np.full(truth.shape, error)
    return [
        Levels(truth + rng.normal(0, error, truth.shape), spread, 10_000, MARGIN).verdicts()
        for _ in range(TABLES)
    ]


@pytest.mark.parametrize("error", [0.02, 0.1, 0.2])
@pytest.mark.parametrize("planted", [[word] * NAMES for word in TRUTHS] + [[*TRUTHS] * 2])
def test_at_most_one_table_in_twenty_has_a_false_verdict(planted: list[str], error: float) -> None:
    """If 5 % of 200 tables are false, more than 19 have a chance below one in a hundred."""
    false = sum(
        any(
            said != OPEN and said not in TRUE_WORDS[word]
            for said, word in zip(verdicts, planted, strict=True)
        )
        for verdicts in tables(planted, error, seed=5)
    )
    assert false <= 19


def test_with_enough_games_every_verdict_is_reached() -> None:
    levels = tables([*TRUTHS], 0.02, seed=7)
    for place, word in enumerate(TRUTHS):
        assert np.mean([verdicts[place] == word for verdicts in levels]) > 0.95


def test_the_change_by_better_play_is_between_the_two_strongest_levels() -> None:
    levels = Levels(np.array([[0.1], [0.4], [0.9]]), np.full((3, 1), 0.03), 10_000, MARGIN)
    change, reach = levels.change(-2, -1)
    assert change == pytest.approx(0.5)
    assert reach == pytest.approx(1.96 * 0.03 * 2**0.5, rel=1e-3)


def test_an_effect_that_grows_and_significantly_shrinks_again_does_not_grow() -> None:
    bent = np.array([[0.3], [0.9], [1.2], [0.6]])
    rising = Levels(np.sort(bent, axis=0), np.full(bent.shape, 0.02), 10_000, MARGIN)
    assert rising.verdicts() == (GROWS,)
    assert Levels(bent, np.full(bent.shape, 0.02), 10_000, MARGIN).verdicts() == (HOLDS,)
    assert Levels(-bent[::-1], np.full(bent.shape, 0.02), 10_000, MARGIN).verdicts() == (HOLDS,)
