"""Known truth: clan power by restricted and forced play, compared with win rates.

Two strategies of different strength meet, each is restricted in turn, and all line-ups play the
same deals. There are 64 repetitions, and the limits are 92 and 98 %.
"""

import numpy as np
import pytest
from inside.experiments.designs import FORCED, RESTRICTED
from inside.experiments.evidence import MIXED
from inside.reports.estimators import FORCED_PLAY, RESTRICTED_PLAY, WIN_LIFT
from toy_sweep import Truth, evidence_of, toy_evidence, toy_plan, toy_tables

from ethnos_sim.experiments import ratio
from ethnos_sim.reports import InterventionSums, relative_power
from ethnos_sim.simulator import SIXTIETHS

pytestmark = pytest.mark.long

REPETITIONS = 64
DECK = ("bear", "deer", "fox", "koi", "owl", "raven")
MEASURES = {RESTRICTED: RESTRICTED_PLAY, FORCED: FORCED_PLAY}
WATCHED = ("bear", "owl")
NULL = Truth(deal_luck=1.5, skill={"beta": 0.8})


def _line_ups(kind: str, clans: tuple[str, ...]) -> list[list[str]]:
    """Line-ups of alpha and beta, each restricted in turn, for every clan."""
    pair = ["alpha", "beta", "alpha", "beta"]
    return [
        [name + f":{kind}={clan}" * (place == entry) for place, name in enumerate(pair)]
        for clan in clans
        for entry in (0, 1)
    ]


PLANS = {
    kind: toy_plan(clan_sets=[DECK], line_ups=_line_ups(kind, WATCHED), rounds=128)
    for kind in (RESTRICTED, FORCED)
}
CLANS = PLANS[RESTRICTED].editions[0].rules.clans
LED = [CLANS.index(clan) for clan in WATCHED]


def _sums(kind: str, seed: int, truth: Truth) -> InterventionSums:
    """The sums of the restricted seat in one repetition."""
    plan = PLANS[kind]
    (sums,) = evidence_of(plan, toy_tables(plan, plan.cells, truth, seed)).interventions.values()
    return sums


@pytest.fixture(scope="module", params=[RESTRICTED, FORCED])
def repeated(request) -> tuple[str, list[InterventionSums]]:
    return request.param, [_sums(request.param, seed, NULL) for seed in range(REPETITIONS)]


@pytest.mark.parametrize("against", [lambda power: power, relative_power], ids=["fair", "average"])
def test_intervals_against_a_fair_share_and_the_average_clan_cover_zero_if_no_clan_matters(
    repeated, against
):
    kind, estimates = repeated
    ends = [against(MEASURES[kind].of(sums, "toy")).interval() for sums in estimates]
    covered = [(low[LED] <= 0) & (high[LED] >= 0) for low, high in ends]
    assert 0.92 <= np.mean(covered) <= 0.98


def _power(truth: Truth, rounds: int = 1000, seed: int = 2) -> dict[str, tuple[float, float]]:
    """The interval of restricted play by clan, from a larger sweep."""
    lines = _line_ups(RESTRICTED, WATCHED)
    evidence = toy_evidence(toy_plan(clan_sets=[DECK], line_ups=lines, rounds=rounds), truth, seed)
    ((situation, kind),) = evidence.interventions
    assert (situation.population, kind) == (MIXED, RESTRICTED)
    estimates = RESTRICTED_PLAY.of(evidence.interventions[situation, kind], "toy").estimates()
    return {e.name: (e.low, e.high) for e in estimates if e.low is not None}


def test_planted_power_is_found_with_its_sign():
    estimates = _power(Truth(effects={"bear": 0.4, "owl": -0.4}, skill={"beta": 0.8}))
    assert estimates["bear"][0] > 0 > estimates["owl"][1]


def _naive_and_lift(truth: Truth, clan: str) -> tuple[float, float | None]:
    """Two lower ends for the clan: of its leaders' win rate less 1/4, and of its win lift."""
    plan = toy_plan(clan_sets=[DECK], line_ups=[["alpha"]], rounds=1000)
    _, seats = toy_tables(plan, plan.cells, truth, 1)
    led = seats[f"led_{clan}"].to_numpy() > 0
    rate = ratio(seats["won"].to_numpy()[led].sum(), SIXTIETHS * led.sum()) - 0.25
    (total,) = toy_evidence(plan, truth, 1).sums.values()
    lift = WIN_LIFT.of(total, "toy").estimates()
    return float(rate - 1.96 * np.sqrt(0.25 * 0.75 / led.sum())), lift[CLANS.index(clan)].low


def test_the_naive_win_rate_calls_a_clan_without_effect_strong():
    """A lucky player leads more parties of every clan, and wins because of the luck."""
    truth = Truth(ahead=dict.fromkeys(DECK, 0.4))
    naive, _ = _naive_and_lift(truth, "bear")
    low, high = _power(truth)["bear"]
    assert naive > 0.02
    assert low <= 0 <= high


def test_the_naive_win_rate_calls_a_harmful_clan_strong():
    """A weak clan that leading players lead looks strong by win rate and by win lift."""
    truth = Truth(effects={"bear": -0.25}, ahead={"bear": 0.8})
    naive, lift = _naive_and_lift(truth, "bear")
    assert naive > 0
    assert lift > 0
    assert _power(truth)["bear"][1] < 0
