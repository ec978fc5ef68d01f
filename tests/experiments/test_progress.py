"""Progress: a bar on a terminal, a line now and then elsewhere, and nothing with --quiet."""

import io
import re
import sys
import time

import pytest
from inside import module_with
from inside.experiments.execution import show_progress

progress = module_with("experiments.execution", "show_progress")


def test_plain_lines_tell_games_rate_and_time_left(monkeypatch, capsys) -> None:
    monkeypatch.setattr(progress, "SECONDS_PER_LINE", 0.0)
    said = []
    with show_progress("A sweep", 100_000, 1_000, quiet=False) as shown:
        for planned in (100_000, 200_000):
            shown.set_total(planned)
            shown(1_000)
            time.sleep(0.01)  # a rate needs two times
            shown(1_000)
            said.append(capsys.readouterr().err.splitlines()[-1])
    assert re.fullmatch(r"3,000 of 100,000 games, [\d,]+ games/s, about \d+ (s|min) left", said[0])
    assert said[1].startswith("5,000 of 200,000 games, ")


@pytest.mark.parametrize(("quiet", "said"), [(False, "A sweep\n"), (True, "")])
def test_plain_lines_come_at_intervals_and_not_where_they_are_not_wanted(
    capsys, quiet, said
) -> None:
    with show_progress("A sweep", 1_000_000, 0, quiet=quiet) as shown:
        for _ in range(100):
            shown(10)
    assert capsys.readouterr().err == said


def test_a_terminal_gets_a_bar_with_games_rate_and_time_left(monkeypatch) -> None:
    shown_text = io.StringIO()
    monkeypatch.setattr(shown_text, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown_text)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with show_progress("A sweep", 1_000, 0, quiet=False) as shown:
        for _ in range(4):
            time.sleep(0.1)
            shown(100)
        time.sleep(0.3)
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown_text.getvalue())
    assert re.search(r"━ 400 of 1,000 games, [\d,]+ games/s, about \d+ s left", said)
