"""Powers keep their numbers and have descriptions; the transcripts name each edition's clans."""

import pytest

from ethnos_sim.simulator import Power, RulesError, load_rules
from ethnos_sim.simulator.powers import DESCRIPTIONS


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


def test_an_unknown_clan_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(RulesError, match="unknown second-edition clan 'bera'; did you mean 'bear'"):
        load_rules("second").power_of("bera")
    with pytest.raises(RulesError, match="unknown first-edition tribe 'gaint'"):
        load_rules("first").power_of("gaint")
