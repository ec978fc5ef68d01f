"""Known truth: 95 % intervals cover, planted effects are found, and no others.

The generator rotates seats on each deal, so games are not independent; blocks of deals must handle
this. There are 160 repetitions, and the limits are 92 and 98 %.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from inside.experiments import Estimate, Estimates, Sums
from inside.experiments.evidence import LINE_UP_SUMS
from inside.reports.estimators import (
    PRESTIGE_SOURCE,
    SEAT_EDGE,
    STRATEGY_SHARE,
    STRONG,
    WEAK,
    WIN_LIFT,
    clan_word,
    ranked_clans,
)
from toy_sweep import Truth, toy_evidence, toy_plan

pytestmark = pytest.mark.long

REPETITIONS = 160
PLAN = toy_plan(players=(4,), clan_sets=[("bear", "deer", "fox", "koi", "owl", "raven")])
CLANS = PLAN.rules_of(PLAN.cells[0].partition).clans
LEADING = [CLANS.index(clan) for clan in PLAN.cells[0].clans]
NULL = Truth(deal_luck=1.5)


def _sums(seed: int, truth: Truth = NULL) -> Sums:
    (sums,) = toy_evidence(PLAN, truth, seed).ordinary_sums.values()
    return sums


@pytest.fixture(scope="module")
def repeated() -> list[Sums]:
    return [_sums(seed) for seed in range(REPETITIONS)]


#: A loser's mean prestige from a source. In 5 % of games two seats are half losers, with 3 points
#: more from each source; a game has three losers.
LOSERS = 6 + 0.05 * 2 * 0.5 * 3 / 3
#: Known truths: the estimates to look at, and their true value.
KNOWN = {
    "no clan matters: win lift": (lambda s: _led(WIN_LIFT.estimate(s, "toy")), 0.0),
    "strategies are equal": (lambda s: _shares(s)[:1], 0.25),
    "the mean of every source": (
        lambda s: PRESTIGE_SOURCE.estimate(s, "toy").rows_where(aspect="losers").estimates()[:-1],
        LOSERS,
    ),
    "each seat by itself": (lambda s: SEAT_EDGE.estimate(s, "toy").estimates(), 0.0),
}


def _led(measured: Estimates) -> list[Estimate]:
    """The estimates of the leading clans."""
    return [measured.estimates()[place] for place in LEADING]


def _shares(sums: Sums) -> tuple[Estimate, ...]:
    """The win share of each strategy in the single line-up."""
    arrays = {name: sums.arrays[name][:, None] for name in LINE_UP_SUMS}
    by_line_up = replace(sums, arrays=arrays, tables=(PLAN.cells[0].line_up,))
    return STRATEGY_SHARE.estimate(by_line_up, "toy").estimates()


def _covered(estimates: Iterable[Estimate], truth: float) -> np.ndarray:
    return np.asarray([e.low <= truth <= e.high for e in estimates])


@pytest.mark.parametrize("known", KNOWN)
def test_intervals_cover_the_known_truth(repeated, known):
    estimates, truth = KNOWN[known]
    assert 0.92 <= np.mean([_covered(estimates(sums), truth) for sums in repeated]) <= 0.98


def test_a_planted_effect_is_found_with_its_sign():
    truth = Truth(effects={"bear": 0.5, "owl": -0.8}, first_edge=1.0, skill={"beta": 0.8})
    sums = _sums(1, truth)
    lifts = ranked_clans(WIN_LIFT.estimate(sums, "toy").with_labels(players=4))
    words_of = {lift.name: clan_word(lift) for lift in lifts}
    assert words_of["bear"] == STRONG
    assert words_of["owl"] == WEAK
    assert SEAT_EDGE.estimate(sums, "toy").estimates(4)[0].low > 0
    shares = _shares(sums)
    assert shares[0].high < 0.25 < shares[1].low
