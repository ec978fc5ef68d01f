"""`match`, `play` and `strategies`: what they print."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import run

FOUR = ("--edition", "second", "--players", "4", "--seed", "1")
MINE = '''
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import best_party, draw, hand_is_full, play


@strategy(Parameter("cards", 8, 1, 9, "cards that make it play"))
def gatherer(view, parameters):
    """Fills the hand. Then it plays.

    Bad at: everything.
    """
    party, _ = best_party(view)
    enough = view.hand_cards[view.player] >= parameters.cards or hand_is_full(view)
    return play(party) if enough and party.leader >= 0 else draw()
'''


@pytest.fixture
def mine(in_one_place) -> Path:
    return in_one_place("mine.py", MINE)


def test_a_strategy_from_a_file_plays(printed, mine) -> None:
    words = ("--strategies-from", mine, "--strategies", "gatherer,random", "--games", "40")
    said = json.loads(printed("match", *FOUR, *words, "--json"))
    names = [entry["name"] for entry in said["strategies"]]
    assert names == ["gatherer", "random"]


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


def _damaged(trace: dict, change: str) -> None:
    """Damage the first party of a trace, or one of its keys."""
    party = next(event for event in trace["events"] if event["event"] == "party")
    if change.startswith("no "):
        del party[change.removeprefix("no ")]
    elif change == "an unknown event":
        party["event"] = "flood"
    elif change == "an unknown player":
        party["player"] = 9
    elif change == "a text for cards":
        party["cards"] = 5
    elif change == "an event that is none":
        trace["events"][3] = None
    else:
        del trace["events"]


@pytest.mark.parametrize(
    "change",
    [
        *("no player", "no cards", "no leader", "no region", "an unknown event"),
        *("an unknown player", "a text for cards", "an event that is none", "nothing"),
    ],
)
def test_a_damaged_trace_is_refused_with_its_line(change, traced, tmp_path, capsys) -> None:
    file = tmp_path / "damaged.jsonl"
    first, trace = traced(*FOUR, "--strategies", "greedy", "--games", "2")
    _damaged(trace, change)
    file.write_text(f"{json.dumps(first)}\n{json.dumps(trace)}\n", encoding="utf-8")
    for more in ((), ("--out", tmp_path / "page.html")):
        assert run("play", file, "--game", "1", *more) == 2
        assert f"'{file}', line 2: " in " ".join(capsys.readouterr().err.split())
