"""Specs: mistakes are reported with the key and the nearest known name."""

import pytest
from inside.experiments import SpecChanges, parse_spec

from ethnos_sim import load_spec
from ethnos_sim.simulator import SpecError

FIVE = ["bear", "deer", "dog", "fox", "koi"]
SIX = [*FIVE, "monkey"]
FIRST_SIX = ["centaur", "dwarf", "elf", "giant", "orc", "troll"]
GREEDY = {"strategies": ["greedy"]}
OWN = {"name": "own", "set": {"clans.phoenix": "second_party"}}
TWO = {"editions": ["second"], "players": [2]}
FOUR = {"editions": ["second"], "players": [4]}
SOLO = {"editions": ["second"], "players": [1], "modes": ["solo-easy"], "clan_sets": None}


def given(*sets: list[str]) -> dict:
    """The key for sets that are written in the spec."""
    return {"clan_sets": {"given": [*sets]}}


#: Keys that replace keys of the small spec (or remove them), and the error that they cause.
REFUSED: list[tuple[dict, str]] = [
    *(({key: None}, f"{key}: is missing") for key in ("players", "clan_sets", "line_ups")),
    ({"games_per_cell": 20}, "either 'games' (in total) or 'games_per_cell'"),
    ({"games": None}, "either 'games' (in total) or 'games_per_cell'"),
    ({"games": 10**20}, "games: "),
    ({"name": "\x1b[2J"}, "name: "),
    # Clan sets.
    (FOUR | given(FIVE), "clan_sets: no table has the set bear, deer, dog, fox, koi: "),
    (TWO | given(SIX), "these player counts need 5 clans of one edition"),
    ({"players": [4]} | given(SIX, ["orc", *FIVE]), "need 6 clans of one edition"),
    (FOUR | given([*FIVE, "bear"]), "clan_sets.given[0]: 'bear' is given twice"),
    (FOUR | given([*FIVE, "monkye"]), "no clan 'monkye'; did you mean 'monkey'?"),
    (FOUR | given(SIX, SIX), "'monkey'] is given twice"),
    ({"players": [4]} | given(SIX), "clan_sets: holds no set of 6 clans of the 1st edition"),
    ({"clan_sets": {"with": "bear"}}, "clan_sets: there is no clan 'bear'"),
    ({"clan_sets": {"five": {"sample": 793}, "six": "all"}}, "there are 792 sets of 5"),
    ({"clan_sets": "hexads"}, "clan_sets: 'hexads' has sets of 6 clans, and 5 play"),
    ({"clan_sets": "hexad"}, "did you mean 'hexads'?"),
    ({"clan_sets": {"six": "all"}}, "clan_sets: 'five' is missing: a player count needs 5 clans"),
    ({"clan_sets": {"sample": 3, "with": "bear"}}, "exactly one of"),
    ({"clan_sets": {"sample": 3, "six": "all"}}, "'sample' cannot stand beside 'five' or 'six'"),
    ({"clan_sets": {"six": {"all": True, "seed": 5}}}, "seed decides nothing without 'sample'"),
    (
        FOUR | {"clan_sets": {"with": "phoenix"}, "rules": [{"name": "a"}, OWN]},
        "there is no clan 'phoenix'",
    ),
    # Line-ups.
    ({"line_ups": [["greedy", "random", "greedy"]]}, "line_ups: 3 strategies for 2 players"),
    ({"line_ups": [{"strategies": ["greedy"], "players": [4]}]}, "line_ups: none is for 2 players"),
    (
        {"line_ups": [["greedy"], {"strategies": ["random"], "players": [5]}]},
        "line_ups: the spec does not play with 5 players",
    ),
    ({"line_ups": [GREEDY | {"named": "\x1b"}]}, "line_ups[0].named: "),
    ({"line_ups": [GREEDY | {"weight": 0}]}, "line_ups[0].weight: input should be greater"),
    ({"line_ups": [GREEDY | {"by_age": True}]}, "by_age needs gives_up = true"),
    (
        FOUR | {"line_ups": [{"strategies": ["greedy:never_leads=bear"], "gives_up": True}]},
        "gives up a clan already",
    ),
    (SOLO | {"line_ups": [GREEDY | {"gives_up": True}]}, "gives_up needs 2 players or more"),
    # Solo.
    (SOLO | {"players": [2], "clan_sets": "all"}, "players: the edition second cannot be played"),
    (SOLO | {"editions": ["second", "first"]}, "players: the edition first cannot be played"),
    (SOLO | {"modes": ["standard"]}, "players: the edition second cannot be played"),
    (SOLO | {"modes": ["solo-easy", "standard"]}, "players: the mode standard cannot be played"),
    (
        SOLO | {"players": [1, 3], "clan_sets": "all"},
        "players: the number of players 3 cannot be played",
    ),
    (SOLO | {"clan_sets": "all"}, "clan_sets: is not for solo modes"),
    (SOLO | {"line_ups": [["greedy", "random"]]}, "line_ups: 2 strategies for 1 player"),
    # Rules.
    (
        {"editions": ["second"], "rules": {"variant": "first-alternative-tokens"}},
        "for the first edition, which is not played",
    ),
    ({"rules": "printed"}, "rules: has to be a table"),
    ({"rules": {"name": "\x1b"}}, "rules[0].name: string should match"),
    ({"rules": [{"name": "a"}, {"set": {"hand_limit": 8}}]}, "each of several rule sets"),
    ({"rules": [{"name": "a"}, OWN | {"name": "a"}]}, "the name 'a' is given"),
    ({"rules": [{"name": "a"}, {"name": "b"}]}, "rules: 'b' has the same rules as 'a'"),
    ({"rules": [{"name": "a"}, {"name": "b", "sett": {}}]}, "rules[1].sett: there is no such key"),
    (
        {"rules": [{"name": "a"}, {"name": "b", "set": {"hand_limit": 99}}]},
        "rules: hand_limit must",
    ),
]


