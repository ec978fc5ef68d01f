"""House rules in Python: custom powers that belong to the table, which no clan carries."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from kit.custom import CLANS, HEAD, WILD
from kit.refereed import refereed
from seated import same_games, table_of

from ethnos_sim.simulator import GameTable, Rules, RulesError, load_rules, play_table
from ethnos_sim.simulator.custom_powers import PowerError
from ethnos_sim.simulator.narration import narrate

HOUSE = (
    HEAD
    + """
@power("two_if_empty")
def after_recruit(game, player, card):
    if count(game.pool_once, game.pool_twice) == 0 and game.last_kind[player] == 1:
        draw_cards(game, player, 1)

@power("keeps_two")
def cards_kept(game, party):
    return max(party.usual, 2)

@power("larger")
def scoring_size(game, party):
    return party.usual + 1

@power("larger")
def marker_size(game, party):
    return party.usual + 1

@power("anywhere")
def marker_regions(game, party):
    return 63

@power("small")
def marker_size(game, party):
    return 0

@power("draws")
def after_party(game, party):
    draw_cards(game, party.player, 4)

@power("bonus")
def age_end(game, player):
    pay_prestige(game, player, 5)
"""
)


@pytest.fixture(scope="module")
def house(in_one_place) -> Path:
    return in_one_place("house.py", HOUSE)


def ruled(*overrides: str, edition: str = "second") -> Rules:
    return load_rules(edition, overrides=overrides)


def seated(rules: Rules, players: int = 4, mode: str = "standard") -> GameTable:
    clans = ["phoenix"] * ("phoenix" in rules.clans) + [*CLANS]
    clans = clans[: rules.clans_in_play(players)]
    return table_of(rules, "random", players, mode, clans if players > 1 else ())


def same(*rule_sets: Rules) -> bool:
    """Whether random players play the same games by two rule sets."""
    return same_games(*(play_table(seated(rules), seed=5, deals=60) for rules in rule_sets))


@pytest.mark.parametrize(
    ("clan", "players", "mode"),
    [
        ("", 4, "standard"),
        ("clans.phoenix={wild}:wild", 2, "recruitment"),
        ("", 1, "solo-regular"),
    ],
)
def test_the_referee_passes_a_table_whose_power_does_everything_at_every_moment(
    house: Path, in_one_place, clan: str, players: int, mode: str
) -> None:
    wild = in_one_place("wild.py", WILD)
    overrides = [clan.format(wild=wild)] if clan else []
    rules = ruled(f"table.powers={wild}:wild,{house}:larger", *overrides)
    moments = set()
    for game in range(3):
        played = refereed(seated(rules, players, mode), seed=5, game=game)
        assert list(narrate(played.traced.trace))
        for event in played.traced.trace["events"]:
            if event["event"] == "power" and event["clan"] is None:
                moments.add(event["moment"])
    assert {"after_discard", "after_recruit", "turn_end", "age_end", "age_scored"} <= moments


def test_the_referee_knows_the_house_rule_of_the_documents(house: Path) -> None:
    rules = ruled(f"table.powers={house}:two_if_empty", "pool_per_player=0", "cards_kept=3")
    drawn = 0
    for game in range(8):
        events = refereed(seated(rules), seed=5, game=game).traced.trace["events"]
        drawn += sum(event["event"] == "power" for event in events)
    assert drawn > 0


def test_nobody_draws_when_a_power_of_the_table_has_drawn_the_last_dragon(house: Path) -> None:
    rules = ruled(f"table.powers={house}:draws", edition="first")
    clans = ("wizard", "orc", "giant", "troll", "merfolk", "centaur")
    ended = 0
    for game in range(30):
        table = table_of(rules, "random", 4, "standard", clans)
        parties = refereed(table, seed=5, game=game).of("party")
        leaders = [party for party in parties if party["leader"].startswith("wizard:")]
        ended += sum(action["card"] is None for party in leaders for action in party["actions"])
    assert ended > 0


def every_clan(value: str, **others: int) -> list[str]:
    """A value set to 1 for all clans that can lead, or to another number for some."""
    clans = [clan for clan in load_rules("second").clans if clan != "dog"]
    return [f"{clan}.{value}={others.get(clan, 1)}" for clan in clans]


@pytest.mark.parametrize(
    ("power", "values"),
    [
        ("keeps_two", ["cards_kept=2"]),
        ("larger", every_clan("marker_bonus", tiger=2) + every_clan("score_bonus", rabbit=2)),
        ("small", every_clan("places_marker", **dict.fromkeys(load_rules("second").clans, 0))),
    ],
    ids=["keeps_two", "larger", "small"],
)
def test_a_power_of_the_table_is_in_force_for_every_clan(house: Path, power: str, values) -> None:
    """A value with the same meaning, set for all clans, plays the same games."""
    values = [value.replace("places_marker=0", "places_marker=false") for value in values]
    assert same(ruled(f"table.powers={house}:{power}"), ruled(*values))
    assert not same(ruled(f"table.powers={house}:{power}"), ruled())


def test_a_clans_answer_replaces_the_tables_and_the_last_power_of_the_table_the_others(house: Path):
    def games(*powers: str, clans: Sequence[str] = ()) -> Rules:
        return ruled(f"table.powers={','.join(f'{house}:{power}' for power in powers)}", *clans)

    assert not same(games("larger", "small"), games("small", "larger"))
    with_table = games("anywhere", "larger", clans=[f"clans.phoenix={house}:small"])
    named = set()
    for game in range(4):
        for event in refereed(seated(with_table), seed=5, game=game).traced.trace["events"]:
            if event["event"] == "party" and event["leader"].startswith("phoenix:"):
                assert event["region"] is None
            for action in event.get("actions", ()):
                if action["action"] == "counts_as":
                    named.add((action["size"], action.get("power", "of the clan")))
    assert {power for size, power in named if size} == {"larger"}
    assert {power for size, power in named if not size} == {"of the clan"}


def test_a_clan_with_twice_the_cards_is_called_once(house: Path) -> None:
    rules = ruled(f"clans.phoenix={house}:bonus", "phoenix.times_cards=2", "clans_4_6=5")
    end = refereed(seated(rules), seed=5, game=0).traced.trace["events"]
    paid = [event for event in end if event["event"] == "power"]
    assert len(paid) == 3 * 4


def test_a_variant_names_powers_of_the_table_that_lie_beside_it(
    house: Path, tmp_path: Path
) -> None:
    (tmp_path / "house.py").write_text(house.read_text(encoding="utf-8"), encoding="utf-8")
    variant = tmp_path / "variant.toml"
    variant.write_text('[table]\npowers = ["house.py:bonus"]\n', encoding="utf-8")
    rules = load_rules("first", variant, overrides=f"table.powers={tmp_path}/house.py:keeps_two")
    assert [text.partition("@")[0] for text in rules.table_powers] == [
        "house.py:bonus",
        "house.py:keeps_two",
    ]
    assert rules.changed_names == ["table.powers"]
    assert rules.rules_id != load_rules("first").rules_id
    assert load_rules("first", overrides=rules.trace_values()) == rules


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("table.powers=bonus", "a power of the table is FILE.py:NAME, not 'bonus'."),
        ("table.powers={house}:bonsu", "did you mean 'bonus'?"),
        ("table.powers=" + ",".join("{house}:" + name for name in
         ("two_if_empty", "keeps_two", "larger", "small", "bonus")), "at most 4 fit."),
    ],
)  # fmt: skip
def test_a_wrong_power_of_the_table_gets_one_sentence(
    house: Path, override: str, said: str
) -> None:
    with pytest.raises((RulesError, PowerError), match=re.escape(said)):
        ruled(override.format(house=house))
