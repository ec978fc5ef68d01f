"""`strategies rate`: its output, and its JSON."""

import json
import shlex

import pytest

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
