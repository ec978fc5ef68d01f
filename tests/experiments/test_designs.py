"""Designs of clan sets: what a user may count on when choosing one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ethnos_sim.experiments.designs import all_sets, balanced_sample, sets_with
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.rules import load_rules

CLANS = load_rules("second").clans
SIZES = {5: 792, 6: 924}


def appearances(sets) -> Counter[str]:
    return Counter(clan for clan_set in sets for clan in clan_set)


@pytest.mark.parametrize(("size", "total"), SIZES.items())
def test_all_sets_are_all_combinations_of_twelve(size, total) -> None:
    assert len(set(all_sets(CLANS, size))) == total


@pytest.mark.parametrize(("size", "total"), SIZES.items())
def test_sets_with_a_clan_all_have_it_and_none_is_left_out(size, total) -> None:
    sets = sets_with(CLANS, size, "bear")
    assert {clan_set for clan_set in all_sets(CLANS, size) if "bear" in clan_set} == set(sets)
    assert len(sets) == total * size / len(CLANS)


def test_an_unknown_clan_is_told_with_the_nearest_one() -> None:
    with pytest.raises(WrongInput, match="did you mean 'bear'"):
        sets_with(CLANS, 6, "baer")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 7, 36, 44, 130])
def test_a_sample_has_different_sets_with_each_clan_equally_often_up_to_one(
    size, count, seed
) -> None:
    sets = balanced_sample(CLANS, size, count, seed)
    assert len({frozenset(clan_set) for clan_set in sets}) == len(sets) == count
    assert {len(clan_set) for clan_set in sets} == {size}
    counts = [appearances(sets)[clan] for clan in CLANS]
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("size", SIZES)
def test_a_sample_of_most_sets_stays_balanced(size) -> None:
    sets = balanced_sample(CLANS, size, SIZES[size] - 100, seed=1)
    assert len(set(sets)) == SIZES[size] - 100
    counts = appearances(sets).values()
    assert max(counts) - min(counts) <= 2


@pytest.mark.parametrize("size", SIZES)
def test_a_sample_of_all_sets_is_all_sets(size) -> None:
    assert balanced_sample(CLANS, size, SIZES[size], seed=3) == all_sets(CLANS, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_pairs_of_a_sample_meet_more_evenly_than_by_chance(size) -> None:
    sets = balanced_sample(CLANS, size, 44, seed=1)
    pairs = Counter(pair for clan_set in sets for pair in combinations(clan_set, 2))
    expected = 44 * size * (size - 1) / (12 * 11)
    spread = sum((pairs[pair] - expected) ** 2 for pair in combinations(CLANS, 2)) / 66
    by_chance = expected * (1 - expected / 44)
    assert spread < by_chance / 2


def test_a_sample_depends_on_its_seed_alone() -> None:
    assert balanced_sample(CLANS, 6, 20, seed=1) == balanced_sample(CLANS, 6, 20, seed=1)
    assert balanced_sample(CLANS, 6, 20, seed=1) != balanced_sample(CLANS, 6, 20, seed=2)


def test_a_sample_is_the_same_on_every_machine() -> None:
    """A golden value: were it to change, folders of earlier sweeps could not go on."""
    assert balanced_sample(CLANS, 6, 2, seed=1) == [
        ("bear", "dog", "monkey", "owl", "raccoon", "tiger"),
        ("deer", "fox", "koi", "rabbit", "raven", "red_panda"),
    ]


@pytest.mark.parametrize("count", [0, 925])
def test_a_sample_of_too_many_or_no_sets_is_refused(count) -> None:
    with pytest.raises(WrongInput, match="there are 924 sets of 6"):
        balanced_sample(CLANS, 6, count, seed=1)
