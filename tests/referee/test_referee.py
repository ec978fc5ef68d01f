"""The referee passes the kernel's games, and finds every broken rule in them."""

import ast
import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kit.tables import SETTINGS, random_game

import referee
from ethnos_sim.simulator import SOLO
from referee.helpers import fault_of
from referee.mutations import MUTATIONS, SOLO_MUTATIONS, Mutation, sites

Trace = dict[str, Any]


@cache
def sample_text(solo: bool) -> tuple[str, ...]:
    """The games that get broken, as JSON: several of every size, edition and mode."""
    settings = [setting for setting in SETTINGS if (setting[2] in SOLO) == solo]
    seeds = range(10 if solo else 3)
    return tuple(json.dumps(random_game(seed, *setting)) for seed in seeds for setting in settings)


def test_the_referee_imports_nothing_of_the_program() -> None:
    folder = Path(referee.__file__).parent
    allowed = {"referee", "ast", "collections", "dataclasses", "enum", "itertools", "typing"}
    allowed |= {"pathlib", "tomllib"}  # to read the names of the rule values
    for file in folder.rglob("*.py"):
        if file.name.startswith("test_"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                names = [node.module or ""]
            assert {name.split(".")[0] for name in names} <= allowed, (file, names)
            assert not (isinstance(node, ast.Name) and node.id == "__import__"), file


@pytest.mark.parametrize(
    ("mutation", "solo"),
    [
        *((mutation, False) for mutation in MUTATIONS),
        *((mutation, True) for mutation in SOLO_MUTATIONS),
    ],
    ids=lambda value: f"{value.kind}: {value.rule}" if isinstance(value, Mutation) else "",
)
def test_a_broken_rule_is_fault_of(mutation: Mutation, solo: bool) -> None:
    """Break one random event of the kind in each of eight games; the fault names the rule."""
    rng = random.Random(mutation.rule)
    caught = 0
    for text in sample_text(solo):
        trace = json.loads(text)
        places = sites(trace, mutation.kind)
        rng.shuffle(places)
        changes = ((at.event, mutation.change(at)) for at in places)
        event, change = next(((event, change) for event, change in changes if change), ({}, None))
        if change:
            event.update(change)
            assert mutation.rule in fault_of(trace).rule
            caught += 1
        if caught == 8:
            break
    assert caught >= 3


def test_r3_a_pass_in_place_of_a_recruit_is_fault_of() -> None:
    trace = random_game(1)
    event = sites(trace, "recruit")[0].event
    player = event["player"]
    event.clear()
    event.update(event="pass", player=player)
    assert "R3" in fault_of(trace).rule


#: Values that a player chooses, so that another one may be legal.
CHOICES = {"card", "emptied", "released", "sea_regions", "source", "token"}


@pytest.mark.parametrize("solo", [False, True])
def test_the_value_of_another_event_in_place_of_its_own_is_fault_of(solo: bool) -> None:
    """One event of each kind, for each key, in every seventh game."""
    rng = random.Random(7)
    for text in sample_text(solo)[::7]:
        trace = json.loads(text)
        for kind in sorted({event["event"] for event in trace["events"]}):
            events = [at.event for at in sites(trace, kind)]
            for key in sorted(events[0].keys() - CHOICES - {"event"}):
                event = rng.choice(events)
                own = event[key]
                others = [other[key] for other in events if other[key] != own]
                if others:
                    event[key] = rng.choice(others)
                    fault_of(trace)
                    event[key] = own


@pytest.mark.parametrize("solo", [False, True])
def test_every_number_of_the_scoring_is_checked(solo: bool) -> None:
    """Changing any single number of an `age_end` or `game_end` is a fault."""
    text = sample_text(solo)[1]

    def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        if isinstance(node, dict | list):
            for key, value in node.items() if isinstance(node, dict) else enumerate(node):
                yield from leaves(value, (*path, key))
        else:
            yield path

    original = json.loads(text)
    checked = 0
    for index, event in enumerate(original["events"]):
        if event["event"] not in ("age_end", "game_end"):
            continue
        for path in leaves({key: value for key, value in event.items() if key != "emptied"}):
            trace = json.loads(text)
            node = trace["events"][index]
            for key in path[:-1]:
                node = node[key]
            old = node[path[-1]]
            node[path[-1]] = old + 1 if isinstance(old, int) else 1
            fault_of(trace)
            checked += 1
    assert checked > 40


@pytest.mark.parametrize("solo", [False, True])
def test_an_event_missing_doubled_or_out_of_order_is_fault_of(solo: bool) -> None:
    rng = random.Random(5)
    for text in sample_text(solo)[::3]:
        length = len(json.loads(text)["events"])
        for index in rng.sample(range(length), 3):
            trace = json.loads(text)
            gone = trace["events"].pop(index)
            fault_of(trace)
            trace["events"][index:index] = [gone, copy.deepcopy(gone)]
            fault_of(trace)
            trace["events"].pop(index)
            earlier = rng.randrange(1, length)
            events = trace["events"]
            events[earlier - 1], events[earlier] = events[earlier], events[earlier - 1]
            fault_of(trace)


@pytest.mark.parametrize("solo", [False, True])
def test_a_missing_or_unknown_key_or_a_wrong_kind_of_value_is_fault_of(solo: bool) -> None:
    text = next(t for t in sample_text(solo) if solo or '"event": "refill"' in t)
    for kind in {event["event"] for event in json.loads(text)["events"]}:
        for key in sites(json.loads(text), kind)[0].event:
            for change in ("missing", "kind"):
                trace = json.loads(text)
                event = sites(trace, kind)[0].event
                old = event.pop(key)
                if change == "kind":
                    event[key] = 1.0 if old != 1.0 else "1"
                fault_of(trace)
        trace = json.loads(text)
        sites(trace, kind)[0].event["note"] = None
        assert "keys" in fault_of(trace).rule


GAME_OBJECT_CHANGES: list[tuple[str, Callable[[Trace], Any]]] = [
    ("trace version", lambda t: t.update(trace=2)),
    ("game number", lambda t: t.update(game=-1)),
    ("seed", lambda t: t.update(seed="1")),
    ("mode", lambda t: t.update(mode="fast")),
    ("edition", lambda t: t.update(edition="third")),
    ("players", lambda t: t.update(players=7)),
    ("strategies", lambda t: t["strategies"].pop()),
    ("number of clans", lambda t: t["clans"].pop()),
    ("clans in play", lambda t: t["clans"].__setitem__(0, t["clans"][1])),
    ("clans in play", lambda t: t["clans"].__setitem__(0, [])),
    ("keys of the game object", lambda t: t.update(note=1)),
    ("rules", lambda t: t.update(rules=[])),
    ("rule values in force", lambda t: t["rules"].pop("markers")),
    ("rule values in force", lambda t: t["rules"].update(markers="26")),
    ("names of the rule values", lambda t: t["rules"].update(marker=26)),
    ("length of party_points", lambda t: t["rules"]["party_points"].pop()),
    ("all prestige tokens", lambda t: t["prestige_tokens"]["red"].__setitem__(2, 99)),
    ("prestige tokens", lambda t: t["prestige_tokens"].update(red="999")),
    ("prestige tokens ascend", lambda t: t["prestige_tokens"].update(red=[9, 9, 1])),
    ("prestige tokens a region", lambda t: t["prestige_tokens"]["red"].pop()),
    ("a list of prestige tokens", lambda t: t["prestige_tokens"].pop("red")),
    ("clans given up", lambda t: t["gave_up"].pop()),
    ("nobody gives up a clan", lambda t: t["gave_up"].__setitem__(0, t["clans"][0])),
    ("in one age", lambda t: t["gave_up_age"].__setitem__(0, 1)),
    ("events", lambda t: t.update(events={})),
    ("order of events", lambda t: t["events"].clear()),
    ("game_end comes last", lambda t: t["events"].append(t["events"][-1])),
    # A changed rule value makes the old results wrong.
    ("hand limit", lambda t: t["rules"].update(hand_limit=2)),
    ("step 1", lambda t: t["rules"].update(markers=3)),
    ("parties", lambda t: t["rules"].update(party_points=[9] * 7)),
    ("dragons in the deck", lambda t: t["rules"].update(dragons=2)),
]


@pytest.mark.parametrize(("rule", "change"), GAME_OBJECT_CHANGES)
def test_a_wrong_game_object_is_fault_of(rule: str, change: Callable[[Trace], Any]) -> None:
    trace = json.loads(sample_text(False)[12])
    change(trace)
    assert rule in fault_of(trace).rule


def test_solo_tokens_and_clans_are_checked() -> None:
    trace = json.loads(sample_text(True)[0])
    tokens = trace["prestige_tokens"]
    tokens["red"], tokens["green"] = tokens["green"], tokens["red"]
    assert "R34" in fault_of(trace).rule
    trace = json.loads(sample_text(True)[0])
    trace["clans"][0] = "dog"
    assert "clans of the solo mode" in fault_of(trace).rule
    trace["edition"] = "first"
    assert "2nd edition" in fault_of(trace).rule
