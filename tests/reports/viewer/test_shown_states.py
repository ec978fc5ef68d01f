"""The table that the page of a game shows is the kernel's, game after game.

The kernel copies its records whenever it asks a player (`kernel/positions.py`); node runs the
page's own function over the trace. What stands between two questions of one turn is compared at
the next one. Of the clan with twice the cards four cards have one name, and the kernel remembers
which of them were seen; a trace cannot, so what is known of its cards is left out.
SHOWN_GAMES=1000 compares so many games and not one of each kind.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from node import node_program

from ethnos_sim import load_rules
from ethnos_sim.experiments.matches.explaining import cards_of, questions_of
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.reports.viewer.facts import game_facts
from ethnos_sim.simulator.modes import SOLO
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import (
    BRUNO_CARD,
    BRUNO_LEADER,
    NONE,
    PARTY,
    SECOND_PARTY,
    TURN,
)
from ethnos_sim.simulator.table import GameTable

SCRIPT = Path(__file__).parent / "compare_states.js"

MODES = [
    *[
        (edition, mode, players)
        for edition in ("first", "second")
        for mode in ("standard", "recruitment")
        for players in (2, 3, 4, 5, 6)
    ],
    *[("second", mode, 1) for mode in SOLO],
]

GAMES = int(os.environ.get("SHOWN_GAMES", len(MODES)))


def _matches(games: int) -> Iterator[tuple[Match, int]]:
    """So many games: editions, modes and player counts in turn, players good and random."""
    for number in range(games):
        edition, mode, players = MODES[number % len(MODES)]
        players_of = ("champion,random", "greedy,random", "random")[number // len(MODES) % 3]
        names = ",".join((players_of.split(",") * 6)[:players])
        rules = load_rules(edition)
        yield prepare_match(rules, names, players=players, mode=mode, seed=number), number


def _told_apart(table: GameTable, cards: tuple[str, ...]) -> list[str]:
    """The cards, sorted, of which each name stands for two at most."""
    return sorted(card for card in cards if table.slots.count(card.split(":")[0]) == 1)


def _kernel_table(table: GameTable, question: Any) -> dict[str, Any]:
    """What the kernel holds at a question, in the words of compare_states.js."""
    view = question["open"]
    sides, hands, rules = table.sides, table.hands, table.rules
    at = {power: max(int(view["slot_of_power"][power]), 0) for power in Power}
    tokens = view["rules"]["tie_break_tokens"][at[Power.TIE_BREAK_TOKENS]]
    owners = view["token_owner"][at[Power.TIE_BREAK_TOKENS]]
    holder = view["largest_holder"][at[Power.LARGEST_TOKEN]]
    return {
        "age": int(view["age"]),
        "turn": int(view["turns"]) - 1,
        "hands": [
            sorted(cards_of(table, question["hands_once"][i], question["hands_twice"][i]))
            for i in range(hands)
        ],
        "known": [
            _told_apart(table, cards_of(table, view["known_once"][i], view["known_twice"][i]))
            for i in range(hands)
        ],
        "pool": sorted(cards_of(table, view["pool_once"], view["pool_twice"])),
        "deck": int(view["deck_cards"]),
        "dragons": int(view["dragons_seen"]),
        "columns": sorted(cards_of(table, view["columns_once"], view["columns_twice"])),
        "faceUp": sorted(
            clan for slot, clan in enumerate(table.slots) if int(view["leaders_up"]) >> slot & 1
        )
        if table.solo
        else sorted(table.clans),
        "markers": {
            color: view["markers"][region, :sides].tolist()
            for region, color in enumerate(rules.colors)
        },
        "supply": view["supply"][:sides].tolist(),
        "coins": {
            color: int(coins)
            for color, coins in zip(rules.colors, view["coins_on_region"], strict=True)
            if coins
        },
        "sea": view["sea"][at[Power.SEA_TRACK], :sides].tolist(),
        "tokens": [
            sorted(int(tokens[i]) for i in np.flatnonzero(owners == player))
            for player in range(sides)
        ],
        "largest": None
        if holder == NONE
        else {
            "player": int(holder),
            "size": int(view["largest_size"][at[Power.LARGEST_TOKEN]]),
        },
        "settled": [
            sorted(
                color
                for region, color in enumerate(rules.colors)
                if int(view["settlements"][at[Power.SETTLEMENT_BOARD], player]) >> region & 1
            )
            for player in range(sides)
        ],
        "parties": view["party_sizes"][:sides].sum(axis=1).tolist(),
        "partyPoints": view["party_points"][:sides].tolist(),
        "prestige": view["prestige"][:sides].tolist(),
    }


def _turn_starts(trace: dict[str, Any]) -> list[int]:
    """The place of each turn's first event, by the turn's number less one."""
    starts, chained = [], False
    for place, event in enumerate(trace["events"]):
        if event["event"] in ("recruit", "party", "pass") and not chained:
            starts.append(place)
        if event["event"] == "party":
            chained = event["again"]
    return starts


def _places(trace: dict[str, Any], questions: np.ndarray) -> Iterator[tuple[int, Any]]:
    """The place of the event after which each question was asked, where it lies between two."""
    starts, events = _turn_starts(trace), trace["events"]
    parties, given = 0, 0
    for question in questions:
        view = question["open"]
        decision, start = int(view["decision"]), starts[int(view["turns"]) - 1]
        if decision == TURN:
            parties, given = 0, 0
            yield start - 1, question
        elif decision == SECOND_PARTY and question["move"]["kind"] == PARTY:
            yield start + parties, question
            parties += 1
        elif decision == BRUNO_CARD:
            given += 1
            if given == 1:
                yield start + parties, question
        elif decision == BRUNO_LEADER:
            kinds = [event["event"] for event in events[start:]]
            yield start + kinds.index("bruno_party") - 1, question


def _lines(games: int) -> Iterator[str]:
    """What node is given of each game."""
    for match, game in _matches(games):
        traced = match.trace(game)
        table = match.table(game // match.rotations)
        expected = []
        for place, question in _places(traced.trace, questions_of(match, game)):
            held = _kernel_table(table, question)
            if question["open"]["decision"] != TURN:
                held["turn"] += 1
            expected.append((place, held))
        seats = traced.seats[: table.sides]
        sources = {
            "regions": (seats["regions"] + seats["coins"]).tolist(),
            "sea": seats["sea"].tolist(),
            "largest": seats["largest"].tolist(),
            "settlement": seats["settlement"].tolist(),
            "parties": seats["party_points"].tolist(),
        }
        twins = [clan for clan in table.clans if table.slots.count(clan) > 1]
        yield json.dumps(
            {
                "twins": twins,
                "trace": traced.trace,
                "facts": game_facts(traced.trace),
                "expected": expected,
                "sources": sources,
            }
        )


def test_the_table_shown_is_the_kernels_at_every_question(tmp_path: Path) -> None:
    shown, said = tmp_path / "differences", tmp_path / "states"
    with shown.open("w") as out, said.open("w") as err:
        node = subprocess.Popen(
            [node_program(), SCRIPT], stdin=subprocess.PIPE, stdout=out, stderr=err, text=True
        )
        assert node.stdin is not None
        with node.stdin:
            for line in _lines(GAMES):
                node.stdin.write(line + "\n")
        assert node.wait() == 0, said.read_text()
    assert shown.read_text().splitlines()[:20] == []
    assert int(said.read_text().split()[-1]) > 50 * GAMES
