"""Both editions have the values that are printed on their components, in their own words.

The referee's games have the numbers written out, so that a slip in the data shows.
"""

import numpy as np
import pytest
from rules.printed_values import printed_rules

from ethnos_sim.simulator import Power
from ethnos_sim.simulator.records import RULES_DTYPE
from ethnos_sim.simulator.rules import (
    CLAN_FIELDS,
    EDITIONS,
    TABLE_FIELDS,
    Rules,
    Words,
    load_rules,
)
from ethnos_sim.simulator.rules.fields import GROUPS


@pytest.fixture(params=EDITIONS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return load_rules(request.param)


def test_an_edition_has_its_printed_values_under_its_own_names_and_no_others(rules: Rules) -> None:
    assert rules.trace_values() == printed_rules(rules.edition)


def test_every_value_fits_its_field_of_the_record() -> None:
    of_record = RULES_DTYPE.fields or {}
    for field in (*TABLE_FIELDS, *CLAN_FIELDS):
        if field.record in of_record:
            dtype = of_record[field.record][0]
            numbers = np.iinfo(dtype.base)
            assert numbers.min <= field.low <= field.high <= numbers.max, field.key
            if field.length is not None:
                assert field.length[1] <= dtype.shape[-1], field.key


def test_values_are_shown_by_what_they_are_about_and_clan_by_clan(rules: Rules) -> None:
    groups = [field.group or name.partition(".")[0] for name, field in rules.fields.items()]
    solo = ["solo"] if rules.solo_clans else []
    named = [group for group in GROUPS if group != "solo"]
    assert list(dict.fromkeys(groups)) == [*named, *solo, *rules.clans]
    assert groups == sorted(groups, key=[*GROUPS, *rules.clans].index)


def test_the_six_markers_of_a_full_settlement_board_and_no_marker_have_a_value(
    rules: Rules,
) -> None:
    board = rules.numbers(rules.clan_of(Power.SETTLEMENT_BOARD) or "", "settlement")
    assert len(board) == len(rules.colors) + 1
    assert board[0] == 0


def test_colors_regions_and_titles_are_the_editions_own() -> None:
    first, second = load_rules("first"), load_rules("second")
    assert first.title == "1st edition (2017)"
    assert first.colors == ("orange", "blue", "red", "purple", "green", "grey")
    assert first.regions == ("Ithys", "Straton", "Rhea", "Duris", "Althea", "Pelagon")
    assert second.title == "2nd edition (2024)"
    assert second.colors == ("white", "green", "yellow", "black", "red", "blue")
    assert second.regions == ("White", "Green", "Yellow", "Black", "Red", "Blue")


def test_words_are_the_editions_own() -> None:
    assert load_rules("first").words == Words(
        region="kingdom",
        regions="kingdoms",
        clan="tribe",
        clans="tribes",
        party="band",
        parties="bands",
        prestige="glory",
        age="age",
        ages="ages",
    )
    second = load_rules("second").words
    assert (second.region, second.clan, second.party) == ("region", "clan", "party")
    assert second.prestige == "prestige"


def test_a_text_is_told_in_the_editions_words() -> None:
    text = "Parties in a region give prestige to the clan, a largest-party token; regional stays."
    assert load_rules("second").words.translate(text) == text
    assert load_rules("first").words.translate(text) == (
        "Bands in a kingdom give glory to the tribe, a largest-band token; regional stays."
    )


def test_a_trace_holds_every_value_as_json_would(rules: Rules) -> None:
    values = rules.values()
    trace = rules.trace_values()
    assert list(trace) == list(values)
    for name, value in values.items():
        assert trace[name] == (list(value) if isinstance(value, tuple) else value)
        assert not isinstance(trace[name], tuple)


def test_an_unknown_edition_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"^unknown edition 'secnd'; did you mean 'second'\?$"):
        load_rules("secnd")