def problems(raw: dict) -> tuple[str, ...]:
    with pytest.raises(SpecError) as caught:
        parse_spec(raw, "mine.toml")
    return caught.value.problems


@pytest.mark.parametrize(("changes", "told"), REFUSED)
def test_a_mistake_is_reported_with_its_path(small_spec, changes, told) -> None:
    raw = {key: value for key, value in {**small_spec, **changes}.items() if value is not None}
    sentences = problems(raw)
    assert any(told in problem for problem in sentences), sentences


def test_all_mistakes_are_reported_at_once(small_spec) -> None:
    small_spec.update(
        sede=3,
        games=0,
        editions=["second", "frist"],
        modes=["standrad"],
        players=[2, 7],
        clan_sets={"sampel": 3},
        line_ups=[["greedy", "gredy"], {"strategies": ["random"], "playres": [2]}],
    )
    sentences = "\n".join(problems(small_spec))
    for expected in (
        "sede: there is no such key; did you mean 'seed'?",
        "clan_sets.sampel: there is no such key; did you mean 'sample'?",
        "line_ups[1].playres: there is no such key; did you mean 'players'?",
        "games: input should be greater than or equal to 1, not 0",
        "editions[1]: unknown edition 'frist'; did you mean 'first'?",
        "modes[0]: unknown mode 'standrad'; did you mean 'standard'?",
        "players[1]: 7 players were asked for; Ethnos takes 1 to 6",
    ):
        assert expected in sentences


def test_clan_sets_may_be_given_for_each_edition(small_spec) -> None:
    small_spec.update(players=[4], clan_sets={"given": [SIX, FIRST_SIX]})
    assert parse_spec(small_spec, "mine.toml").clan_sets.given == [SIX, FIRST_SIX]


