"""The skill trend: what a ladder of players does to a number, with an interval that covers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from toy_numbers import numbers_of

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.skill_trend import in_words, skill_trends, strength

BLOCKS = 32
CLANS = ("bear", "fox")


def rung(draw: np.random.Generator, truth: tuple[float, float], noise: float) -> Estimates:
    """Power of two clans at one rung: the truth and the noise of its blocks."""
    blocks = np.asarray(truth) + noise * np.sqrt(BLOCKS) * draw.standard_normal((BLOCKS, 2))
    return numbers_of(blocks, CLANS, estimand="relative_power", unit="share_difference", games=6400)


def estimate(value: float, half: float) -> Estimate:
    return Estimate(
        name="bear",
        definition="relative_power",
        value=value,
        low=value - half,
        high=value + half,
        standard_error=half / 2,
        games=1,
        blocks=BLOCKS,
        unit="share_difference",
        population="",
    )


def test_the_change_is_that_of_a_line_through_the_rungs() -> None:
    draw = np.random.default_rng(1)
    rungs = [rung(draw, (0.01 * step, 0.03), 0.0) for step in range(4)]
    bear, fox = skill_trends(rungs)
    assert bear.value == pytest.approx(0.03)
    assert fox.value == pytest.approx(0.0)


@pytest.mark.parametrize("together", [True, False])
def test_both_intervals_hold_together_95_times_in_100(together: bool) -> None:
    """Of 1,500 ladders 93.5 to 97.5 % cover both truths; a false alarm has a chance below 0.01."""
    draw = np.random.default_rng(7)
    held = 0
    for _ in range(1500):
        rungs = [rung(draw, (0.01 * step, -0.02), 0.004) for step in range(3)]
        if not together:
            sizes = np.linspace(20, 40, BLOCKS)[:, None]
            rungs[0] = replace(rungs[0], leverage=np.broadcast_to(sizes, (BLOCKS, 2)))
        found = skill_trends(rungs)
        truths = (0.02, 0.0)
        held += all(e.low <= true <= e.high for e, true in zip(found, truths, strict=True))
    assert 0.935 <= held / 1500 <= (0.975 if together else 1.0)


@pytest.mark.parametrize(
    ("change", "weakest", "strongest", "word"),
    [
        (estimate(0.05, 0.01), estimate(0.02, 0.01), estimate(0.07, 0.01), "growing"),
        (estimate(-0.05, 0.01), estimate(-0.02, 0.01), estimate(-0.07, 0.01), "growing"),
        (estimate(-0.05, 0.01), estimate(0.07, 0.01), estimate(0.02, 0.01), "shrinking"),
        (estimate(0.03, 0.01), estimate(-0.03, 0.01), estimate(0.005, 0.01), "shrinking"),
        (estimate(0.09, 0.01), estimate(-0.02, 0.01), estimate(0.07, 0.01), "flipped"),
        (estimate(0.001, 0.003), estimate(0.02, 0.01), estimate(0.02, 0.01), "stable"),
        (estimate(0.01, 0.03), estimate(0.02, 0.01), estimate(0.02, 0.01), "not settled"),
    ],
)
def test_the_word_follows_from_the_intervals(
    change: Estimate, weakest: Estimate, strongest: Estimate, word: str
) -> None:
    assert in_words(change, weakest, strongest, 0.005) == word


def test_stronger_players_stand_higher_on_the_ladder() -> None:
    assert strength("random") < strength("greedy") < strength("champion") < strength("learned")
    assert strength("mixed") == -1
