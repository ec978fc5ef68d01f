"""A strategy that would never answer ends with one sentence that names the loop."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run
from inside.simulator import MOST_ROUNDS
from seated import play_seats

from ethnos_sim.simulator import NoAnswer, load_rules
from ethnos_sim.strategies import (
    LineUp,
    StrategyError,
    load_strategy_file,
)

HEAD = """\
import numpy as np
from numba import njit
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
"""
#: The loop that never ends stands in line 8 of each file.
ENDLESS = {
    "while": """\
        @strategy()
        def NAME(view):
            rounds = 0
            while view.turns >= 0:
                rounds += 1
            return draw()
    """,
    "while with a loop inside": """\
        @strategy()
        def NAME(view):
            rounds = 0
            while rounds >= 0:
                for region in range(6):
                    rounds += view.markers[region, 0]
            return draw()
    """,
    "for": """\
        @strategy()
        def NAME(view):
            rounds = 0
            for _ in range(2**60):
                if view.turns > 5000:
                    rounds += 1
            return take(rounds)
    """,
    "comprehension": """\
        @strategy()
        def NAME(view):
            rounds = 0
            found = [i for i in range(MANY) if view.markers[i % 6, 0] > 100]
            return take(len(found) + rounds)
        MANY = 2**60
    """,
    "helper": """\
        @kernel
        def count(view):
            rounds = 0
            while view.turns >= 0:
                rounds += 1
            return rounds
        @strategy()
        def NAME(view):
            return take(count(view))
    """,
    "another question": """\
        @strategy()
        def NAME(view): return draw() if not hand_is_full(view) else play(largest_party(view))
        @NAME.region
        def endless(view):
            rounds = 0
            while view.turns >= 0:
                rounds += 1
            return rounds
    """,
}


@pytest.fixture(scope="session")
def write(in_one_place: Callable[[str, str], Path]) -> Callable[[str, str], Path]:
    """Writes a strategy file whose body begins at line 5."""

    def write(name: str, body: str) -> Path:
        return in_one_place(f"{name}.py", HEAD + textwrap.dedent(body).replace("NAME", name))

    return write


def play(line_up: str, deals: int = 2) -> None:
    """A few games of four players."""
    rules = load_rules("second")
    seats = LineUp.parse(line_up, 4, rules).seats()
    play_seats(rules, players=4, clans=rules.clans[:6], seats=seats, seed=1, deals=deals)


def looping_line(file: Path) -> int:
    """The line of a file's endless loop."""
    lines = file.read_text(encoding="utf-8").splitlines()
    marks = ("while ", "2**60)", "in range(MANY)")
    return next(i for i, line in enumerate(lines, 1) if any(mark in line for mark in marks))


@pytest.mark.parametrize("kind", ENDLESS)
def test_an_endless_loop_is_told_by_file_line_and_moment(write, kind: str) -> None:
    name = "endless_" + kind.replace(" ", "_")
    file = write(name, ENDLESS[kind])
    load_strategy_file(file)
    with pytest.raises(NoAnswer) as caught:
        play(f"{name},greedy")
    question = "region" if kind == "another question" else "turn"
    assert re.fullmatch(
        rf"{re.escape(str(file))}:{looping_line(file)}: in strategy '{name}', a loop went round "
        rf"{MOST_ROUNDS:,} times and does not seem to end: game \d+, seat \d, age \d, turn \d+, "
        rf"question '{question}'",
        str(caught.value),
    )


def test_a_policy_that_does_not_end_stops_the_player_who_looks_ahead(write) -> None:
    file = write("endless_policy", ENDLESS["helper"])
    load_strategy_file(file)
    with pytest.raises(NoAnswer, match=rf"{re.escape(str(file))}:{looping_line(file)}: in strat"):
        play("lookahead:policy=endless_policy:samples=1,greedy")


def test_a_batch_after_an_endless_loop_plays_as_ever(write) -> None:
    load_strategy_file(write("endless_once", ENDLESS["while"]))
    with pytest.raises(NoAnswer):
        play("endless_once")
    play("greedy")


def test_long_loops_that_end_are_let_go_on(write) -> None:
    body = f"""\
        @strategy()
        def NAME(view):
            rounds = 0
            if view.turns == 0:
                while rounds < {MOST_ROUNDS - 1}:
                    rounds += 1 + (view.turns > 5000)
            return draw() if not hand_is_full(view) else play(largest_party(view))
    """
    load_strategy_file(write("long_but_finite", body))
    play("long_but_finite,greedy")


def test_what_is_not_bounded_is_refused_before_it_plays(write) -> None:
    raw = """\
        @njit
        def count(turns):
            while turns >= 0:
                turns += 1
            return turns
        @strategy()
        def NAME(view):
            return take(count(view.turns))
    """
    deep = """\
        @kernel
        def count(turns):
            if turns < 0:
                return 0
            return 1 + count(turns + 1)
        @strategy()
        def NAME(view):
            return take(count(view.turns))
    """
    for name, body, line, said in (
        ("raw_loop", raw, 12, "the loops of 'count' have no bound; put @kernel above"),
        ("deep_calls", deep, 9, "'count' comes back to 'count' without a bound; use a loop"),
    ):
        file = write(name, body)
        load_strategy_file(file)
        with pytest.raises(StrategyError) as caught:
            play(name)
        assert str(caught.value).startswith(f"{file}:{line}: in strategy '{name}', {said}")


def test_an_exception_in_a_strategy_is_told_by_file_and_line(write) -> None:
    raising = """\
        @strategy()
        def NAME(view):
            if view.turns > 3:
                raise ValueError("no idea")
            return draw()
    """
    negative = """\
        @strategy()
        def NAME(view):
            return take(np.zeros(3 - view.turns).size)
    """
    for name, body, line, said in (
        ("raising", raising, 8, "ValueError: no idea"),
        ("negative", negative, 5, "ValueError: negative dimensions not allowed"),
    ):
        file = write(name, body)
        load_strategy_file(file)
        with pytest.raises(NoAnswer) as caught:
            play(f"greedy,greedy,{name}")
        assert str(caught.value).startswith(f"{file}:{line}: in strategy '{name}', {said}: game 0")


SPEC = """
games = 200
players = [4]
[clan_sets]
with = "bear"
[[line_ups]]
strategies = ["greedy", "endless_everywhere"]
"""


@pytest.mark.parametrize(
    "words",
    [
        ["match", "--strategies", "greedy,endless_everywhere"],
        ["play", "--strategies", "greedy,endless_everywhere"],
        ["sweep", "spec.toml", "--out", "out"],
        ["sweep", "spec.toml", "--out", "out", "--engine", "processes"],
    ],
    ids=["match", "play", "sweep", "sweep in processes"],
)
def test_a_command_ends_with_one_sentence(
    write,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = write("endless_everywhere", ENDLESS["while"])
    monkeypatch.chdir(tmp_path)
    Path("spec.toml").write_text(SPEC)
    assert run(*words, "--strategies-from", file) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    (sentence,) = [line for line in said.splitlines() if line.startswith("Error: ")]
    assert f"{file}:{looping_line(file)}: in strategy 'endless_everywhere', a loop" in sentence
