"""The leader's null: what leaders win if the last age's gains are shuffled among the players."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from ethnos_sim.experiments import BLOCKS
from ethnos_sim.reports.estimators.game_shape import (
    measure_leader_advantage,
    measure_leader_shuffled,
)
from ethnos_sim.reports.evidence.game_numbers import EARLY_AGES, shuffled_wins
from ethnos_sim.reports.evidence.sums import Sums

GAMES = 500
"""Of each block."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_order_of_the_gains_counts_once(players) -> None:
    dice = np.random.default_rng(players)
    before = dice.integers(0, 6, (40, players))
    gains = dice.integers(0, 6, (40, players))
    expected = []
    for start, gained in zip(before, gains, strict=True):
        won = 0
        for order in permutations(gained):
            ends = start + np.asarray(order)
            best = ends == ends.max()
            won += (60 // best.sum()) * (best & (start == start.max())).sum()
        expected.append(won)
    assert shuffled_wins(before, before + gains).tolist() == expected


def sums_of(pull: float, seed: int) -> Sums:
    """Games of three players whose last age adds luck, and `pull` of their points so far."""
    dice = np.random.default_rng(seed)
    before = dice.integers(0, 40, (BLOCKS * GAMES, 3))
    total = before + dice.integers(0, 40, before.shape) + np.rint(pull * before).astype(np.int64)
    leads = before == before.max(axis=1, keepdims=True)
    best = total == total.max(axis=1, keepdims=True)
    won = (leads & best).sum(axis=1) * 60 // best.sum(axis=1)
    rows = {
        "games": np.ones(len(before), np.int64),
        "leaders": leads.sum(axis=1),
        "leaders_won": won,
        "leaders_shuffled": shuffled_wins(before, total),
    }
    arrays = {name: row.reshape(BLOCKS, GAMES).sum(axis=1) for name, row in rows.items()}
    by_age = {name: np.stack([arrays[name]] * 3, axis=1) for name in ("leaders", "leaders_won")}
    behind = np.ones((BLOCKS, EARLY_AGES, 1), np.int64)
    return Sums((), 3, {**arrays, **by_age, "behind": behind})


def test_leaders_whose_last_age_is_a_lottery_have_no_advantage() -> None:
    """95 % intervals of 60 repetitions hold 0, at least 51 of them; false alarms 0.1 %."""
    found = [measure_leader_advantage(sums_of(0, seed), "toy").estimates()[0] for seed in range(60)]
    assert sum(e.low <= 0 <= e.high for e in found) >= 51
    (shuffled,) = measure_leader_shuffled(sums_of(0, 0), "toy").estimates()
    assert shuffled.value > 0.5, "the lead alone wins more than a fair share"


@pytest.mark.parametrize(("pull", "side"), [(0.3, 1), (-0.3, -1)])
def test_leaders_that_pull_away_or_fall_back_are_found(pull, side) -> None:
    (estimate,) = measure_leader_advantage(sums_of(pull, 1), "toy").estimates()
    assert min(side * estimate.low, side * estimate.high) > 0.01
