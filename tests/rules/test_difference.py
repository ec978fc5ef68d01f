"""Differences between rules line up by power, so that giant and bear stand side by side."""

import pytest

from ethnos_sim.simulator import Power
from ethnos_sim.simulator.rules import (
    EDITIONS,
    load_rules,
    name_differences,
    parse_rules,
    power_names,
    value_differences,
)

BRUNO = {
    "fires_at": (5, 5, 4, 4, 0, 0),
    "cards": 3,
    "cards_each_age": True,
    "none_is_tie": True,
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_do_not_differ_from_themselves(edition: str) -> None:
    rules = load_rules(edition)
    assert value_differences(rules, rules) == ()
    assert name_differences(rules, rules) == ()


def test_the_editions_differ_in_these_values_and_no_others() -> None:
    differences = value_differences(load_rules("first"), load_rules("second"))
    assert [(row.first_name, row.second_name, row.first, row.second) for row in differences] == [
        (
            "prestige_tokens.base",
            "prestige_tokens.base",
            (0, 2, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10),
            (4, 4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12),
        ),
        (
            "prestige_tokens.four_plus",
            "prestige_tokens.four_plus",
            (0, 4, 4, 6, 6, 10),
            (4, 4, 4, 6, 6, 8),
        ),
        *((None, f"bruno.{name}", None, value) for name, value in BRUNO.items()),
        ("giant.on_take", "bear.on_take", 2, 4),
        ("giant.age_4_6", "bear.age_4_6", (2, 4, 6), (4, 8, 12)),
        ("giant.age_2_3", "bear.age_2_3", (2, 5), (4, 10)),
        ("merfolk.prestige_4_6", "koi.prestige_4_6", (1, 2, 4), (2, 4, 8)),
        ("merfolk.prestige_2_3", "koi.prestige_2_3", (1, 3), (2, 6)),
        ("halfling.places_marker", None, False, None),
        ("halfling.marker_bonus", None, 0, None),
        ("halfling.score_bonus", None, 0, None),
        ("halfling.times_cards", None, 2, None),
        (None, "raccoon.coins", None, (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3)),
        (None, "raccoon.needs_marker", None, False),
        (None, "raccoon.places_marker", None, True),
        (None, "raccoon.marker_bonus", None, 0),
        (None, "raccoon.score_bonus", None, 0),
        (None, "raccoon.times_cards", None, 1),
    ]


def test_an_override_is_the_only_difference() -> None:
    (row,) = value_differences(parse_rules("second"), parse_rules("second+bear.on_take=2"))
    assert (row.first_name, row.second_name, row.first, row.second) == (
        "bear.on_take",
        "bear.on_take",
        4,
        2,
    )


def test_every_power_is_named_on_both_sides() -> None:
    pairs = power_names(load_rules("first"), load_rules("second"))
    assert [(pair.power, pair.first, pair.second) for pair in pairs] == [
        (Power.SECOND_PARTY, "centaur", "owl"),
        (Power.SCORES_LARGER, "dwarf", "rabbit"),
        (Power.KEEPS_CARDS, "elf", "red_panda"),
        (Power.LARGEST_TOKEN, "giant", "bear"),
        (Power.SEA_TRACK, "merfolk", "koi"),
        (Power.ONE_CARD_FEWER, "minotaur", "tiger"),
        (Power.SETTLEMENT_BOARD, "orc", "monkey"),
        (Power.WILD, "skeleton", "dog"),
        (Power.TIE_BREAK_TOKENS, "troll", "fox"),
        (Power.ANY_REGION, "wingfolk", "deer"),
        (Power.DRAWS_CARDS, "wizard", "raven"),
        (Power.NO_MARKER, "halfling", None),
        (Power.COINS, None, "raccoon"),
    ]
    second = load_rules("second")
    assert len(power_names(second, second)) == 12


def test_the_editions_words_stand_side_by_side() -> None:
    rows = {row[0]: row[1:] for row in name_differences(load_rules("first"), load_rules("second"))}
    assert rows["region"] == ("kingdom", "region")
    assert rows["prestige"] == ("glory", "prestige")
    assert rows["region names"][0].startswith("Ithys, Straton")
    assert "age" not in rows
