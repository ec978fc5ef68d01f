"""A strategy understands the printed clans; of other clans, only the values that it reads."""

import pytest
from inside.strategies import names_read, new_values, not_understood
from kit.custom import PRINTED, rules_with, write_power

from ethnos_sim.simulator import EDITIONS, load_rules
from ethnos_sim.strategies import get_strategy, list_strategies, strategy
from ethnos_sim.strategies.toolkit import best_party, draw, play

CHANGED = {
    "clans.phoenix": "second_party",
    "phoenix.follow_ups": 1,
    "clans.carp": "sea_track",
    "bear.on_take": 9,
    "koi.symbols": [4, 9],
    "tiger.marker_bonus": 2,
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_strategy_understands_the_printed_clans(edition: str) -> None:
    rules = load_rules(edition)
    for known in list_strategies():
        assert not_understood(known.name, rules) == {}


def test_a_value_of_the_other_edition_is_not_new() -> None:
    rules = load_rules("second", overrides=["bear.on_take=2", "bear.age_4_6=2,4,6"])
    assert new_values(rules, "bear") == ()


def test_only_values_that_the_code_reads_are_understood() -> None:
    rules = load_rules("second", overrides=CHANGED)
    second_track = {"carp": ("second sea track",), "phoenix": ("follow_ups",)}
    assert not_understood("champion", rules) == {"tiger": ("marker_bonus",), **second_track}
    assert not_understood("random", rules) == {
        "bear": ("on_take",),
        "koi": ("symbols",),
        "tiger": ("marker_bonus",),
        **second_track,
    }
    assert "largest_on_take" in names_read(get_strategy("greedy"))
    assert "sea_symbols" not in names_read(get_strategy("greedy"))


def test_a_strategy_that_looks_at_the_leaders_slot_understands_a_second_track() -> None:
    rules = load_rules("second", overrides={"clans.carp": "sea_track", "clans.cat": "coins"})
    assert not_understood("greedy", rules) == {}
    second = {"carp": ("second sea track",), "cat": ("second coins",)}
    assert not_understood("champion", rules) == not_understood("random", rules) == second


def test_look_ahead_understands_every_rule_and_a_net_every_value() -> None:
    rules = load_rules("second", overrides=CHANGED)
    assert not_understood("lookahead", rules) == {}
    assert not_understood("learned", rules) == {"carp": ("second sea track",)}
    assert not_understood("learned:weights=own.npz", rules) == {}


def test_a_custom_power_is_understood_only_by_looking_ahead_or_reading_its_name(tmp_path):
    rules = rules_with(write_power(tmp_path, "rabbit", PRINTED["rabbit"]))
    for entry in ("champion", "learned", "learned:weights=own.npz"):
        assert not_understood(entry, rules) == {"rabbit": ("custom power",)}
    assert not_understood("lookahead", rules) == {}

    @strategy()
    def reads_the_name(view):
        return play(best_party(view)[0]) if view.power_name[0] else draw()

    assert not_understood(reads_the_name, rules) == {}
