"""A person takes a seat on a page and plays at random: every game is a legal game.

SITTING=all plays more than 30 games instead of a few.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import referee
from inside.experiments.matches import match_of_trace
from inside.reports.viewer import seat_engine, table_data
from inside.simulator.narration import Game
from kit.custom import CLANS, WILD, power_text, rules_with
from pages import by_node
from referee.helpers import table_after

from ethnos_sim.simulator import SOLO, SOLO_CLANS, Rules, load_rules, trace_game
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.strategies import LineUp

pytestmark = pytest.mark.long

ALL = os.environ.get("SITTING") == "all"
HERE = Path(__file__).parent
REPORTS = Path(__file__).parents[3] / "reports"
SCRIPTS = [REPORTS / "live" / "engine.js", REPORTS / "viewer" / "sitting.js"]

Table = tuple[int, str]
EVERY = [(players, mode) for mode in ("standard", "recruitment") for players in (2, 3, 4, 4, 5, 6)]
FEW = [(2, "standard"), (5, "recruitment")]


def played(rule_sets: list[tuple[Rules, list[Table]]], clans: tuple[str, ...] = ()) -> list[Any]:
    """Play games in the page at the tables of each rule set, each with a person at one seat."""
    lives, games = [], []
    for place, (rules, tables) in enumerate(rule_sets):
        lives.append(seat_engine(rules, sorted({players for players, _ in tables}), ["greedy"]))
        for number, (players, mode) in enumerate(tables):
            usual = SOLO_CLANS if mode in SOLO else rules.clans[-rules.clans_in_play(players) :]
            seats = LineUp.parse("greedy", players, rules).seats()
            table = GameTable.prepare(rules, players, mode, clans or usual, seats)
            game = Game.from_trace(trace_game(table, seed=9, game=0).trace)
            names = ["greedy", "learned", "greedy"] * 2
            chosen = {"seat": number % players, "deal": number, "strategies": names[:players]}
            seating = table_data(game, names[:players], number)
            games.append({"live": place, "seats": seating, "dice": number, **chosen})
    words = (HERE / "sit_through.mjs", *(script.as_uri() for script in SCRIPTS))
    printed = by_node(*words, given={"lives": lives, "games": games})
    *played, last = map(json.loads, printed.splitlines())
    assert last["slowest"] < 500  # 50 on an idle machine
    assert len(played) == len(games)
    return played


def check(games: list[Any]) -> None:
    """The referee passes every game, native replay agrees, and the page shows its table."""
    for game in games:
        trace = game["trace"]
        referee.replay(trace)
        assert match_of_trace(trace).trace(trace["game"]).trace == trace
        for asked in game["asked"]:
            check_question(trace, asked)


#: Questions at which a party's effects or an age's points are on the board but not in an event yet.
UNTOLD = {
    *("region", "use_power", "choose", "draw", "empty_board"),
    *("bruno_region", "bruno_release", "bruno_steal"),
}


def check_question(trace: dict[str, Any], asked: dict[str, Any]) -> None:
    """The board shown at a question is the referee's, after all that has happened in the turn.

    A party on the table counts as if the person declined everything that is still to be asked.
    """
    decision, events, shown = asked["decision"], asked["events"], asked["state"]
    person = next(i for i, name in enumerate(trace["strategies"]) if name.startswith("person:"))
    hand, last = shown["hands"][person], events[-1]
    if laid := last.pop("open", None):
        assert shown["parties"][person][-1]["cards"] == last["cards"], decision
        last["discarded"] = hand
    powers_act = any("actions" in event for event in trace["events"])
    untold = decision in UNTOLD or (laid and powers_act)
    if untold and laid:
        events = events[:-1]
    table = table_after(trace, events)
    if not untold:
        markers = {color: [row[color] for row in table.markers] for color in table.setting.colors}
        assert shown["markers"] == markers, decision
        assert shown["prestige"] == table.totals(), decision
    if decision == "turn":
        assert sorted(shown["pool"]) == sorted(table.pool)
        assert sorted(hand) == sorted(table.hands[person])


def test_every_game_that_a_person_plays_passes_the_referee_and_is_replayed() -> None:
    tables = EVERY if ALL else FEW
    solo = [(1, mode) for mode in (SOLO if ALL else list(SOLO)[:1])]
    check(played([(load_rules("first"), tables), (load_rules("second"), [*tables, *solo])]))


def test_custom_powers_ask_the_person_at_the_page(in_one_place: Callable[[str, str], Path]) -> None:
    quiet = power_text(
        "asks",
        """
        def after_party(game, party):
            if accepts(game, party.player, True):
                place_marker(game, party.player, choose(game, party.player, 63, 0))
        """,
    )
    for file, text in (("wild.py", WILD), ("asks.py", quiet)):
        rules = rules_with(in_one_place(file, text), "tiger")
        check(played([(rules, [(4, "standard"), (4, "recruitment")][: 1 + ALL])], CLANS))
