"""Truth recovered: 95 % intervals cover, planted effects are found, and none is invented.

The generator replays deals with rotated seats, so its games are not independent: what is tested is
that blocks of deals carry that. 160 repetitions; the limits are 92 and 98 %.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from inside.reports.estimators import (
    PRESTIGE_SOURCE,
    SEAT_EDGE,
    STRATEGY_SHARE,
    STRONG,
    WEAK,
    WIN_LIFT,
)
from inside.reports.evidence import OF_LINE_UPS
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.experiments import Estimate
from ethnos_sim.reports import ESTIMANDS, Sums, ranked, word_of

pytestmark = pytest.mark.long

REPETITIONS = 160
PLAN = toy_plan(players=(4,), clan_sets=[("bear", "deer", "fox", "koi", "owl", "raven")])
CLANS = PLAN.rules("second").clans
LEADING = [CLANS.index(clan) for clan in PLAN.cells[0].clans]
NULL = Truth(deal_luck=1.5)


def _sums(seed: int, truth: Truth = NULL) -> Sums:
    (sums,) = toy_evidence(PLAN, truth, seed).sums.values()
    return sums


@pytest.fixture(scope="module")
def repeated() -> list[Sums]:
    return [_sums(seed) for seed in range(REPETITIONS)]


def _covered(estimates, truth: float) -> np.ndarray:
    return np.asarray([e.low <= truth <= e.high for e in estimates])


def test_win_lift_intervals_cover_when_no_clan_matters(repeated):
    covered = [
        _covered([WIN_LIFT.of(s, "toy").estimates()[i] for i in LEADING], 0.0) for s in repeated
    ]
    assert 0.92 <= np.mean(covered) <= 0.98


def test_usage_gap_intervals_cover_when_no_clan_matters(repeated):
    covered = [
        _covered([ESTIMANDS["usage_gap"].of(s, "toy").estimates()[i] for i in LEADING], 0.0)
        for s in repeated
    ]
    assert 0.92 <= np.mean(covered) <= 0.98


def _shares(sums: Sums) -> tuple[Estimate, ...]:
    """What each strategy of the one line-up wins."""
    arrays = {name: sums.arrays[name][:, None] for name in OF_LINE_UPS}
    by_line_up = replace(sums, arrays=arrays, tables=(PLAN.cells[0].line_up,))
    return STRATEGY_SHARE.of(by_line_up, "toy").estimates()


def test_strategy_share_intervals_cover_when_strategies_are_equal(repeated):
    covered = [_covered(_shares(sums)[:1], 0.25) for sums in repeated]
    assert 0.92 <= np.mean(covered) <= 0.98


def test_prestige_intervals_cover_the_known_mean_of_every_source(repeated):
    covered = [
        _covered(PRESTIGE_SOURCE.of(s, "toy").where(aspect="losers").estimates()[:-1], truth)
        for s in repeated
        for truth in [6 + _shared_loser_bonus()]
    ]
    assert 0.92 <= np.mean(covered) <= 0.98


def _shared_loser_bonus() -> float:
    """What half-winners add to the losers' mean: 3 points, half of two seats in 5 % of games."""
    return 0.05 * 2 * 0.5 * 3 / 3


def test_seat_intervals_cover_all_seats_at_once(repeated):
    covered = [_covered(SEAT_EDGE.of(s, "toy").estimates(s.players), 0.0).all() for s in repeated]
    assert 0.92 <= np.mean(covered) <= 0.98


def test_each_seat_interval_covers_by_itself(repeated):
    covered = [_covered(SEAT_EDGE.of(s, "toy").estimates(), 0.0) for s in repeated]
    assert 0.92 <= np.mean(covered) <= 0.98


def test_a_planted_effect_is_found_with_its_sign():
    truth = Truth(effects={"bear": 0.5, "owl": -0.5}, first_edge=1.0, skill={"beta": 0.8})
    sums = _sums(1, truth)
    found = {e.name: word_of(e) for e in ranked(WIN_LIFT.of(sums, "toy"))}
    assert found["bear"] == STRONG
    assert found["owl"] == WEAK
    assert SEAT_EDGE.of(sums, "toy").estimates(4)[0].low > 0
    shares = _shares(sums)
    assert shares[0].high < 0.25 < shares[1].low


def test_with_no_effect_planted_win_lift_is_near_zero():
    evidence = toy_evidence(toy_plan(players=(4,), rounds=6000), NULL)
    (sums,) = evidence.sums.values()
    lift = WIN_LIFT.of(sums, "toy")
    assert np.nanmax(np.abs(lift.value)) < 0.02
    assert not [e.name for e in ranked(lift) if word_of(e) in (STRONG, WEAK)]
