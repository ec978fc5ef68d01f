"""Both editions have the values that are printed on their components, in their own words.

The numbers are written out here and not read from the data, so that a slip in the data shows.
"""

import pytest

from ethnos_sim.simulator.rules import EDITIONS, Rules, Words, load_rules

SHARED = {
    "party_points": (0, 0, 1, 3, 6, 10, 15),
    "hand_limit": 10,
    "party_limit": 10,
    "dragons": 3,
    "markers": 26,
    "cards_per_clan": 12,
    "pool_per_player": 2,
    "recruitment_pool": 3,
}
SWITCHES = {"ten_wild_wins": False, "optional_marker": False}
FIRST = {
    "prestige_tokens.base": (0, 2, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10),
    "prestige_tokens.four_plus": (0, 4, 4, 6, 6, 10),
    "merfolk.last_space": 18,
    "merfolk.symbols": (3, 7, 12, 18),
    "merfolk.prestige_4_6": (1, 2, 4),
    "merfolk.prestige_2_3": (1, 3),
    "giant.on_take": 2,
    "giant.age_4_6": (2, 4, 6),
    "giant.age_2_3": (2, 5),
    "orc.settlement": (0, 1, 3, 6, 10, 15, 20),
    "troll.tokens": (1, 2, 3, 4, 5, 6),
}
SECOND = {
    "prestige_tokens.base": (4, 4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12),
    "prestige_tokens.four_plus": (4, 4, 4, 6, 6, 8),
    "koi.last_space": 18,
    "koi.symbols": (3, 7, 12, 18),
    "koi.prestige_4_6": (2, 4, 8),
    "koi.prestige_2_3": (2, 6),
    "bear.on_take": 4,
    "bear.age_4_6": (4, 8, 12),
    "bear.age_2_3": (4, 10),
    "monkey.settlement": (0, 1, 3, 6, 10, 15, 20),
    "fox.tokens": (1, 2, 3, 4, 5, 6),
    "raccoon.coins": (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3),
}


@pytest.fixture(params=EDITIONS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return load_rules(request.param)


@pytest.mark.parametrize(("edition", "own"), [("first", FIRST), ("second", SECOND)])
def test_an_edition_has_its_printed_values_under_its_own_names_and_no_others(
    edition: str, own: dict[str, object]
) -> None:
    values = load_rules(edition).values()
    assert values == SHARED | own | SWITCHES
    assert list(values) == [*SHARED, *own, *SWITCHES]


def test_values_are_reached_by_neutral_names_in_both_editions() -> None:
    first, second = load_rules("first"), load_rules("second")
    assert (first.largest_on_take, second.largest_on_take) == (2, 4)
    assert (first.largest_age_4_6, second.largest_age_4_6) == ((2, 4, 6), (4, 8, 12))
    assert (first.largest_age_2_3, second.largest_age_2_3) == ((2, 5), (4, 10))
    assert (first.sea_last_space, second.sea_last_space) == (18, 18)
    assert first.sea_symbols == second.sea_symbols == (3, 7, 12, 18)
    assert (first.sea_prestige_4_6, second.sea_prestige_4_6) == ((1, 2, 4), (2, 4, 8))
    assert (first.sea_prestige_2_3, second.sea_prestige_2_3) == ((1, 3), (2, 6))
    assert first.settlement == second.settlement == (0, 1, 3, 6, 10, 15, 20)
    assert first.tie_break_tokens == second.tie_break_tokens == (1, 2, 3, 4, 5, 6)
    assert (len(first.coins), len(second.coins)) == (0, 14)
    assert first.prestige_tokens_four_plus == (0, 4, 4, 6, 6, 10)
    assert second.prestige_tokens_base == (4, 4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12)


def test_the_six_markers_of_a_full_settlement_board_and_no_marker_have_a_value(
    rules: Rules,
) -> None:
    assert len(rules.settlement) == len(rules.colors) + 1
    assert rules.settlement[0] == 0


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