def test_a_design_may_ask_for_an_added_clan_if_every_rule_set_has_it(small_spec) -> None:
    small_spec |= {"editions": ["second"], "clan_sets": {"with": "phoenix"}}
    small_spec["rules"] = OWN
    (rules,) = parse_spec(small_spec, "mine.toml").rule_sets()["own"].values()
    assert "phoenix" in rules.clans


def test_a_value_that_only_one_edition_has_is_set_only_there(small_spec) -> None:
    small_spec["rules"] = {"set": {"bear": {"on_take": 3}, "hand_limit": 9}}
    rules = parse_spec(small_spec, "mine.toml").rule_sets()[""]
    assert rules["second"].values()["bear.on_take"] == 3
    assert rules["first"].values()["giant.on_take"] == 2
    assert rules["second"].number("hand_limit") == rules["first"].number("hand_limit") == 9


def test_a_variant_for_one_edition_changes_only_this_edition(small_spec) -> None:
    plain = parse_spec(small_spec, "mine.toml").rule_sets()[""]
    small_spec["rules"] = {"variant": "first-alternative-tokens"}
    changed = parse_spec(small_spec, "mine.toml").rule_sets()[""]
    assert changed["second"] == plain["second"]
    assert changed["first"].numbers("prestige_tokens.base") != plain["first"].numbers(
        "prestige_tokens.base"
    )


def test_the_command_line_overrides_the_spec(small_spec) -> None:
    small_spec["rules"] = {"set": {"hand_limit": 9, "bear.on_take": 3}}
    changes = SpecChanges(
        games=1000, seed=5, settings=("hand_limit=8",), variants=("optional-marker",)
    )
    spec = parse_spec(small_spec, "mine.toml", changes)
    rules = spec.rule_sets()[""]["second"]
    assert (spec.games, spec.seed, rules.number("hand_limit")) == (1000, 5, 8)
    assert rules.number("optional_marker")
    assert rules.value("bear.on_take") == 3


def test_a_quick_size_replaces_the_number_of_games(small_spec) -> None:
    with pytest.raises(SpecError, match="quick_games: is missing: the number"):
        parse_spec(small_spec, "mine.toml", SpecChanges(quick=True))
    del small_spec["games"]
    small_spec.update(quick_games=96, games_per_cell=20)
    assert parse_spec(small_spec, "mine.toml").games is None
    quick = parse_spec(small_spec, "mine.toml", SpecChanges(quick=True))
    assert (quick.games, quick.games_per_cell) == (96, None)


def test_a_spec_is_read_from_toml_with_variants_beside_it_that_combine(tmp_path) -> None:
    (tmp_path / "my-variant.toml").write_text("[set]\nhand_limit = 7\n", encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(
        "players = [4]\ngames = 100\nclan_sets = { sample = 2 }\n"
        'line_ups = [["greedy"]]\n[rules]\nvariant = ["optional-marker", "my-variant.toml"]\n',
        encoding="utf-8",
    )
    spec = load_spec(path)
    assert spec.name == "mine"
    rules = spec.rule_sets()[""]["second"]
    assert (rules.number("optional_marker"), rules.number("hand_limit")) == (True, 7)


RULE_SETS = [
    {"name": "printed"},
    {"name": "mild", "set": {"bear.on_take": 1}},
    {"name": "marker", "variant": "optional-marker"},
]


def test_a_spec_may_have_several_rule_sets(small_spec) -> None:
    small_spec.update(editions=["second"], rules=RULE_SETS)
    sets = parse_spec(small_spec, "mine.toml").rule_sets()
    assert list(sets) == ["printed", "mild", "marker"]
    assert sets["mild"]["second"].value("bear.on_take") == 1
    assert sets["marker"]["second"].number("optional_marker")
    changed = parse_spec(small_spec, "mine.toml", SpecChanges(settings=("hand_limit=8",)))
    assert {rules["second"].number("hand_limit") for rules in changed.rule_sets().values()} == {8}
