"""`strategies rate`: its output, and its JSON."""

import json

import pytest

pytestmark = pytest.mark.long

RATED = ("--strategies", "greedy,random,majority", "--players", "3", "--games", "100")


def test_rate_prints_shares_and_who_beats_whom(printed) -> None:
    said = printed("strategies", "rate", *RATED)
    assert "1/3 is even, * beats" in said


def test_rate_json_has_every_strategy_and_every_pair(printed) -> None:
    rating = json.loads(printed("strategies", "rate", *RATED, "--json"))
    assert {row["strategy"] for row in rating["strategies"]} == {"greedy", "random", "majority"}
    assert len(rating["pairs"]) == 6
    for row in (*rating["strategies"], *rating["pairs"]):
        assert row["low"] <= row["value"] <= row["high"]
