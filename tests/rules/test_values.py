"""What holds for every value of an edition.

The printed values themselves, words and clans are in the transcripts of `ethnos-sim rules`.
"""

import numpy as np
import pytest

from ethnos_sim.simulator import EDITIONS, Power, Rules, load_rules
from ethnos_sim.simulator.records import RULES_DTYPE
from ethnos_sim.simulator.rules import CLAN_FIELDS, TABLE_FIELDS
from ethnos_sim.simulator.rules.fields import GROUPS


@pytest.fixture(params=EDITIONS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return load_rules(request.param)


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
