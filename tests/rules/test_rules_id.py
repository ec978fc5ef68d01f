"""The rules id depends on the edition and the values in force, and on nothing else."""

import pickle
from dataclasses import replace

import pytest
from commands import python

from ethnos_sim.simulator import EDITIONS, load_rules


def test_every_changed_value_gives_a_different_id() -> None:
    rules = load_rules("second")
    ids = {load_rules(edition).rules_id for edition in EDITIONS}
    for name, stated in rules.stated.items():
        other = {name: replace(stated, value=(99, 98))}
        ids.add(replace(rules, stated={**rules.stated, **other}).rules_id)
    assert len(ids) == 2 + len(rules.stated)


@pytest.mark.parametrize("edition", EDITIONS)
def test_setting_every_value_to_itself_keeps_the_id(edition: str) -> None:
    rules = load_rules(edition)
    again = load_rules(edition, overrides=rules.trace_values())
    assert again.rules_id == rules.rules_id


def test_the_same_values_have_the_same_id_however_they_were_set() -> None:
    by_text = load_rules("first", overrides=["ten_wild_wins=true"])
    assert load_rules("first", variant="ten-wild-wins").rules_id == by_text.rules_id
    assert load_rules("first", variant="ten-wild-wins") == by_text


def test_the_order_of_tokens_and_coins_does_not_change_the_id() -> None:
    for name, reverse in (
        ("raccoon.coins", "3,3,3,3,2,2,2,2,2,1,1,1,1,1"),
        ("fox.tokens", "6,5,4,3,2,1"),
        ("prestige_tokens.four_plus", "8,6,6,4,4,4"),
    ):
        rules = load_rules("second", overrides=[f"{name}={reverse}"])
        assert rules == load_rules("second")
        assert rules.rules_id == load_rules("second").rules_id


def test_the_order_of_the_ages_changes_the_id() -> None:
    rules = load_rules("second", overrides=["bear.age_4_6=12,8,4"])
    assert rules.value("bear.age_4_6") == (12, 8, 4)
    assert rules.rules_id != load_rules("second").rules_id


def test_the_id_is_the_same_in_every_process_and_after_pickling() -> None:
    rules = load_rules("second", overrides=["bear.on_take=2"])
    assert pickle.loads(pickle.dumps(rules)).rules_id == rules.rules_id
    code = (
        "from ethnos_sim.simulator import load_rules;"
        "print(load_rules('second', overrides=['bear.on_take=2']).rules_id)"
    )
    for hash_seed in ("1", "2"):
        printed = python("-c", code, PYTHONHASHSEED=hash_seed).stdout
        assert printed.strip() == rules.rules_id
