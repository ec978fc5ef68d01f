"""The referee passes legal games and faults every broken rule.

Reference games (random, legal, played by plain objects that share only the card names with the
referee) must replay clean. Each named mutation of them must be faulted by the rule it breaks.
"""

import ast
import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import referee
from referee import replay
from referee.helpers import fault_of
from referee.mutations import MUTATIONS, Mutation, sites
from referee.reference_game import ReferenceGame
from referee.reference_rules import printed_rules
from referee.reference_solo import ReferenceSoloGame

Trace = dict[str, Any]
SOLO_MODES = ("solo-easy", "solo-regular", "solo-hard")
SIZES = [(edition, players) for edition in ("first", "second") for players in (2, 3, 4, 5, 6)]


@cache
def sample_text(solo: bool) -> tuple[str, ...]:
    """The games that are mutated, as JSON: every size, edition and mode."""
    if solo:
        solos = [ReferenceSoloGame(seed, mode) for seed in range(10) for mode in SOLO_MODES]
        return tuple(json.dumps(game.play()) for game in solos)
    modes = ("standard", "recruitment")
    games = [
        ReferenceGame(seed, edition, players, modes[seed % 2])
        for seed in range(4)
        for edition, players in SIZES
    ]
    return tuple(json.dumps(game.play()) for game in games)


def test_the_referee_imports_nothing_of_the_program() -> None:
    folder = Path(referee.__file__).parent
    allowed = {"referee", "ast", "collections", "dataclasses", "enum", "random", "typing", "copy"}
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                names = [node.module or ""]
            assert {name.split(".")[0] for name in names} <= allowed, (file, names)
            assert not (isinstance(node, ast.Name) and node.id == "__import__"), file


@pytest.mark.parametrize("mode", ["standard", "recruitment"])
@pytest.mark.parametrize(("edition", "players"), SIZES)
def test_legal_games_replay_clean(edition: str, players: int, mode: str) -> None:
    for seed in range(100, 104):
        trace = ReferenceGame(seed, edition, players, mode).play()
        summary = replay(json.loads(json.dumps(trace)))
        totals = [sum(by_source) for by_source in zip(*summary.totals.values(), strict=True)]
        assert totals == summary.prestige == trace["events"][-1]["prestige"]
        kinds = Counter(event["event"] for event in trace["events"])
        assert summary.events == kinds
        assert sum(map(Counter.total, summary.parties_led)) == kinds["party"]
        assert len(summary.left_deck) == kinds["age"] == len(summary.third_dragons)


@pytest.mark.parametrize("mode", SOLO_MODES)
def test_legal_solo_games_replay_clean(mode: str) -> None:
    optional: Counter[str] = Counter()
    for seed in range(100, 110):
        summary = replay(json.loads(json.dumps(ReferenceSoloGame(seed, mode).play())))
        assert len(summary.prestige) == 2
        optional += summary.optional
    assert (optional["released to hand"] > 0) == (mode == "solo-easy")


@pytest.mark.parametrize("seed", range(40))
def test_legal_games_with_random_rule_values_replay_clean(seed: int) -> None:
    rng = random.Random(seed)
    edition, players = SIZES[seed % len(SIZES)]
    values = printed_rules(
        edition,
        hand_limit=rng.randint(7, 15),
        party_limit=rng.randint(1, 15),
        recruitment_pool=rng.randint(1, 6),
        dragons=rng.randint(1, 6),
        markers=rng.choice([3, 4, 6, 9, 26, 60]),
        cards_per_clan=rng.choice([6, 12]),
        pool_per_player=rng.randint(0, 4),
        optional_marker=rng.random() < 0.5,
        ten_wild_wins=rng.random() < 0.5,
    )
    for name, value in values.items():
        if name.split(".")[0] in ("prestige_tokens", "party_points", "merfolk", "giant", "koi"):
            if name.endswith(("on_take", "last_space")):
                values[name] = rng.randint(1, 30)
            elif not name.endswith("symbols") and isinstance(value, list):
                values[name] = [rng.randint(0, 99) for _ in value]
        elif name.endswith(("age_4_6", "age_2_3", "settlement", "coins", "tokens")):
            values[name] = [rng.randint(0, 15) for _ in value]
    mode = rng.choice(["standard", "recruitment"])
    trace = ReferenceGame(seed, edition, players, mode, rules=values).play()
    replay(json.loads(json.dumps(trace)))
    shared = {name: value for name, value in values.items() if "." not in name}
    solo = printed_rules("second") | shared
    replay(json.loads(json.dumps(ReferenceSoloGame(seed, rng.choice(SOLO_MODES), solo).play())))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_broken_rule_is_fault_of(mutation: Mutation) -> None:
    """Up to eight games, one random event of the kind in each; the fault names the rule."""
    rng = random.Random(mutation.name)
    caught = 0
    for text in sample_text(mutation.solo):
        trace = json.loads(text)
        places = list(sites(trace, mutation.kind))
        rng.shuffle(places)
        if any(mutation.change(event, before, trace) for event, before in places):
            assert mutation.rule in fault_of(trace).rule
            caught += 1
        if caught == 8:
            break
    assert caught >= 3


@pytest.mark.parametrize("solo", [False, True])
def test_every_number_of_the_scoring_is_checked(solo: bool) -> None:
    """Any one value of an `age_end` or `game_end`, changed alone, is a fault."""
    text = sample_text(solo)[4]

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
    for text in sample_text(solo):
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
        for key in next(sites(json.loads(text), kind))[0]:
            for change in ("missing", "kind"):
                trace = json.loads(text)
                event = next(sites(trace, kind))[0]
                old = event.pop(key)
                if change == "kind":
                    event[key] = 1.0 if old != 1.0 else "1"
                fault_of(trace)
        trace = json.loads(text)
        next(sites(trace, kind))[0]["note"] = None
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
    ("events", lambda t: t.update(events={})),
    ("order of events", lambda t: t["events"].clear()),
    ("game_end comes last", lambda t: t["events"].append(t["events"][-1])),
]


@pytest.mark.parametrize(("rule", "change"), GAME_OBJECT_CHANGES)
def test_a_wrong_game_object_is_fault_of(rule: str, change: Callable[[Trace], Any]) -> None:
    trace = ReferenceGame(1).play()
    replay(trace)
    change(trace)
    assert rule in fault_of(trace).rule


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("hand_limit", 2, "hand limit"),
        ("markers", 3, "step 1"),
        ("party_points", [9] * 7, "parties"),
        ("dragons", 2, "dragons in the deck"),
    ],
)
def test_changed_rule_values_change_what_is_right(name: str, value: Any, rule: str) -> None:
    trace = ReferenceGame(3).play()
    trace["rules"][name] = value
    assert rule in fault_of(trace).rule


def test_solo_tokens_and_clans_are_checked() -> None:
    trace = ReferenceSoloGame(2, "solo-easy").play()
    tokens = trace["prestige_tokens"]
    tokens["red"], tokens["green"] = tokens["green"], tokens["red"]
    assert "R34" in fault_of(trace).rule
    trace = ReferenceSoloGame(2, "solo-easy").play()
    trace["clans"][0] = "dog"
    assert "clans of the solo mode" in fault_of(trace).rule
    trace["edition"] = "first"
    assert "2nd edition" in fault_of(trace).rule
