"""Specs: mistakes are reported with the key and the nearest known name."""

import pytest

from ethnos_sim import load_spec
from ethnos_sim.experiments import Changes, SpecError, parse_spec
from ethnos_sim.simulator import WrongInput, load_rules

FIVE = ["bear", "deer", "dog", "fox", "koi"]
SIX = [*FIVE, "monkey"]
FIRST_SIX = ["centaur", "dwarf", "elf", "giant", "orc", "troll"]


OWN = {"name": "own", "set": {"clans.phoenix": "second_party"}}

SECOND = {"editions": ["second"], "players": [4]}
#: Keys that replace keys of the small spec (or remove them), and the error that they cause.
REFUSED: list[tuple[dict, str]] = [
    *(({key: None}, f"{key}: is missing") for key in ("players", "clan_sets", "line_ups")),
    ({"games_per_cell": 20}, "either 'games' (in total) or 'games_per_cell'"),
    ({"games": None}, "either 'games' (in total) or 'games_per_cell'"),
    ({"games": 10**20}, "games: "),
    ({"name": "\x1b[2J"}, "name: "),
    ({"line_ups": [{"strategies": ["greedy"], "named": "\x1b"}]}, "line_ups[0].named: "),
    ({"rules": {"name": "\x1b"}}, "rules"),
    *(
        ({"editions": ["second"], "players": players, "clan_sets": {"given": given}}, told)
        for players, given, told in (
            (
                [4],
                [FIVE],
                "clan_sets: no table has the set bear, deer, dog, fox, koi: ",
            ),
            ([2], [SIX], "these player counts need 5 clans of one edition"),
            ([4], [[*FIVE, "bear"]], "clan_sets.given[0]: 'bear' is given twice"),
            ([4], [[*FIVE, "monkye"]], "no clan 'monkye'; did you mean 'monkey'?"),
            (
                [4],
                [SIX, SIX],
                "'monkey'] is given twice",
            ),
            ([2, 4], [SIX], "clan_sets: holds no set of 5 clans of the 2nd edition (2024)"),
        )
    ),
    (
        {"players": [4], "clan_sets": {"given": [SIX, ["orc", *FIVE]]}},
        "need 6 clans of one edition",
    ),
    ({"players": [4], "clan_sets": {"given": [SIX]}}, "of the 1st edition"),
    *(
        ({"clan_sets": design}, told)
        for design, told in (
            ({"with": "bear"}, "clan_sets: there is no clan 'bear'"),
            (
                {"five": {"sample": 793}, "six": "all"},
                "there are 792 sets of 5",
            ),
            ("hexads", "clan_sets: 'hexads' has sets of 6 clans, and 5 play"),
            ("hexad", "did you mean 'hexads'?"),
            ({"six": "all"}, "clan_sets: 'five' is missing: a player count needs 5 clans"),
            ({"sample": 3, "with": "bear"}, "exactly one of"),
            ({"sample": 3, "six": "all"}, "'sample' cannot stand beside 'five' or 'six'"),
            ({"all": True, "seed": 5}, "seed decides nothing without 'sample'"),
            ({"six": {"all": True, "seed": 5}}, "seed decides nothing without 'sample'"),
        )
    ),
    (
        {"editions": ["second"], "clan_sets": {"with": "phoenix"}, "rules": [{"name": "a"}, OWN]},
        "there is no clan 'phoenix'",
    ),
    ({"line_ups": [["greedy", "random", "greedy"]]}, "line_ups: 3 strategies for 2 players"),
    ({"line_ups": [{"strategies": ["greedy"], "players": [4]}]}, "line_ups: none is for 2 players"),
    (
        {"line_ups": [["greedy"], {"strategies": ["random"], "players": [5]}]},
        "line_ups: the spec does not play with 5 players",
    ),
    *(
        ({**SECOND, "line_ups": [{"strategies": ["greedy"], **line_up}]}, f"line_ups[0].{told}")
        for line_up, told in (({"weight": 0}, "weight: input should be greater"),)
    ),
    (
        {
            "modes": ["solo-easy"],
            "editions": ["second"],
            "players": [1],
            "clan_sets": None,
            "line_ups": [{"strategies": ["greedy"], "gives_up": True}],
        },
        "line_ups: gives_up needs 2 players or more",
    ),
    (
        {"editions": ["second"], "rules": {"variant": "first-alternative-tokens"}},
        "for the first edition, which is not played",
    ),
    *(
        ({"rules": rules}, told)
        for rules, told in (
            (
                [{"name": "a"}, {"set": {"hand_limit": 8}}],
                "each of several rule sets",
            ),
            (
                [{"name": "a"}, {"name": "a", "set": {"hand_limit": 8}}],
                "the name 'a' is given",
            ),
            ([{"name": "a"}, {"name": "b"}], "rules: 'b' has the same rules as 'a'"),
            ([{"name": "../a"}], "rules[0].name: string should match"),
            ([{"name": "a"}, {"name": "b", "sett": {}}], "rules[1].sett: there is no such key"),
            (
                [{"name": "a"}, {"name": "b", "set": {"hand_limit": 99}}],
                "rules: hand_limit must",
            ),
            ("printed", "rules: has to be a table"),
        )
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
        "modes[0]: there is no mode 'standrad'; did you mean 'standard'?",
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


def test_each_stored_design_has_sets_of_one_size(small_spec) -> None:
    small_spec["clan_sets"] = {"five": "d-optimal", "six": "hexads"}
    design = parse_spec(small_spec, "mine.toml").clan_sets
    rules = load_rules("second")
    assert len(design.for_size(5).sets(rules, 5)) == 198
    assert len(design.for_size(6).sets(rules, 6)) == 132


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
    changes = Changes(games=1000, seed=5, settings=("hand_limit=8",), variants=("optional-marker",))
    spec = parse_spec(small_spec, "mine.toml", changes)
    rules = spec.rule_sets()[""]["second"]
    assert (spec.games, spec.seed, rules.number("hand_limit")) == (1000, 5, 8)
    assert rules.number("optional_marker")
    assert rules.value("bear.on_take") == 3


def test_a_quick_size_replaces_the_number_of_games(small_spec) -> None:
    with pytest.raises(SpecError, match="quick_games: is missing: the spec has no quick size"):
        parse_spec(small_spec, "mine.toml", Changes(quick=True))
    del small_spec["games"]
    small_spec.update(quick_games=96, games_per_cell=20)
    assert parse_spec(small_spec, "mine.toml").games is None
    quick = parse_spec(small_spec, "mine.toml", Changes(quick=True))
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


@pytest.mark.parametrize("text", ["players = [4", "\x00"])
def test_a_file_that_is_not_toml_is_refused(tmp_path, text) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongInput, match=r"mine\.toml' cannot be read"):
        load_spec(path)


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
    changed = parse_spec(small_spec, "mine.toml", Changes(settings=("hand_limit=8",)))
    assert {rules["second"].number("hand_limit") for rules in changed.rule_sets().values()} == {8}
