"""The table on the page of a game equals the kernel's table, game after game.

The kernel copies its records at every question to a player (`kernel/asking.py`). Changes between
two questions of one turn are compared at the second question. The clan with twice the cards has
four cards of each name. The kernel remembers which of them were seen, but a trace cannot, so known
cards of this clan are left out. SHOWN_GAMES=1000 compares that many games instead of one of each
kind.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inside.experiments.matches import record_game
from inside.reports.viewer import narrated_states
from inside.simulator.game import BRUNO_CARD, BRUNO_LEADER, TURN
from kit.custom import WILD

from ethnos_sim import load_rules
from ethnos_sim.experiments import Match, prepare_match
from ethnos_sim.simulator import NONE, PARTY, SECOND_PARTY, SOLO, GameTable

pytestmark = pytest.mark.long

#: Every edition with every number of players, alternately in the standard and Recruitment modes.
MODES = [
    *[
        (edition, ("standard", "recruitment")[(players + (edition == "first")) % 2], players)
        for edition in ("first", "second")
        for players in (2, 3, 4, 5, 6)
    ],
    *[("second", mode, 1) for mode in SOLO],
]

GAMES = int(os.environ.get("SHOWN_GAMES", len(MODES)))

#: A second clan for each power with its own part of the table.
TWINS = {"carp": "sea_track", "elk": "largest_token", "ape": "settlement_board"}


def _matches(games: int) -> Iterator[tuple[Match, int]]:
    """Some games: editions, modes and player counts in turn, with good and random players."""
    for number in range(games):
        edition, mode, players = MODES[number % len(MODES)]
        players_of = ("champion,random", "greedy,random", "random")[number // len(MODES) % 3]
        names = ",".join((players_of.split(",") * 6)[:players])
        rules = load_rules(edition)
        yield prepare_match(rules, names, players=players, mode=mode, seed=number), number


def _custom_matches(file: Path) -> Iterator[tuple[Match, int]]:
    """Games with two clans of one power, and games with the custom power of a file."""
    overrides: dict[str, object] = {f"clans.{clan}": power for clan, power in TWINS.items()}
    clans = ["koi", "carp", "bear", "elk", "monkey", "ape"]
    for players in (2, 4):
        rules = load_rules("second", overrides=overrides)
        played = clans[: rules.clans_in_play(players)]
        yield prepare_match(rules, "random,greedy", players=players, seed=3, clans=played), 0
    rules = load_rules("second", overrides={**overrides, "clans.phoenix": f"{file}:wild"})
    clans = ["koi", "carp", "monkey", "ape", "fox", "phoenix"]
    for game in range(4):
        yield prepare_match(rules, "random", players=4, seed=3, clans=clans), game


def _distinct(table: GameTable, cards: Iterable[str]) -> list[str]:
    """The cards, sorted, of clans with at most two cards of each name."""
    return sorted(card for card in cards if table.slots.count(card.split(":")[0]) == 1)


def _page_table(table: GameTable, shown: dict[str, Any]) -> dict[str, Any]:
    """The page's table, as far as the kernel has it, in the kernel's order."""
    return {
        **{key: value for key, value in shown.items() if key not in ("sources", "winners")},
        "known": [_distinct(table, cards) for cards in shown["known"]],
        "faceUp": sorted(shown["faceUp"]),
        "tokens": [sorted(values) for values in shown["tokens"]],
        "parties": [len(parties) for parties in shown["parties"]],
    }


def _kernel_table(table: GameTable, question: Any) -> dict[str, Any]:
    """The kernel's table at a question, in the words of the page."""
    view = question["open"]
    sides, hands, rules = table.sides, table.players, table.rules
    home = {clan: table.slots.index(clan) for clan in table.clans}
    tokens, owners = view["rules"]["tie_break_tokens"], view["token_owner"]
    return {
        "age": int(view["age"]),
        "turn": int(view["turns"]) - 1,
        "hands": [
            sorted(table.card_names(question["hands_once"][i], question["hands_twice"][i]))
            for i in range(hands)
        ],
        "known": [
            _distinct(table, table.card_names(view["known_once"][i], view["known_twice"][i]))
            for i in range(hands)
        ],
        "pool": sorted(table.card_names(view["pool_once"], view["pool_twice"])),
        "deck": int(view["deck_cards"]),
        "dragons": int(view["dragons_seen"]),
        "columns": sorted(table.card_names(view["columns_once"], view["columns_twice"])),
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
        },
        "sea": {clan: view["sea"][slot, :sides].tolist() for clan, slot in home.items()},
        "tokens": [
            sorted(
                int(tokens[slot, i])
                for slot in home.values()
                for i in np.flatnonzero(owners[slot] == player)
            )
            for player in range(sides)
        ],
        "largest": {
            clan: {
                "player": int(view["largest_holder"][slot]),
                "size": int(view["largest_size"][slot]),
            }
            if view["largest_holder"][slot] != NONE
            else None
            for clan, slot in home.items()
        },
        "settled": {
            clan: [
                sorted(
                    color
                    for region, color in enumerate(rules.colors)
                    if int(view["settlements"][slot, player]) >> region & 1
                )
                for player in range(sides)
            ]
            for clan, slot in home.items()
        },
        "parties": view["party_sizes"][:sides].sum(axis=1).tolist(),
        "partyPoints": view["party_points"][:sides].tolist(),
        "prestige": view["prestige"][:sides].tolist(),
    }


def _turn_starts(trace: dict[str, Any]) -> list[int]:
    """The index of each turn's first event."""
    starts, chained = [], False
    for place, event in enumerate(trace["events"]):
        if event["event"] in ("recruit", "party", "pass") and not chained:
            starts.append(place)
        if event["event"] == "party":
            chained = event["again"]
    return starts


def _places(trace: dict[str, Any], questions: np.ndarray) -> Iterator[tuple[int, Any]]:
    """For each question between two events, the index of the event before it."""
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


def _sources(table: GameTable, seats: np.ndarray) -> dict[str, list[int]]:
    """The kernel's sources of prestige."""
    return {
        "regions": (seats["regions"] + seats["coins"])[: table.sides].tolist(),
        "parties": seats["party_points"][: table.sides].tolist(),
        **{
            source: seats[source][: table.sides].tolist()
            for source in ("sea", "largest", "settlement", "powers")
        },
    }


def test_the_shown_table_equals_the_kernels_at_every_question(
    in_one_place: Callable[[str, str], Path],
):
    compared = 0
    for match, game in chain(_matches(GAMES), _custom_matches(in_one_place("wild.py", WILD))):
        traced = match.trace(game)
        table = match.table(game // match.rotations)
        states = [shown for _, shown in narrated_states(traced.trace)]
        for place, question in _places(traced.trace, record_game(match, game)):
            held = _kernel_table(table, question)
            if question["open"]["decision"] != TURN:
                held["turn"] += 1
            assert _page_table(table, states[place]) == held, (match, game, place)
            compared += 1
        assert states[-1]["sources"] == _sources(table, traced.seats)
        assert states[-1]["winners"] == traced.trace["events"][-1]["winners"]
    assert compared > 50 * GAMES
