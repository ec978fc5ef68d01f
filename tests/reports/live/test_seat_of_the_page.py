"""For a table that a reader chose, the page's data equal the data that Python computes."""

import json
from pathlib import Path
from typing import Any

import pytest
from inside.reports.page import table_with_all_clans
from inside.reports.viewer import game_facts, table_data
from inside.simulator.narration import Game
from kit.custom import CLANS, WILD, rules_with
from pages import by_node

from ethnos_sim import load_rules
from ethnos_sim.simulator import Rules

SEATED = Path(__file__).parent / "seated.js"
SECOND = ("bear", "dog", "fox", "koi", "monkey")
FIRST = ("skeleton", "giant", "merfolk", "orc", "troll", "wizard")
CHANGES = {
    "bear.on_take": 2,
    "koi.last_space": 20,
    "koi.symbols": [4, 8],
    "owl.times_cards": 2,
    "dragons": 4,
    "ages_2_3": 1,
    "optional_power": True,
}


def by_page(rules: Rules, players: int, table: dict[str, Any], changes: dict[str, Any]) -> Any:
    held = table_with_all_clans(rules, players)
    size = rules.clans_in_play(players)
    about = {"players": players, "size": size, "all": rules.clans, **table}
    given = {"held": held, "table": about, "changes": changes}
    return json.loads(by_node(SEATED, given=given))


def natively(rules: Rules, players: int, table: dict[str, Any], changes: dict[str, Any]) -> Any:
    names = [table["who"]] * players
    clans = tuple(sorted(table["clans"], key=rules.power_of))
    trace = {"seed": 0, "strategies": names}
    game = Game(rules, players, table["mode"], clans, (), trace=trace)
    facts, seats = game_facts(game), table_data(game, names, 0, rules.edition)
    return json.loads(json.dumps({"names": facts, "seats": seats | {"changes": changes}}))


@pytest.mark.parametrize(
    ("edition", "players", "clans", "mode", "changes"),
    [
        ("second", 3, SECOND, "standard", CHANGES),
        ("second", 4, (*SECOND, "owl"), "recruitment", CHANGES),
        ("first", 6, FIRST, "standard", {}),
    ],
)
def test_the_page_has_the_clans_and_rules_that_python_has_for_a_table(
    edition, players, clans, mode, changes
):
    table = {"clans": clans, "mode": mode, "who": "learned"}
    printed, changed = load_rules(edition), load_rules(edition, overrides=changes)
    tables = by_page(printed, players, table, changes)
    wanted = natively(changed, players, table, changes)
    every = tables["names"]["powers"]
    assert {clan: every[clan] for clan in wanted["names"]["powers"]} == wanted["names"]["powers"]
    tables["names"]["powers"] = wanted["names"]["powers"]
    assert tables == wanted


def test_a_custom_power_is_described_if_its_clan_is_in_play(in_one_place):
    rules = rules_with(in_one_place("wild.py", WILD))
    for clans, custom in ((CLANS, True), (tuple(rules.clans[:6]), False)):
        assert ("rabbit" in clans) == custom
        table = {"clans": clans, "mode": "standard", "who": "greedy"}
        words = by_page(rules, 4, table, {})["seats"]["words"]
        assert words == natively(rules, 4, table, {})["seats"]["words"]
