"""Deck effects of clans and pairs: the model of clan sets, and what is estimated from few sets."""

from __future__ import annotations

import numpy as np
import pytest
from inside.experiments.designs import all_sets, optimal_sets
from inside.reports.estimators import set_model

from ethnos_sim.experiments import balanced_sample, steiner_sets
from ethnos_sim.simulator import load_rules

CLANS = load_rules("second").clans
HEXADS = tuple(steiner_sets(CLANS))


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


def test_too_few_sets_for_pairs_tell_clans_alone():
    sets = tuple(balanced_sample(CLANS, 6, 44, 1))
    assert set_model(sets, pairs=True) is None
    assert set_model(sets, pairs=False).clans == CLANS


def test_too_few_sets_for_clans_tell_nothing():
    assert set_model(HEXADS[:12], pairs=False) is None
    assert set_model((CLANS[:6], CLANS[6:]) * 20, pairs=False) is None


def test_clans_in_all_sets_or_in_none_have_no_effect():
    sets = tuple(("bear", *rest) for rest in all_sets(CLANS[1:11], 5))
    assert set_model(sets, pairs=False).clans == tuple(sorted(CLANS[1:11]))
