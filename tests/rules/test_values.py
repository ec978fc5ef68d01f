"""Promises for every value of an edition: its field, source, words, and differences.

The transcripts of `ethnos-sim rules` contain the printed values, words and clans.
"""

import numpy as np
import pytest
from inside.simulator.game import RULES_DTYPE
from inside.simulator.rules import CLAN_FIELDS, TABLE_FIELDS

from ethnos_sim.simulator import EDITIONS, Power, RulesError, load_rules


def test_every_value_fits_its_field_of_the_record() -> None:
    of_record = RULES_DTYPE.fields or {}
    for field in (*TABLE_FIELDS, *CLAN_FIELDS):
        if field.record in of_record:
            dtype = of_record[field.record][0]
            numbers = np.iinfo(dtype.base)
            assert numbers.min <= field.low <= field.high <= numbers.max, field.key
            if field.length is not None:
                assert field.length[1] <= dtype.shape[-1], field.key


def test_a_text_is_translated_into_the_words_of_the_edition() -> None:
    text = "Parties in a region give prestige to the clan, a largest-party token; regional stays."
    assert load_rules("second").words.translate(text) == text
    assert load_rules("first").words.translate(text) == (
        "Bands in a kingdom give glory to the tribe, a largest-band token; regional stays."
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_value_has_a_source_and_a_confidence(edition: str) -> None:
    for stated in load_rules(edition).stated.values():
        assert stated.source
        assert stated.confidence in ("certain", "high", "medium", "assumed")


def test_a_changed_value_is_an_override_and_no_longer_assumed() -> None:
    rules = load_rules("second", overrides=["monkey.settlement=[0,1,2,3,4,5,6]"])
    stated = rules.stated["monkey.settlement"]
    assert (stated.source, stated.confidence) == ("override", "override")
    assert "monkey.settlement" not in rules.assumed_values()
    assert rules.stated["koi.symbols"] is load_rules("second").stated["koi.symbols"]


def test_an_override_says_which_variant_made_it() -> None:
    rules = load_rules("first", variant="first-alternative-tokens")
    assert "first-alternative-tokens" in rules.stated["prestige_tokens.base"].note


def test_power_numbers_equal_the_numbers_stored_in_results() -> None:
    names = (
        "SECOND_PARTY", "SCORES_LARGER", "KEEPS_CARDS", "LARGEST_TOKEN", "SEA_TRACK",
        "ONE_CARD_FEWER", "SETTLEMENT_BOARD", "WILD", "TIE_BREAK_TOKENS", "ANY_REGION",
        "DRAWS_CARDS", "NO_MARKER", "COINS", "CUSTOM",
    )  # fmt: skip
    assert [(power.value, power.name) for power in Power] == list(enumerate(names))


def test_an_unknown_clan_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(RulesError, match="unknown second-edition clan 'bera'; did you mean 'bear'"):
        load_rules("second").power_of("bera")
    with pytest.raises(RulesError, match="unknown first-edition tribe 'gaint'"):
        load_rules("first").power_of("gaint")
