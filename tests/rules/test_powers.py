"""Powers keep their numbers, and each clan has the power that its edition gives it."""

import pytest

from ethnos_sim.simulator import Power
from ethnos_sim.simulator.powers import DESCRIPTIONS
from ethnos_sim.simulator.rules import RulesError, load_rules

FIRST = {
    "centaur": Power.SECOND_PARTY,
    "dwarf": Power.SCORES_LARGER,
    "elf": Power.KEEPS_CARDS,
    "giant": Power.LARGEST_TOKEN,
    "halfling": Power.NO_MARKER,
    "merfolk": Power.SEA_TRACK,
    "minotaur": Power.ONE_CARD_FEWER,
    "orc": Power.SETTLEMENT_BOARD,
    "skeleton": Power.WILD,
    "troll": Power.TIE_BREAK_TOKENS,
    "wingfolk": Power.ANY_REGION,
    "wizard": Power.DRAWS_CARDS,
}
SECOND = {
    "bear": Power.LARGEST_TOKEN,
    "deer": Power.ANY_REGION,
    "dog": Power.WILD,
    "fox": Power.TIE_BREAK_TOKENS,
    "koi": Power.SEA_TRACK,
    "monkey": Power.SETTLEMENT_BOARD,
    "owl": Power.SECOND_PARTY,
    "rabbit": Power.SCORES_LARGER,
    "raccoon": Power.COINS,
    "raven": Power.DRAWS_CARDS,
    "red_panda": Power.KEEPS_CARDS,
    "tiger": Power.ONE_CARD_FEWER,
}


def test_power_numbers_are_the_ones_that_results_store() -> None:
    assert [(power.name, power.value) for power in Power] == [
        ("SECOND_PARTY", 0),
        ("SCORES_LARGER", 1),
        ("KEEPS_CARDS", 2),
        ("LARGEST_TOKEN", 3),
        ("SEA_TRACK", 4),
        ("ONE_CARD_FEWER", 5),
        ("SETTLEMENT_BOARD", 6),
        ("WILD", 7),
        ("TIE_BREAK_TOKENS", 8),
        ("ANY_REGION", 9),
        ("DRAWS_CARDS", 10),
        ("NO_MARKER", 11),
        ("COINS", 12),
        ("CUSTOM", 13),
    ]


def test_every_power_is_described_in_one_line_of_its_own() -> None:
    assert set(DESCRIPTIONS) == set(Power)
    lines = [power.description for power in Power]
    assert len(set(lines)) == 14
    assert all(line and "\n" not in line and len(line) < 80 for line in lines)


@pytest.mark.parametrize(("edition", "clans"), [("first", FIRST), ("second", SECOND)])
def test_each_clan_has_its_power_and_each_power_its_clan(
    edition: str, clans: dict[str, Power]
) -> None:
    rules = load_rules(edition)
    assert rules.clans == tuple(sorted(clans))
    assert {clan: rules.power_of(clan) for clan in rules.clans} == clans
    by_power = {power: clan for clan, power in clans.items()}
    assert {power: rules.clan_of(power) for power in Power} == {
        power: by_power.get(power) for power in Power
    }


def test_only_the_first_edition_has_no_marker_and_only_the_second_has_coins() -> None:
    assert load_rules("first").clan_of(Power.COINS) is None
    assert load_rules("second").clan_of(Power.NO_MARKER) is None


def test_an_unknown_clan_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(RulesError, match="unknown second-edition clan 'bera'; did you mean 'bear'"):
        load_rules("second").power_of("bera")
    with pytest.raises(RulesError, match="unknown first-edition tribe 'gaint'"):
        load_rules("first").power_of("gaint")
