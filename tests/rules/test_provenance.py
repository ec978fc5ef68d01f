"""Every value says who states it and how sure that is, and assumed values can be named."""

import pytest

from ethnos_sim.simulator import EDITIONS, Rules, RulesError, load_rules
from ethnos_sim.simulator.rules import CONFIDENCES

ASSUMED = (
    "bear.age_4_6",
    "bear.age_2_3",
    "koi.last_space",
    "koi.symbols",
    "koi.prestige_4_6",
    "koi.prestige_2_3",
    "monkey.settlement",
    "raccoon.coins",
)


@pytest.fixture(params=EDITIONS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return load_rules(request.param)


def test_every_value_has_a_source_and_a_confidence(rules: Rules) -> None:
    assert set(rules.sources) == set(rules.values())
    for name in rules.values():
        provenance = rules.provenance(name)
        assert provenance.source
        assert provenance.confidence in CONFIDENCES


def test_a_source_can_be_asked_for_by_name() -> None:
    provenance = load_rules("second").provenance("bear.on_take")
    assert (provenance.source, provenance.confidence) == ("rulebook", "certain")
    with pytest.raises(RulesError, match=r"did you mean 'bear\.on_take'"):
        load_rules("second").provenance("bear.ontake")


def test_assumed_values_are_named() -> None:
    assert load_rules("first").assumed() == ()
    assert load_rules("second").assumed() == ASSUMED


def test_assumed_values_of_clans_out_of_play_do_not_matter() -> None:
    rules = load_rules("second")
    assert rules.assumed(clans=("owl", "rabbit", "fox", "dog", "deer", "tiger")) == ()
    assert rules.assumed(clans=("owl", "monkey", "raccoon")) == (
        "monkey.settlement",
        "raccoon.coins",
    )
    with pytest.raises(RulesError, match="did you mean 'monkey'"):
        rules.assumed(clans=("monky",))


@pytest.mark.parametrize(
    ("players", "side"), [(1, "2_3"), (2, "2_3"), (3, "2_3"), (4, "4_6"), (5, "4_6"), (6, "4_6")]
)
def test_only_the_side_of_the_boards_in_use_matters(players: int, side: str) -> None:
    assert load_rules("second").assumed(clans=("koi", "bear"), players=players) == (
        f"bear.age_{side}",
        "koi.last_space",
        "koi.symbols",
        f"koi.prestige_{side}",
    )


def test_a_changed_value_is_an_override_and_no_longer_assumed() -> None:
    rules = load_rules("second", overrides=["monkey.settlement=[0,1,2,3,4,5,6]"])
    provenance = rules.provenance("monkey.settlement")
    assert (provenance.source, provenance.confidence) == ("override", "override")
    assert "monkey.settlement" not in rules.assumed()
    assert rules.provenance("koi.symbols") == load_rules("second").provenance("koi.symbols")


def test_setting_a_value_to_what_it_was_keeps_its_source() -> None:
    rules = load_rules("second", overrides=["bear.age_4_6=4,8,12"])
    assert rules.provenance("bear.age_4_6").confidence == "assumed"
    assert rules == load_rules("second")


def test_an_override_says_which_variant_made_it() -> None:
    rules = load_rules("first", variant="first-alternative-tokens")
    assert "first-alternative-tokens" in rules.provenance("prestige_tokens.base").note
