"""Progress: a line now and then where there is no terminal, nothing when asked to be quiet."""

from __future__ import annotations

from ethnos_sim.experiments.progress import PlainLines, shown_progress


def test_plain_lines_tell_games_rate_and_time_left(capsys) -> None:
    lines = PlainLines(total=1_000_000, done=1_000, seconds_a_line=0.0)
    lines(2_000)
    said = capsys.readouterr().err
    assert said.startswith("3,000 of 1,000,000 games, ")
    assert said.endswith(" s left\n")


def test_plain_lines_come_only_now_and_then(capsys) -> None:
    lines = PlainLines(total=1_000_000, done=0, seconds_a_line=1_000.0)
    for _ in range(100):
        lines(10)
    assert capsys.readouterr().err == ""


def test_quiet_shows_nothing(capsys) -> None:
    with shown_progress("A sweep", 100, 0, quiet=True) as on_games:
        on_games(100)
    said = capsys.readouterr()
    assert said.out == said.err == ""
