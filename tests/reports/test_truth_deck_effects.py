"""Truth recovered: what clans and pairs of clans in the deck do, planted or not, by set of clans.

The toy generator plays the 132 hexads on the same deals, each deal with riches and luck that all
sets share. 64 repetitions; the limits are 92 and 98 %.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from inside.experiments.designs import all_sets, optimal_sets
from inside.reports.estimators import AVERAGE, SKILL_OUTCOME, set_model
from toy_sweep import Truth, evidence_of, toy_plan, toy_tables

from ethnos_sim.experiments import Estimates, Plan, balanced_sample, holm, steiner_sets
from ethnos_sim.reports import OUTCOMES, Sums, measure_deck_effects
from ethnos_sim.simulator import load_rules

pytestmark = pytest.mark.long

REPETITIONS = 64
CLANS = load_rules("second").clans
HEXADS = tuple(steiner_sets(CLANS))
PLAN = toy_plan(clan_sets=HEXADS, line_ups=[("alpha",)], rounds=8)
NULL = Truth(deal_luck=1.5, deal_riches=20.0)
WATCHED = ("mean_prestige", "prestige_spread", "turns", "first_seat_edge", "comeback")
BY_NAME = {outcome.name: outcome for outcome in OUTCOMES}


def _sums(seed: int, truth: Truth = NULL, rounds: int | None = None) -> Sums:
    return _by_set(PLAN, *toy_tables(PLAN, PLAN.cells, truth, seed, rounds=rounds))


def _by_set(plan: Plan, games: pl.DataFrame, seats: pl.DataFrame) -> Sums:
    (sums,) = evidence_of(plan, (games, seats)).sets.values()
    return sums


def clans_of(found: Estimates, outcome: str) -> Estimates:
    """What clans do to an outcome."""
    own = found.where(estimand="deck_effect", aspect=outcome)
    return own.at(own["name"] != AVERAGE)


def pairs_of(found: Estimates, outcome: str) -> Estimates:
    """What pairs do to an outcome."""
    return found.where(estimand="deck_effect_pair", aspect=outcome)


@pytest.fixture(scope="module")
def repeated() -> list[Estimates]:
    """The effects on every watched outcome in all repetitions."""
    watched = [BY_NAME[name] for name in WATCHED]
    return [measure_deck_effects(_sums(seed), watched, "toy") for seed in range(REPETITIONS)]


def test_sets_of_two_sweeps_are_counted_together():
    rows = toy_tables(PLAN, PLAN.cells, NULL, 1, rounds=2)
    parts = [
        _by_set(PLAN, *(each.filter((pl.col("cell") % 3).is_in(some)) for each in rows))
        for some in ([0, 1], [2])
    ]
    whole = _by_set(PLAN, *rows)
    found = parts[0] + parts[1]
    assert found.tables == whole.tables
    for name, array in whole.arrays.items():
        assert np.array_equal(found.arrays[name], array), name


@pytest.mark.parametrize("name", WATCHED)
@pytest.mark.parametrize("effects", [clans_of, pairs_of])
def test_intervals_cover_when_no_clan_and_no_pair_matters(repeated, name, effects):
    ends = [effects(each, name).interval() for each in repeated]
    assert 0.92 <= np.mean([(low <= 0) & (high >= 0) for low, high in ends]) <= 0.98


def test_no_clan_is_called_sure_where_none_matters(repeated):
    """Holm: any false alarm among the clans of an outcome in at most about 5 % of reports."""
    alarms = [
        bool((holm(clans_of(each, name).p_values()) < 0.05).any())
        for name in WATCHED
        for each in repeated
    ]
    assert np.mean(alarms) < 0.06


PLANTED = Truth(
    deal_luck=1.5,
    deal_riches=20.0,
    deck_effects={"bear": 3.0, "owl": -2.0},
    together={("fox", "koi"): 2.0, ("deer", "dog"): -2.0},
    longer={"raven": -6.0, "tiger": 4.0},
)


@pytest.fixture(scope="module")
def planted() -> Sums:
    return _sums(1, PLANTED, rounds=32)


def _effects_of(truth: dict[str, float]) -> np.ndarray:
    """Planted numbers by clan as contrasts against the average clan."""
    values = np.asarray([truth.get(clan, 0.0) for clan in CLANS])
    return values - values.mean()


def test_planted_effects_of_clans_are_found(planted):
    outcomes = [BY_NAME["mean_prestige"], BY_NAME["turns"]]
    measured = measure_deck_effects(planted, outcomes, "toy")
    found = {e.name: e for e in clans_of(measured, "mean_prestige").estimates()}
    assert found["bear"].low > 0 > found["owl"].high
    lengths = {e.name: e for e in clans_of(measured, "turns").estimates()}
    assert lengths["tiger"].low > 0 > lengths["raven"].high
    for estimate, truth in zip(lengths.values(), _effects_of(dict(PLANTED.longer)), strict=True):
        assert estimate.value == pytest.approx(truth, abs=3 * estimate.half_width)


def test_planted_effects_of_pairs_are_found_and_single_out_their_pairs(planted):
    measured = measure_deck_effects(planted, [BY_NAME["mean_prestige"]], "toy")
    found = {e.name: e for e in pairs_of(measured, "mean_prestige").estimates()}
    assert found["fox + koi"].low > 0 > found["deer + dog"].high
    largest = sorted(found, key=lambda name: -abs(found[name].value))[:2]
    assert set(largest) == {"fox + koi", "deer + dog"}


def test_intervals_cover_planted_effects_too():
    """What is estimated is the least-squares fit of the planted means, known without noise."""
    truth = PLANTED
    means = np.asarray([truth.prestige_of(cell.clans) for cell in PLAN.cells])
    pairs = list(combinations(CLANS, 2))
    columns = [[set(pair) <= set(cell.clans) for pair in pairs] for cell in PLAN.cells]
    # All sets are of six clans, so the indicators of pairs span the constant and clans as well.
    fit, *_ = np.linalg.lstsq(np.asarray(columns, float), means, rcond=None)
    table = np.zeros((12, 12))
    for value, pair in zip(fit, pairs, strict=True):
        i, j = map(CLANS.index, pair)
        table[i, j] = table[j, i] = value
    sums = table.sum(axis=1)
    total = table.sum() / 2
    wanted = [
        table[CLANS.index(one), CLANS.index(two)]
        - (sums[CLANS.index(one)] + sums[CLANS.index(two)]) / 10
        + total / 55
        for one, two in pairs
    ]
    covered = []
    for seed in range(24):
        found = measure_deck_effects(_sums(seed, truth), [BY_NAME["mean_prestige"]], "toy")
        low, high = pairs_of(found, "mean_prestige").interval()
        covered.append((low <= wanted) & (high >= wanted))
    assert 0.92 <= np.mean(covered) <= 0.98


def test_the_skill_gap_of_a_clan_is_found():
    plan = toy_plan(clan_sets=HEXADS, line_ups=[("strong", "weak", "weak", "weak")], rounds=32)
    truth = Truth(skill={"strong": 1.0}, effects={"bear": 1.5})
    sums = _by_set(plan, *toy_tables(plan, plan.cells, truth, 1))
    level, *found = measure_deck_effects(sums, [SKILL_OUTCOME], "toy").estimates()
    bear = next(e for e in found if e.name == "bear")
    assert bear.high < 0  # Luck with the bear drowns skill.
    assert level.value > 0.3


def _effects(model, of_set, weights=None) -> np.ndarray:
    values = np.asarray([[of_set(clans) for clans in model.sets]], float)
    weights = np.ones(len(model.sets)) if weights is None else weights
    return model.effects(values, weights)[0]


@pytest.mark.parametrize(
    ("sets", "size"),
    [(HEXADS, 6), (tuple(optimal_sets(CLANS)), 5), (tuple(all_sets(CLANS, 6)), 6)],
    ids=["hexads", "d-optimal", "all"],
)
def test_a_design_tells_all_clans_and_pairs_apart(sets, size):
    """1 + 11 + 54 parameters; what was put in comes out as contrasts."""
    model = set_model(sets, pairs=True)
    assert model.matrix.shape == (len(sets), 66)
    assert (len(model.clans), len(model.pairs)) == (12, 66)

    def of_set(clans):
        return 10.0 + 3 * ("bear" in clans) + 2 * ({"fox", "koi"} <= set(clans))

    constant, *rest = _effects(model, of_set)
    clans, both = np.asarray(rest[:12]), np.asarray(rest[12:])
    assert clans.sum() == pytest.approx(0)
    table = np.zeros((12, 12))
    for (one, two), value in zip(model.pairs, both, strict=True):
        i, j = model.clans.index(one), model.clans.index(two)
        table[i, j] = table[j, i] = value
    assert table.sum(axis=1) == pytest.approx(np.zeros(12))
    assert model.pairs[int(np.argmax(both))] == ("fox", "koi")
    # Over all sets of a size, the constant is the mean and swapping bear for the average tells a.
    every = [of_set(clans) for clans in all_sets(CLANS, size)]
    assert constant == pytest.approx(np.mean(every))
    with_bear = np.mean([of_set(c) for c in all_sets(CLANS, size) if "bear" in c])
    without = np.mean([of_set(c) for c in all_sets(CLANS, size) if "bear" not in c])
    bear = clans[model.clans.index("bear")]
    assert bear * 12 / 11 == pytest.approx(with_bear - without)


def test_too_few_sets_tell_clans_alone_or_nothing():
    sets = tuple(balanced_sample(CLANS, 6, 44, 1))
    assert set_model(sets, pairs=True) is None
    assert set_model(sets, pairs=False).clans == CLANS
    assert set_model(HEXADS[:12], pairs=False) is None
    assert set_model((CLANS[:6], CLANS[6:]) * 20, pairs=False) is None


def test_clans_in_all_sets_or_in_none_have_no_effect():
    sets = tuple(("bear", *rest) for rest in all_sets(CLANS[1:11], 5))
    assert set_model(sets, pairs=False).clans == tuple(sorted(CLANS[1:11]))
