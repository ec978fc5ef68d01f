"""The rules id stands for the edition and the values in force, and for nothing else."""

import os
import pickle
import re
import subprocess
import sys

import pytest

from ethnos_sim.simulator import EDITIONS, Rules, load_rules

OTHER = {
    "party_points": "0,1,2,3,4,5,6",
    "hand_limit": "9",
    "party_limit": "9",
    "dragons": "4",
    "markers": "20",
    "cards_per_clan": "6",
    "pool_per_player": "1",
    "recruitment_pool": "4",
    "prestige_tokens.base": "1,1,1,1,1,1,1,1,1,1,1,1",
    "prestige_tokens.four_plus": "1,1,1,1,1,1",
    "koi.last_space": "30",
    "koi.symbols": "2",
    "koi.prestige_4_6": "1,1,1",
    "koi.prestige_2_3": "1,1",
    "bear.on_take": "5",
    "bear.age_4_6": "1,1,1",
    "bear.age_2_3": "1,1",
    "monkey.settlement": "0,1,2,3,4,5,6",
    "fox.tokens": "1,1,1,1,1,1",
    "raccoon.coins": "4,4",
    "ten_wild_wins": "true",
    "optional_marker": "true",
    "optional_power": "true",
    "tokens_break_all_ties": "true",
    "wild_breaks_ties": "true",
    "ages_2_3": "1",
    "ages_4_6": "2",
    "clans_2_3": "4",
    "clans_4_6": "7",
    "last_dragon": "2",
    "pool_refill": "1",
    "markers_needed": "2",
    "two_players.both_markers": "false",
    "two_players.winner_takes_all": "false",
    "pays.age_1": "[1,1]",
    "pays.age_2": "[2,0]",
    "pays.age_3": "[3,3,3]",
    "bruno.fires_at": "5,5,4,4,1,1",
    "bruno.cards": "2",
    "bruno.cards_each_age": "false",
    "bruno.none_is_tie": "false",
    "bear.margin": "0",
    "koi.each_symbol": "false",
    "koi.winner_only": "true",
    "owl.follow_ups": "1",
    "dog.scored": "true",
    "dog.times_cards": "2",
}
OF_EVERY_CLAN = {
    "times_cards": "2",
    "places_marker": "false",
    "marker_bonus": "3",
    "score_bonus": "3",
    "needs_marker": "true",
    "per_card": "2",
    "more": "1",
}
OTHER |= {
    name: OF_EVERY_CLAN[field.key]
    for name, field in load_rules("second").fields.items()
    if field.key in OF_EVERY_CLAN
}
OTHER["owl.needs_marker"] = "false"


def changed(name: str) -> Rules:
    text = f"{name}={OTHER[name]}"
    return load_rules("second", overrides=[text + "," if name == "koi.symbols" else text])


def test_the_id_is_twelve_hex_digits() -> None:
    for edition in EDITIONS:
        assert re.fullmatch("[0-9a-f]{12}", load_rules(edition).rules_id)


def test_every_value_has_a_change_to_try() -> None:
    assert set(OTHER) == set(load_rules("second").values())


def test_changing_any_value_changes_the_id_to_one_of_its_own() -> None:
    ids = {load_rules(edition).rules_id for edition in EDITIONS}
    ids |= {changed(name).rules_id for name in OTHER}
    assert len(ids) == 2 + len(OTHER)


@pytest.mark.parametrize("edition", EDITIONS)
def test_setting_every_value_to_what_it_was_keeps_the_id(edition: str) -> None:
    rules = load_rules(edition)
    again = load_rules(edition, overrides=rules.trace_values())
    assert again.rules_id == rules.rules_id


def test_the_same_values_have_the_same_id_however_they_were_set() -> None:
    by_text = load_rules("first", overrides=["ten_wild_wins=true"])
    assert load_rules("first", variant="ten-wild-wins").rules_id == by_text.rules_id
    assert load_rules("first", variant="ten-wild-wins") == by_text


def test_the_order_of_tokens_and_coins_means_nothing() -> None:
    for name, reverse in (
        ("raccoon.coins", "3,3,3,3,2,2,2,2,2,1,1,1,1,1"),
        ("fox.tokens", "6,5,4,3,2,1"),
        ("prestige_tokens.four_plus", "8,6,6,4,4,4"),
    ):
        rules = load_rules("second", overrides=[f"{name}={reverse}"])
        assert rules == load_rules("second")
        assert rules.rules_id == load_rules("second").rules_id


def test_the_order_of_the_ages_means_something() -> None:
    rules = load_rules("second", overrides=["bear.age_4_6=12,8,4"])
    assert rules.value("bear.age_4_6") == (12, 8, 4)
    assert rules.rules_id != load_rules("second").rules_id


def test_the_id_is_the_same_in_every_process_and_after_pickling() -> None:
    rules = load_rules("second", overrides=["bear.on_take=2"])
    assert pickle.loads(pickle.dumps(rules)).rules_id == rules.rules_id
    code = (
        "from ethnos_sim.simulator.rules import load_rules;"
        "print(load_rules('second', overrides=['bear.on_take=2']).rules_id)"
    )
    for hash_seed in ("1", "2"):
        printed = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
        )
        assert printed.stdout.strip() == rules.rules_id


def test_rules_are_frozen_and_can_be_keys() -> None:
    rules = load_rules("second")
    with pytest.raises(AttributeError):
        rules.edition = "first"  # type: ignore[misc]
    assert len({rules, load_rules("second", overrides=["hand_limit=10"])}) == 1
