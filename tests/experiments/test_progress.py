"""Progress: a line now and then without a terminal, and nothing with --quiet."""

import io
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from inside import module_with
from inside.experiments.execution import shown_progress

progress = module_with("experiments.execution", "shown_progress")


@pytest.fixture
def plain(monkeypatch) -> Iterator[Callable]:
    """Progress without a terminal, with a line for every step unless `seconds` is given."""
    with ExitStack() as shown:

        def begin(total: int, done: int, seconds: float = 0.0):
            monkeypatch.setattr(progress, "SECONDS_A_LINE", seconds)
            return shown.enter_context(shown_progress("A sweep", total, done, quiet=False))

        yield begin


def test_plain_lines_tell_games_rate_and_time_left(plain, capsys) -> None:
    lines = plain(100_000, 1_000)
    played_twice(lines, 1_000)
    said = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"3,000 of 100,000 games, [\d,]+ games/s, about \d+ (s|min) left", said)


def played_twice(lines, games: int) -> None:
    """Report games twice, because a rate needs two times."""
    lines(games)
    time.sleep(0.01)
    lines(games)


def test_the_time_left_is_shown_only_after_enough_games(plain, capsys) -> None:
    lines = plain(1_000_000, 500_000)
    played_twice(lines, 2_000)
    assert capsys.readouterr().err.endswith(" games/s\n")
    played_twice(lines, 1_000)
    assert capsys.readouterr().err.endswith(" left\n")


def test_plain_lines_come_at_intervals(plain, capsys) -> None:
    lines = plain(1_000_000, 0, seconds=1_000.0)
    for _ in range(100):
        lines(10)
    assert capsys.readouterr().err == "A sweep\n"


def test_plain_lines_tell_the_precision_of_the_last_look(plain, capsys) -> None:
    lines = plain(1_000, 0)
    played_twice(lines, 500)
    lines.go_on(2_000, "win_share ±0.02 of ±0.01")
    played_twice(lines, 250)
    *_, before, _, after = capsys.readouterr().err.splitlines()
    assert before.endswith(" s left")
    assert after.startswith("1,500 of 2,000 games, ")
    assert after.endswith(" s left; win_share ±0.02 of ±0.01")


def on_a_terminal(monkeypatch, columns: int, games: int) -> str:
    """What a terminal of some width shows for four steps and a look, without control codes."""
    shown_text = io.StringIO()
    monkeypatch.setattr(shown_text, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown_text)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    with shown_progress("A sweep", 10 * games, 0, quiet=False, cells=924) as shown:
        shown.go_on(20 * games, "win_share ±0.02 of ±0.01")
        for _ in range(4):
            time.sleep(0.1)
            shown(games)
        time.sleep(0.3)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown_text.getvalue())


def test_a_terminal_gets_a_bar_with_cells_games_rate_time_and_precision(monkeypatch) -> None:
    said = on_a_terminal(monkeypatch, 200, 100)
    assert "924 cells" in said
    assert "400 of 2,000 games" in said
    assert " games/s" in said
    assert "s left win_share ±0.02 of ±0.01" in said


def test_a_narrow_terminal_keeps_rate_and_time_left(monkeypatch) -> None:
    said = on_a_terminal(monkeypatch, 40, 100_000_000)
    *_, last = said.split("\r")
    assert re.search(r"[\d,]+ games/s about \d+ (s|min) left", said), said
    assert "…" not in said
    assert len(last.strip("\n")) <= 40
