"""A strategy ignores of other clans' values only those that its code does not read."""

import pytest
from kit.custom import PRINTED, rules_with, write_power

from ethnos_sim.simulator import EDITIONS, load_rules
from ethnos_sim.strategies import get_strategy, list_strategies, strategy
from ethnos_sim.strategies.toolkit import best_party, draw, play

CHANGED = {
    "clans.phoenix": "second_party",
    "phoenix.follow_ups": 1,
    "bear.on_take": 9,
    "koi.symbols": [4, 9],
    "tiger.marker_bonus": 2,
}


def ignored(name: str, overrides: object) -> dict[str, tuple[str, ...]]:
    return get_strategy(name).ignored_values(load_rules("second", overrides=overrides))


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_strategy_ignores_a_printed_value(edition: str) -> None:
    rules = load_rules(edition)
    assert not any(known.ignored_values(rules) for known in list_strategies())


UNREAD = {"tiger": ("marker_bonus",), "phoenix": ("follow_ups",)}


@pytest.mark.parametrize(
    ("name", "overrides", "unread"),
    [
        ("random", ["bear.on_take=2", "bear.age_4_6=2,4,6"], {}),  # values of the 1st edition
        ("random", CHANGED, {"bear": ("on_take",), "koi": ("symbols",), **UNREAD}),
        ("champion", CHANGED, UNREAD),
        ("learned", CHANGED, {}),
        ("lookahead", CHANGED, {}),
    ],
)
def test_only_new_values_that_the_code_does_not_read_are_ignored(name, overrides, unread) -> None:
    assert ignored(name, overrides) == unread


def test_a_custom_power_is_seen_only_by_looking_ahead_or_reading_its_name(tmp_path) -> None:
    rules = rules_with(write_power(tmp_path, "rabbit", PRINTED["rabbit"]))
    for name in ("champion", "learned"):
        assert get_strategy(name).ignored_values(rules) == {"rabbit": ("custom power",)}
    assert get_strategy("lookahead").ignored_values(rules) == {}

    @strategy()
    def reads_the_name(view):
        return play(best_party(view)[0]) if view.power_name[0] else draw()

    assert reads_the_name.ignored_values(rules) == {}


def test_what_holds_for_the_whole_table_is_ignored_unless_read(tmp_path) -> None:
    file = write_power(tmp_path, "kind", PRINTED["red_panda"])
    house = ["cards_kept=2", f"table.powers={file}:kind"]
    assert ignored("greedy", house) == {"table": ("cards_kept", "custom power")}
    assert ignored("learned", house) == {"table": ("cards_kept", "custom power")}
    assert ignored("lookahead", house) == {}


def test_match_table_and_compare_name_a_clan_whose_new_values_a_strategy_ignores(printed) -> None:
    rules, random = "second+bear.on_take=9", ("--strategies", "random")
    changed = ("--edition", rules, *random)
    said = "ignores what is new about the bear (on_take)"
    clans = ("--clans", "bear,fox,koi,owl,tiger,deer")
    assert said in printed("match", *changed, "--games", "4")
    assert said in printed("table", *changed, *clans, "--games", "2000")
    assert said in printed("compare", rules, *random, *clans, "--games", "4000")
