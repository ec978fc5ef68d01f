"""`match`, `play` and `strategies rate`: what they print and write."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from commands import run

FOUR = ("--edition", "second", "--players", "4", "--seed", "1")


@pytest.fixture
def traced(printed, tmp_path) -> Callable[..., list[dict[str, Any]]]:
    """Write traces by `play` with the given words, and read them."""

    def read(*words: object) -> list[dict[str, Any]]:
        out = tmp_path / "games.jsonl"
        assert printed("play", *words, "--out", out) == ""
        return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]

    return read


def test_a_file_of_traces_has_a_line_for_each_game(traced, tmp_path) -> None:
    games = traced(*FOUR, "--strategies", "greedy", "--games", "3")
    assert [game["game"] for game in games] == [0, 1, 2]
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


def test_an_older_file_of_traces_survives_a_failed_write(printed, tmp_path, monkeypatch) -> None:
    out = tmp_path / "games.jsonl"
    out.write_text("older", encoding="utf-8")

    def fail(*words, **named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    assert run("play", *FOUR, "--strategies", "random", "--out", out) == 1
    assert out.read_text(encoding="utf-8") == "older"
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


def test_play_tells_the_same_game_as_its_trace(printed, traced) -> None:
    words = (*FOUR, "--strategies", "greedy,random")
    games = traced(*words, "--games", "4")
    said = printed("play", *words, "--game", "3")
    assert "game 3 of seed 1" in said
    totals = games[3]["events"][-1]["prestige"]
    line = next(line for line in reversed(said.splitlines()) if line.startswith("Total prestige"))
    assert [int(number) for number in line.split()[2:]] == totals


def test_clans_may_be_written_as_pages_print_them(printed) -> None:
    words = ("match", "--games", "20", "--players", "2", "--json", "--clans")
    typed = printed(*words, "bear,deer,dog,fox,red_panda", "--strategies", "specialist:clan=fox")
    shown = ("Fox,Red Panda,Deer,Dog,Bear", "--strategies", "specialist:clan=Fox")
    game, again = json.loads(typed), json.loads(printed(*words, *shown))
    assert again["clans"] == game["clans"]
    assert again["strategies"][0]["mean_prestige"] == game["strategies"][0]["mean_prestige"]


def test_a_rating_as_json_has_every_strategy_and_every_pair(printed) -> None:
    rated = ("--strategies", "greedy,random,majority", "--players", "3", "--games", "100")
    rating = json.loads(printed("strategies", "rate", *rated, "--json"))
    assert {row["strategy"] for row in rating["strategies"]} == {"greedy", "random", "majority"}
    assert len(rating["pairs"]) == 6
    for row in (*rating["strategies"], *rating["pairs"]):
        assert row["low"] <= row["value"] <= row["high"]


#: What damages a trace or its first party.
DAMAGES: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "no cards": lambda trace, party: party.pop("cards"),
    "no events": lambda trace, party: trace.pop("events"),
    "an unknown event": lambda trace, party: party.update(event="flood"),
    "an unknown player": lambda trace, party: party.update(player=9),
    "a number for cards": lambda trace, party: party.update(cards=5),
    "an event that is none": lambda trace, party: trace["events"].insert(3, None),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_trace_is_refused_with_its_line(damage, traced, tmp_path, capsys) -> None:
    file = tmp_path / "damaged.jsonl"
    first, trace = traced(*FOUR, "--strategies", "greedy", "--games", "2")
    DAMAGES[damage](trace, next(one for one in trace["events"] if one["event"] == "party"))
    file.write_text(f"{json.dumps(first)}\n{json.dumps(trace)}\n", encoding="utf-8")
    for more in ((), ("--out", tmp_path / "page.html")):
        assert run("play", file, "--game", "1", *more) == 2
        assert f"'{file}', line 2: " in " ".join(capsys.readouterr().err.split())
