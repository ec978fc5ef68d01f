"""Progress: a bar on a terminal, a line now and then elsewhere, and nothing with --quiet."""

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

        def begin(total: int, done: int, seconds: float = 0.0, quiet: bool = False):
            monkeypatch.setattr(progress, "SECONDS_A_LINE", seconds)
            return shown.enter_context(shown_progress("A sweep", total, done, quiet=quiet))

        yield begin


def played_twice(shown, games: int) -> None:
    """Report games twice, because a rate needs two times."""
    shown(games)
    time.sleep(0.01)
    shown(games)


def test_plain_lines_tell_games_rate_and_time_left(plain, capsys) -> None:
    shown = plain(100_000, 1_000)
    played_twice(shown, 1_000)
    said = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"3,000 of 100,000 games, [\d,]+ games/s, about \d+ (s|min) left", said)
    shown.go_on(200_000)
    played_twice(shown, 1_000)
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("5,000 of 200,000 games, ")


@pytest.mark.parametrize(("quiet", "said"), [(False, "A sweep\n"), (True, "")])
def test_plain_lines_come_at_intervals_and_not_where_they_are_not_wanted(
    plain, capsys, quiet, said
) -> None:
    shown = plain(1_000_000, 0, seconds=1_000.0, quiet=quiet)
    for _ in range(100):
        shown(10)
    assert capsys.readouterr().err == said


def test_a_terminal_gets_a_bar_with_games_rate_and_time_left(monkeypatch) -> None:
    shown_text = io.StringIO()
    monkeypatch.setattr(shown_text, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown_text)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with shown_progress("A sweep", 1_000, 0, quiet=False) as shown:
        for _ in range(4):
            time.sleep(0.1)
            shown(100)
        time.sleep(0.3)
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown_text.getvalue())
    assert re.search(r"━ 400 of 1,000 games, [\d,]+ games/s, about \d+ s left", said)
