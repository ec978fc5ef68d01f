"""A page plays a game again from its answers: the same events, and the referee's table each turn.

WATCHED_GAMES=100 plays that many games instead of a few.
"""

import json
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from inside.experiments import Match, prepare_match
from inside.experiments.matches import answers_by_seat
from inside.reports.viewer import seat_data
from inside.simulator.narration import Game
from kit.custom import WILD
from pages import by_node
from referee.helpers import table_after

from ethnos_sim import load_rules
from ethnos_sim.simulator import SOLO

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
REPORTS = HERE.parents[2] / "reports"
SCRIPTS = [REPORTS / f"{name}.js" for name in ("live/engine", "viewer/sitting", "viewer/address")]

#: Every edition with every number of players, alternately in the standard and Recruitment modes.
MODES = [
    *[("second", mode, 1) for mode in SOLO],
    *[
        (edition, ("standard", "recruitment")[(players + (edition == "first")) % 2], players)
        for players in (6, 2, 4, 3, 5)
        for edition in ("first", "second")
    ],
]
GAMES = int(os.environ.get("WATCHED_GAMES", len(MODES)))

#: A second clan for each power with its own part of the table.
TWINS = {"clans.carp": "sea_track", "clans.elk": "largest_token", "clans.ape": "settlement_board"}
CLANS = ["koi", "carp", "bear", "elk", "monkey", "ape"]


def usual_matches() -> Iterator[tuple[Match, int]]:
    for number in range(GAMES):
        edition, mode, players = MODES[number % len(MODES)]
        names = ",".join((["champion", "random", "greedy"] * 2)[:players])
        rules = load_rules(edition)
        yield prepare_match(rules, names, players=players, mode=mode, seed=number), number


def custom_matches(file: Path) -> Iterator[tuple[Match, int]]:
    """A game with twins, and games with a custom power of a clan and of the table."""
    twins = load_rules("second", overrides=TWINS)
    custom = load_rules("second", overrides=TWINS | {"clans.phoenix": f"{file}:wild"})
    of_table = load_rules("second", overrides=TWINS | {"table.powers": f"{file}:wild"})
    for rules, clans in ((twins, CLANS), (custom, [*CLANS[:5], "phoenix"]), (of_table, CLANS)):
        yield prepare_match(rules, "random,greedy", players=4, seed=3, clans=clans), 1


def check(trace: dict[str, Any], played: dict[str, Any]) -> None:
    assert [event for events in played["turns"] for event in events] == trace["events"]
    shown = list(zip(played["turns"], played["states"], strict=True))
    told: list[dict[str, Any]] = []
    for turn, (events, state) in enumerate(shown):
        told += events
        if turn % 5 and turn < len(shown) - 1:
            continue
        table = table_after(trace, told)
        colors = table.setting.colors
        assert state["markers"] == {
            color: [row[color] for row in table.markers] for color in colors
        }
        assert state["prestige"] == table.totals()
        assert sorted(state["pool"]) == sorted(table.pool)
        for hand, held in zip(state["hands"], table.hands, strict=False):
            assert sorted(hand) == sorted(held)
        assert state["deck"] == len(table.deck)
    assert state["winners"] == trace["events"][-1]["winners"]
    brought = dict(table.prestige)
    coins = brought.pop("coins")
    brought["regions"] = [sum(won) for won in zip(brought["regions"], coins, strict=True)]
    for source, won in played["sources"].items():
        assert won == brought[source], source


def test_the_page_plays_the_same_game_and_shows_the_referees_table(in_one_place) -> None:
    given: dict[str, list[Any]] = {"lives": [], "games": []}
    traces = []
    for match, game in chain(usual_matches(), custom_matches(in_one_place("wild.py", WILD))):
        traces.append(match.trace(game).trace)
        data = seat_data(Game.from_trace(traces[-1]), match.rotations)
        answers = {"live": len(given["lives"]), "answers": answers_by_seat(match, game)}
        given["lives"].append(data["live"])
        given["games"].append({"seats": data["seats"], **answers})
    words = (HERE / "watch_through.mjs", *(script.as_uri() for script in SCRIPTS))
    printed = by_node(*words, given=given).splitlines()
    for trace, line in zip(traces, printed, strict=True):
        check(trace, json.loads(line))
