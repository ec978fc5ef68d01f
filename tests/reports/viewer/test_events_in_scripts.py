"""A page reads the engine's events as `trace_game` does, without an unfinished last event."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inside.simulator.tables import event_words, written_events
from kit.custom import WILD, rules_with
from kit.tables import SETTINGS, SWITCHES, choose_table
from pages import evaluated

from ethnos_sim.simulator import GameTable, load_rules, trace_game
from ethnos_sim.strategies import LineUp, get_strategy

SCRIPT = Path(__file__).parents[3] / "reports" / "viewer" / "events.js"

TWINS = {"clans.carp": "sea_track", "clans.elk": "largest_token", "clans.ape": "settlement_board"}

PRINTED = ("rabbit", "tiger", "red_panda", "bear", "fox", "monkey")


def _tables(wild: Path) -> Iterator[GameTable]:
    dice, strategy = random.Random(5), get_strategy("random")
    for number, (edition, players, mode) in enumerate(SETTINGS):
        switches = SWITCHES if number % 2 and players > 1 else ()
        yield choose_table(dice, edition, players, mode, strategy, switches)
    twins = load_rules("second", overrides=TWINS)
    for rules, clans in (
        (twins, ("koi", "carp", "bear", "elk", "monkey", "ape")),
        (rules_with(wild, "tiger"), PRINTED),
        (load_rules("second", overrides=f"table.powers={wild}:wild"), PRINTED),
    ):
        seats = LineUp.parse("random", 4, rules).seats()
        yield GameTable.prepare(rules, 4, "standard", clans, seats)


def _read(games: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    events: list[list[dict[str, Any]]] = evaluated(
        "given.map(({ numbers, words }) => readEvents(numbers, words))",
        "readEvents",
        SCRIPT,
        games,
    )
    return events


def test_scripts_read_all_events_except_an_unfinished_one(in_one_place):
    games, wanted = [], []
    for table in _tables(in_one_place("wild.py", WILD)):
        *_, numbers = written_events(table, seed=3, game=1)
        words = event_words(table)
        events = trace_game(table, seed=3, game=1).trace["events"]
        games += [{"numbers": numbers, "words": words}, {"numbers": numbers[:-1], "words": words}]
        wanted += [events, events[:-1]]
    assert _read(games) == wanted
