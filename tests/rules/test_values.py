"""Both editions have the values that are printed on their components, in their own words.

The numbers are written out here and not read from the data, so that a slip in the data shows.
"""

import pytest

from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import EDITIONS, Rules, Words, load_rules
from ethnos_sim.simulator.rules.fields import GROUPS

SHARED = {
    "ages_2_3": 2,
    "ages_4_6": 3,
    "clans_2_3": 5,
    "clans_4_6": 6,
    "cards_per_clan": 12,
    "dragons": 3,
    "last_dragon": 0,
    "hand_limit": 10,
    "party_limit": 10,
    "pool_per_player": 2,
    "pool_refill": 0,
    "recruitment_pool": 3,
    "markers": 26,
    "markers_needed": 1,
    "two_players.both_markers": True,
    "two_players.winner_takes_all": True,
    "party_points": (0, 0, 1, 3, 6, 10, 15),
    "pays.age_1": (1,),
    "pays.age_2": (2, 1),
    "pays.age_3": (3, 2, 1),
    "ten_wild_wins": False,
    "optional_marker": False,
    "optional_power": False,
    "tokens_break_all_ties": False,
    "wild_breaks_ties": False,
}
SOLO = {
    "bruno.fires_at": (5, 5, 4, 4, 0, 0),
    "bruno.cards": 3,
    "bruno.cards_each_age": True,
    "bruno.none_is_tie": True,
}

#: What clans have by their powers beside the numbers of their components.
PLAIN = {"times_cards": 1, "places_marker": True, "marker_bonus": 0, "score_bonus": 0}
REACH = {"per_card": 1, "more": 0, "needs_marker": False}
OF_POWER = {
    "second_party": {"follow_ups": 15, "needs_marker": True},
    "scores_larger": {"score_bonus": 1},
    "keeps_cards": REACH,
    "largest_token": {"margin": 1, "needs_marker": False},
    "sea_track": REACH | {"each_symbol": True, "winner_only": False},
    "one_card_fewer": {"marker_bonus": 1},
    "settlement_board": {"needs_marker": False},
    "tie_break_tokens": REACH,
    "draws_cards": REACH,
    "no_marker": {"places_marker": False, "times_cards": 2},
    "coins": {"needs_marker": False},
}
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


def of_clans(rules: Rules) -> dict[str, object]:
    """What every clan has by its power."""
    found: dict[str, object] = {}
    for clan in rules.clans:
        power = rules.power_of(clan).name.lower()
        own: dict[str, object] = {**PLAIN, **OF_POWER.get(power, {})}
        if power == "wild":
            own = {"times_cards": 1, "scored": False}
        found |= {f"{clan}.{key}": value for key, value in own.items()}
    return found


@pytest.mark.parametrize(("edition", "own"), [("first", FIRST), ("second", SECOND | SOLO)])
def test_an_edition_has_its_printed_values_under_its_own_names_and_no_others(
    edition: str, own: dict[str, object]
) -> None:
    rules = load_rules(edition)
    assert rules.values() == SHARED | own | of_clans(rules)


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
