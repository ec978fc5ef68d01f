"""`ethnos-sim sweep` plays a spec into a folder, continues it, and can be stopped without harm."""

import re
from pathlib import Path

import pytest
from commands import run
from kit.custom import strategy_file

from ethnos_sim import open_results

SPEC = """
name = "Mine"
players = [2, 4]
games = 160
clan_sets = { sample = 2 }
line_ups = [["greedy", "random"]]
"""


@pytest.fixture
def spec(tmp_path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def test_a_sweep_prints_games_rate_size_and_the_next_command(spec, tmp_path, printed) -> None:
    out = tmp_path / "out"
    said = printed("sweep", spec, "--out", out, "--jobs", 2)
    assert "Played 160 games in " in said
    assert " games/s" in said
    assert "holds 160 games in " in said
    assert said.splitlines()[-1] == f"Next: ethnos-sim report {out}"
    assert open_results(out).complete


def test_a_folder_continues_its_own_plan_and_takes_more_games(spec, tmp_path, printed) -> None:
    out = tmp_path / "out"
    run("sweep", spec, "--out", out)
    assert "holds 320 games" in printed("sweep", "--out", out, "--games", 320)
    assert "Nothing was left to play" in printed("sweep", spec, "--out", out)


def test_a_dry_run_plays_nothing_and_needs_no_folder(spec, tmp_path, printed) -> None:
    said = printed("sweep", spec, "--dry-run")
    assert "160 games in 4 cells" in said
    assert re.search(r"160 games, about \d+ s with \d+ threads? .* games/s, up to [\d,]+ MB", said)
    assert "no game of the sweep was played, and nothing was written" in said
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_a_strategy_of_a_file_can_play(spec, tmp_path, capsys) -> None:
    file, out = strategy_file(tmp_path, "packrat"), tmp_path / "out"
    spec.write_text(SPEC.replace('"random"', '"packrat"'), encoding="utf-8")
    assert run("sweep", spec, "--out", out, "--strategies-from", file) == 0, capsys.readouterr().err
    results = open_results(out)
    assert "packrat" in results.plan.strategies
    assert run("sweep", "--out", out, "--games", 320, "--strategies-from", file) == 0


def test_an_illegal_move_fails_and_names_the_strategy(spec, tmp_path, refusal) -> None:
    file = strategy_file(tmp_path, "always_draws", "return draw()")
    spec.write_text(SPEC.replace('"random"', '"always_draws"'), encoding="utf-8")
    assert "strategy 'always_draws'" in refusal(
        "sweep", spec, "--out", tmp_path / "out", "--strategies-from", file, code=1
    )


def test_every_mistake_of_a_spec_is_a_line(spec, tmp_path, capsys) -> None:
    spec.write_text(SPEC.replace("players", "palyers").replace("greedy", "gredy"), encoding="utf-8")
    assert run("sweep", spec, "--out", tmp_path / "out") == 2
    said = capsys.readouterr()
    lines = said.err.removeprefix("Error: ").splitlines()
    assert all(line.startswith(f"{spec}: ") for line in lines)
    assert len(lines) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
