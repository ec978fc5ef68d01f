"""`strategies rate` and `strategies tune`: their output, and the files that they write."""

import json
import shlex
from pathlib import Path

import pytest
from inside.strategies import read_tuned

pytestmark = pytest.mark.long

RATED = ("--strategies", "greedy,random,majority", "--players", "3", "--games", "100")


def test_rate_prints_shares_who_beats_whom_and_the_command_that_repeats_it(printed) -> None:
    said = printed("strategies", "rate", *RATED)
    assert "1/3 is even, * beats" in said
    command = said.splitlines()[-1]
    assert shlex.split(command)[:3] == ["ethnos-sim", "strategies", "rate"]
    again = printed(*shlex.split(command)[1:])
    assert again == said


def test_rate_json_has_every_strategy_and_every_pair(printed) -> None:
    rating = json.loads(printed("strategies", "rate", *RATED, "--json"))
    assert {row["strategy"] for row in rating["strategies"]} == {"greedy", "random", "majority"}
    assert len(rating["pairs"]) == 6
    for row in (*rating["strategies"], *rating["pairs"]):
        assert row["low"] <= row["value"] <= row["high"]


def test_tune_prints_a_line_up_to_paste_and_saves_a_file_that_can_be_read(
    printed, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    words = ("--against", "random", "--players", "2", "--games", "1000")
    said = printed("strategies", "tune", "greedy", *words, "--save", file)
    (tuned,) = read_tuned(file)
    assert tuned.key == ("second", 2)
    assert tuned.low <= tuned.share <= tuned.high
    line = f"greedy:patience={tuned.parameters['patience']:g}"
    assert line in said
    assert tuned.command in said
    assert printed(*shlex.split(tuned.command)[1:]) == said
    shown = printed("match", "--strategies", f"{line},random", "--players", "2", "--games", "20")
    assert line in shown
    printed("strategies", "tune", "greedy", *words, "--edition", "first", "--save", file)
    assert [entry.edition for entry in read_tuned(file)] == ["first", "second"]


def test_tune_json_has_the_gain_on_fresh_deals(printed) -> None:
    words = ("--against", "random", "--players", "2", "--games", "1000", "--json")
    tuned = json.loads(printed("strategies", "tune", "greedy", *words))
    assert tuned["gain"]["value"] == pytest.approx(tuned["share"] - tuned["first"]["value"])
    assert tuned["line_up"].startswith("greedy:patience=")
    assert tuned["games"] == 200


def test_tune_plays_against_a_line_up_and_in_solo_against_bruno(printed) -> None:
    words = ("--games", "500", "--json")
    rivals = ("--against", "random,majority")
    tuned = json.loads(printed("strategies", "tune", "greedy", *rivals, *words))
    assert tuned["against"] == ["random", "majority", "random"]
    solo = json.loads(
        printed("strategies", "tune", "greedy", "--edition", "second+solo-hard", *words)
    )
    assert solo["players"] == 1
    assert solo["against"] == []
    assert "--against" not in solo["command"]
