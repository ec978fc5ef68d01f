"""Clans are data: a variant adds and removes clans, and changes their powers and values."""

from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from inside.simulator.rules import TABLE_FIELDS, Field
from inside.simulator.tables import view_records
from kit.refereed import refereed
from seated import table_of

from ethnos_sim.simulator import InvalidGame, Power, load_rules
from ethnos_sim.simulator.rules import clan_pairs

PHOENIX = """
description = "A thirteenth clan, a griffin for the bear, no fox."

[clans]
fox = false
bear = false

[clans.phoenix]
power = "second_party"
follow_ups = 1
needs_marker = false

[clans.griffin]
power = "largest_token"
on_take = 1
"""


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    path = tmp_path / "phoenix.toml"
    path.write_text(PHOENIX, encoding="utf-8")
    return path


def test_a_variant_adds_and_removes_clans(variant: Path) -> None:
    rules = load_rules("second", variant)
    assert rules.power_of("phoenix") is Power.SECOND_PARTY
    assert rules.value("phoenix.follow_ups") == 1
    assert rules.value("owl.follow_ups") == 15
    assert rules.power_of("griffin") is Power.LARGEST_TOKEN
    assert rules.value("griffin.age_4_6") == load_rules("second").value("bear.age_4_6")
    assert {"bear", "fox"}.isdisjoint(rules.clans)
    assert rules.clans[-2:] == ("griffin", "phoenix")
    assert rules.stated["griffin.on_take"].confidence == "override"
    assert rules.stated["griffin.age_4_6"].confidence == "assumed"


def test_a_clan_may_have_the_power_of_another_edition() -> None:
    rules = load_rules("second", overrides={"clans": {"mole": "no_marker", "tiger": "coins"}})
    assert (rules.value("mole.times_cards"), rules.value("mole.places_marker")) == (2, False)
    assert rules.value("tiger.coins") == rules.value("raccoon.coins")
    assert load_rules("first", overrides={"clans.magpie": "coins"}).value("magpie.coins")[0] == 1


def test_rules_with_added_clans_are_read_back_from_a_trace(variant: Path) -> None:
    rules = load_rules("second", variant)
    again = load_rules("second", overrides=rules.trace_values())
    assert (again, again.rules_id) == (rules, rules.rules_id)
    assert rules.rules_id != load_rules("second").rules_id


def test_a_comparison_pairs_clans_of_the_same_power(variant: Path) -> None:
    pairs = clan_pairs(load_rules("second"), load_rules("second", variant))
    different = [(clan, other) for _, clan, other in pairs if clan != other]
    assert different == [(None, "phoenix"), ("bear", "griffin"), ("fox", None)]


TWICE = [
    ("koi", "carp", "sea_track", {"carp.last_space": 9, "carp.symbols": [2, 9]}),
    ("bear", "elk", "largest_token", {"elk.on_take": 9}),
    ("monkey", "ape", "settlement_board", {"ape.settlement": [0, 5, 6, 7, 8, 9, 9]}),
    ("fox", "cat", "tie_break_tokens", {"cat.tokens": [2, 2, 9]}),
    ("raccoon", "magpie", "coins", {"magpie.coins": [7, 8]}),
    ("dog", "wolf", "wild", {"wolf.scored": True}),
    ("raven", "crow", "draws_cards", {"crow.per_card": 2}),
    ("owl", "bat", "second_party", {"bat.follow_ups": 1}),
]


@pytest.mark.parametrize(("old", "new", "power", "values"), TWICE, ids=[t[2] for t in TWICE])
@pytest.mark.parametrize("players", [2, 4])
def test_two_clans_with_one_power_play_side_by_side_each_by_its_values(
    old: str, new: str, power: str, values: dict[str, object], players: int
) -> None:
    """The referee keeps a separate track, tokens, boards and coins for each clan."""
    rules = load_rules("second", overrides={f"clans.{new}": power, **values})
    others = [clan for clan in ("tiger", "deer", "rabbit", "koi", "red_panda") if clan != old]
    clans = [old, new, *others][: rules.clans_in_play(players)]
    table = table_of(rules, "random", players, clans=clans)
    for game in range(12):
        refereed(table, seed=5, game=game)


def test_a_deck_too_small_to_deal_is_refused() -> None:
    rules = load_rules("second", overrides=["clans_4_6=1", "cards_per_clan=6"])
    with pytest.raises(InvalidGame, match="6 cards are too few for the 12 that are dealt"):
        table_of(rules, "random", clans=["bear"])


@pytest.mark.parametrize("field", [field for field in TABLE_FIELDS if field.group == "cards"])
def test_the_smallest_deck_that_is_accepted_can_be_dealt_in_every_age(field: Field) -> None:
    for clans in range(1, 8):
        small = ["dragons=6", "hand_limit=15", "cards_per_clan=6", f"clans_4_6={clans}"]
        rules = load_rules("second", overrides=[*small, f"{field.key}={field.high}"])
        with suppress(InvalidGame):
            table = table_of(rules, "random", players=6)
            (view,) = view_records(rules, 6, "standard", [table.clans])
            assert (view["rules"]["dragons_part"] >= rules.number("dragons")).all(), (
                "`check_clans` in simulator/tables/table.py accepts a deck that is too small"
            )


def test_a_deck_too_large_for_the_records_is_refused() -> None:
    rules = load_rules("second", overrides=["bear.times_cards=3", "clans_4_6=6"])
    with pytest.raises(InvalidGame, match="have 8 times the cards of a clan; at most 7 fit"):
        table_of(rules, "random")


def test_r30_an_age_ends_when_nobody_can_ever_play() -> None:
    overrides = {"clans.wolf": "wild", "clans_4_6": 2, "hand_limit": 3}
    rules = load_rules("second", overrides=overrides)
    table = table_of(rules, "random", clans=["dog", "wolf"])
    for game in range(4):
        kinds = [event["event"] for event in refereed(table, seed=2, game=game).events]
        assert {before for before, kind in pairwise(kinds) if kind == "age_end"} == {"pass"}


def test_in_solo_no_clan_is_wild() -> None:
    """Every clan leads for Bruno, which a wild clan cannot do (R36)."""
    with pytest.raises(InvalidGame, match="'koi' is wild and cannot lead, and in solo each clan"):
        table_of(load_rules("second", overrides="clans.koi=wild"), "greedy", 1, "solo-regular")
