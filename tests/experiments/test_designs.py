"""Designs of clan sets: what users can rely on."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest
from inside.experiments.designs import (
    balanced_sample,
    hexads,
    named_sets,
    optimal_fives,
    sets_with_clan,
)
from inside.experiments.specs import Design

from ethnos_sim.simulator import Power, load_rules

CLANS = load_rules("second").clans
SIZES = {5: 792, 6: 924}


def appearances(sets) -> Counter[str]:
    return Counter(clan for clan_set in sets for clan in clan_set)


@pytest.mark.parametrize(
    "design",
    [{"all": True}, {"hexads": True}, {"sample": 20}, {"d-optimal": True}],
    ids=lambda design: next(iter(design)),
)
def test_a_design_has_the_same_powers_in_both_editions_in_the_same_order(design) -> None:
    size = 5 if "d-optimal" in design else 6
    powers = []
    for edition in ("second", "first"):
        rules = load_rules(edition)
        sets = Design.model_validate(design).sets_of_size(rules, size)
        shared = {Power.COINS: "own", Power.NO_MARKER: "own"}
        powers_of_sets = [[rules.power_of(clan) for clan in clans] for clans in sets]
        powers.append(
            [[shared.get(power, power) for power in clan_set] for clan_set in powers_of_sets]
        )
    assert powers[0] == powers[1]


@pytest.mark.parametrize(("size", "total"), SIZES.items())
def test_sets_with_returns_every_set_that_has_the_clan(size, total) -> None:
    sets = sets_with_clan(CLANS, size, "bear")
    assert {clan_set for clan_set in combinations(CLANS, size) if "bear" in clan_set} == set(sets)
    assert len(sets) == total * size / len(CLANS)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("count", "apart"), [(1, 1), (7, 1), (36, 1), (44, 1), (130, 1), (-100, 2)]
)
def test_a_sample_has_different_sets_with_each_clan_about_equally_often(size, count, apart, seed):
    """Counts differ by at most one, or by at most two if most sets are taken."""
    count %= SIZES[size]
    sets = balanced_sample(CLANS, size, count, seed)
    assert len({frozenset(clan_set) for clan_set in sets}) == len(sets) == count
    assert {len(clan_set) for clan_set in sets} == {size}
    counts = [appearances(sets)[clan] for clan in CLANS]
    assert max(counts) - min(counts) <= apart


@pytest.mark.parametrize("size", SIZES)
def test_the_pairs_of_a_sample_meet_more_evenly_than_by_chance(size) -> None:
    sets = balanced_sample(CLANS, size, 44, seed=1)
    pairs = Counter(pair for clan_set in sets for pair in combinations(clan_set, 2))
    expected = 44 * size * (size - 1) / (12 * 11)
    spread = sum((pairs[pair] - expected) ** 2 for pair in combinations(CLANS, 2)) / 66
    by_chance = expected * (1 - expected / 44)
    assert spread < by_chance / 2


def test_a_sample_is_the_same_on_every_machine() -> None:
    """A recorded result: if it changed, folders of earlier sweeps could not be continued."""
    assert balanced_sample(CLANS, 6, 2, seed=1) == [
        ("bear", "dog", "monkey", "owl", "raccoon", "tiger"),
        ("deer", "fox", "koi", "rabbit", "raven", "red_panda"),
    ]


def test_any_five_clans_lie_in_exactly_one_hexad() -> None:
    fives = Counter(five for hexad in hexads() for five in combinations(hexad, 5))
    assert set(fives.values()) == {1}
    assert len(fives) == SIZES[5]


def log_determinant(sets: Sequence[tuple[int, ...]]) -> float:
    """Of the information matrix for each set, in the model of constant, main effects and pairs.

    All sets have one size, so the indicators of the 66 pairs span the model.
    """
    pairs = list(combinations(range(12), 2))
    present = np.array([[{*pair} <= {*numbers} for pair in pairs] for numbers in sets], float)
    return np.linalg.slogdet(present.T @ present / len(sets))[1]


@pytest.mark.parametrize(
    ("design", "size", "count", "least"), [(hexads, 6, 132, 1), (optimal_fives, 5, 198, 0.98)]
)
def test_a_set_of_a_stored_design_has_the_information_of_a_set_of_all(design, size, count, least):
    """The D-efficiency is the 66th root of the ratio of the determinants."""
    sets, every = design(), list(combinations(range(12), size))
    assert len({*sets}) == len(sets) == count
    assert {*sets} < {*every}
    assert np.exp((log_determinant(sets) - log_determinant(every)) / 66) >= least - 1e-9


@pytest.mark.parametrize(("design", "size"), [(hexads, 6), (optimal_fives, 5)])
@pytest.mark.parametrize("clans", [[*CLANS, "phoenix"], CLANS[:11], CLANS[:7]], ids=len)
def test_for_other_numbers_of_clans_a_stored_design_is_a_sample_of_equally_many_sets(
    clans, design, size
) -> None:
    sets = named_sets(clans, design())
    assert len(set(sets)) == len(sets) == min(len(design()), comb(len(clans), size))
    counts = Counter(clan for clan_set in sets for clan in clan_set)
    assert max(counts.values()) - min(counts.values()) <= 2
