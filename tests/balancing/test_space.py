"""The rule sets that a search may reach, and their names."""

import numpy as np
import pytest
from inside.experiments.balancing import variant_values

from ethnos_sim.simulator import InvalidGame, WrongInput, load_rules


def test_a_value_without_a_range_goes_from_0_to_twice_its_value(space_over) -> None:
    (factor,) = space_over("bear.on_take").factors
    assert factor.levels == tuple(range(9))
    assert factor.levels[factor.baseline_index] == 4


def test_levels_are_the_given_ones_and_the_present_value(space_over) -> None:
    assert space_over("bear.on_take=0..6:2").factors[0].levels == (0, 2, 4, 6)
    assert space_over("bear.on_take=5..6").factors[0].levels == (4, 5, 6)
    assert space_over("cards_per_clan").factors[0].levels == (6, 12)
    assert space_over("optional_marker").factors[0].levels == (0, 1)


def test_a_short_list_moves_number_by_number_and_a_long_one_as_a_whole(space_over) -> None:
    labels = [factor.label for factor in space_over("koi.prestige_4_6").factors]
    assert labels == [f"koi.prestige_4_6[{place}]" for place in range(3)]
    assert [factor.label for factor in space_over("koi.prestige_4_6[1]").factors] == labels[1:2]
    space = space_over("raccoon.coins")
    (coins,) = space.factors
    assert coins.shifts_list
    up = (coins.baseline_index + 1,)
    printed = load_rules("second").values()["raccoon.coins"]
    assert space.changes(up) == {"raccoon.coins": tuple(coin + 1 for coin in printed)}
    assert space.changes_text(up) == "raccoon.coins +1 each"


def test_prestige_at_the_start_moves_for_each_player_and_never_falls(space_over) -> None:
    space = space_over("start_prestige=0..2", settings=["start_prestige=0,0,0,0"])
    assert [factor.label for factor in space.factors] == [f"start_prestige[{n}]" for n in range(4)]
    assert space.changes((0, 0, 0, 2)) == {"start_prestige": (0, 0, 0, 2)}
    assert space.rules((0, 0, 1, 2)) is not None
    assert space.rules((0, 2, 1, 2)) is None
    with pytest.raises(WrongInput, match="tokens is an empty list"):
        space_over("tokens")


def test_a_rising_list_must_still_rise(space_over) -> None:
    space = space_over("koi.symbols=1..18", "koi.prestige_4_6")
    place = {factor.label: number for number, factor in enumerate(space.factors)}
    point = list(space.baseline)
    point[place["koi.symbols[0]"]] += 4  # 7, the same as the second value
    assert space.rules(tuple(point)) is None
    point[place["koi.symbols[1]"]] += 1
    assert space.rules(tuple(point)).values()["koi.symbols"][:2] == (7, 8)
    falling = list(space.baseline)
    falling[place["koi.prestige_4_6[0]"]] += 2  # 4, 4, 8, which may be equal but not fall
    assert space.rules(tuple(falling)) is not None
    falling[place["koi.prestige_4_6[1]"]] -= 1
    assert space.rules(tuple(falling)) is None


def test_a_move_changes_one_factor(space_over) -> None:
    space = space_over("koi.prestige_4_6", "bear.on_take")
    moved = space.points_after_one_move(space.baseline)
    assert len(moved) == sum(len(factor.levels) - 1 for factor in space.factors)
    assert set((moved != np.asarray(space.baseline)).sum(axis=1)) == {1}


def test_distance_counts_all_steps(space_over) -> None:
    space = space_over("bear.on_take=0..8:2", "hand_limit")
    point = (space.baseline[0] - 2, space.baseline[1] + 1)
    assert space.changes(point) == {"bear.on_take": 0, "hand_limit": 11}
    assert list(space.step_counts([point, space.baseline])) == [3, 0]
    assert space.changes_text(point) == "bear.on_take 4 to 0, hand_limit 10 to 11"


def test_the_variant_holds_every_value_that_differs_from_the_printed_rules(space_over) -> None:
    space = space_over("bear.on_take", settings=["hand_limit=9"])
    point = (space.baseline[0] - 1,)
    assert variant_values(space, point) == {"bear.on_take": 3, "hand_limit": 9}


def test_a_point_at_which_clans_cannot_be_dealt_has_no_rules(space_over) -> None:
    space = space_over("owl.times_cards", "fox.times_cards")
    assert [len(factor.levels) for factor in space.factors] == [2, 2]
    assert space.rules((1, 0)) is not None
    assert space.rules((1, 1)) is None  # 8 times the cards of a clan, but only 7 fit
    with pytest.raises(InvalidGame, match="at most 7 fit"):
        space_over("bear.on_take", settings=["owl.times_cards=3"])
