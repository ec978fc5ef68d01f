"""The referee notices changes of the kernel's games, and each of its checks notices one."""

import ast
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.situations import draw, quiet_game, win
from kit.tables import SETTINGS, random_game

import referee
from ethnos_sim.simulator import SOLO
from referee.helpers import fault_of, table_of
from referee.mutations import (
    Trace,
    break_rules,
    change_game,
    change_keys,
    change_order,
    change_values,
)
from referee.scoring import shares
from referee.setup import events_of
from referee.solo import preferred

MODULES = [
    file
    for file in Path(referee.__file__).parent.glob("*.py")
    if file.stem not in ("helpers", "mutations") and not file.stem.startswith("test_")
]


def test_the_referee_imports_nothing_of_the_program() -> None:
    allowed = {"referee", *sys.stdlib_module_names} - {"importlib", "runpy"}
    for file in MODULES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= allowed, file
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                assert str(node.module).partition(".")[0] in allowed, file


def games() -> Iterator[Trace]:
    """Games of every size, edition and mode, with clans given up, and won by wild cards."""
    for seed, setting in enumerate(SETTINGS):
        yield random_game(seed, *setting)
    for seed, setting in enumerate([setting for setting in SETTINGS if setting[2] in SOLO] * 5):
        yield random_game(seed, *setting)
    for seed, kind in enumerate(("gives_up", "gives_up_by_age")):
        yield random_game(seed, kind=kind)
    table = quiet_game("dog", "fox", overrides=["hand_limit=2", "ten_wild_wins=true"])
    won = table.age({0: [draw("dog:blue"), win()]}, hands={0: "dog:red"}).play()
    for _ in range(6):
        yield json.loads(json.dumps(won.traced.trace))


def checks() -> set[tuple[str, int]]:
    """The checks by module and line; other tests try those of custom powers."""
    return {
        (file.stem, node.lineno)
        for file in MODULES
        if file.stem not in ("custom", "events")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("equal", "require")
    }


def places_of(fault: referee.Fault) -> Iterator[tuple[str, int]]:
    """Where the referee was when it raised a fault, by module and line."""
    trace = fault.__traceback__
    while trace:
        yield Path(trace.tb_frame.f_code.co_filename).stem, trace.tb_lineno
        trace = trace.tb_next


@pytest.mark.long
def test_every_change_is_a_fault_and_each_check_notices_one() -> None:
    dice, unnoticed = random.Random(1), checks()
    for trace in games():
        for change in (change_values, change_keys, change_order, break_rules, change_game):
            for what, rule in change(trace, dice):
                fault = fault_of(trace)
                if fault:
                    unnoticed -= {*places_of(fault)}
                assert rule is None or (fault and rule in fault.rule), (what, rule, fault)
    assert not unnoticed


def test_r25_bruno_prefers_regions_by_his_standing() -> None:
    trace = random_game(1, players=1, mode="solo-hard")
    table = table_of(trace, events_of(trace))
    player, bruno = table.markers
    player.update(white=2, green=1)
    bruno.update(green=2, yellow=1, black=3)
    player["black"] = 3
    assert preferred(table, ("tied", "losing", "winning")) == ["black", "red", "blue"]
    assert preferred(table, ("winning", "tied", "losing")) == ["green", "yellow"]
    assert preferred(table, ("losing", "tied", "winning")) == ["white"]


NO_TOKENS: list[list[int]] = [[], [], [], []]


@pytest.mark.parametrize(
    ("strength", "tokens", "prizes", "coins", "two", "won"),
    [
        ([3, 3, 1, 0], NO_TOKENS, [10, 5, 4], 0, False, [7, 7, 4, 0]),
        ([4, 2, 2, 2], NO_TOKENS, [10, 6, 5], 0, False, [10, 3, 3, 3]),
        ([2, 2, 2, 0], [[1], [3], [2], [6]], [10, 6, 4], 0, False, [4, 10, 6, 0]),
        ([2, 2, 0, 0], [[1, 3], [4], [], []], [10, 6, 4], 0, False, [6, 10, 0, 0]),
        ([2, 1, 1, 0], NO_TOKENS, [6, 4], 3, False, [9, 2, 2, 0]),
        ([0, 0, 0, 0], NO_TOKENS, [6, 4], 3, False, [0, 0, 0, 0]),
        ([2, 0], [[], []], [8, 4], 2, True, [14, 0]),
        ([2, 2], [[], []], [9, 4], 0, True, [4, 4]),
        ([2, 2], [[1], [2]], [9, 4], 1, True, [0, 10]),
    ],
)
def test_places_ties_tokens_coins_and_the_two_player_rule(
    strength, tokens, prizes, coins, two, won
) -> None:
    assert shares(strength, tokens, prizes, coins, two) == won
