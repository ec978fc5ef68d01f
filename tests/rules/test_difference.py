"""Differences between rules line up by power, so that giant and bear stand side by side."""

import pytest

from ethnos_sim.simulator import EDITIONS, load_rules, parse_rules
from ethnos_sim.simulator.rules import name_differences, value_differences


@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_do_not_differ_from_themselves(edition: str) -> None:
    rules = load_rules(edition)
    assert value_differences(rules, rules) == ()
    assert name_differences(rules, rules) == ()


def test_an_override_is_the_only_difference() -> None:
    (row,) = value_differences(parse_rules("second"), parse_rules("second+bear.on_take=2"))
    assert (row.first_name, row.second_name, row.first, row.second) == (
        "bear.on_take",
        "bear.on_take",
        4,
        2,
    )
