"""`ethnos-sim play` on a sweep's folder replays a game as stored, or fails with an error."""

import json
import shutil

import polars as pl
import pytest
from sweeps import forge

from ethnos_sim import Results

SPEC = {
    "name": "To replay",
    "editions": ["first", "second"],
    "players": [2, 4],
    "games": 160,
    "clan_sets": {"sample": 2},
    "line_ups": [["greedy", "random"]],
}


@pytest.fixture(scope="module")
def results(results_of) -> Results:
    return results_of(SPEC, settings=("bear.on_take=9",))


def test_every_kind_of_game_is_replayed_as_stored(results, printed, tmp_path) -> None:
    seats = results.seats().collect()
    names = results.games().collect().group_by("cell").agg(pl.col("game").max())
    assert names.height == 8
    for cell, game in names.iter_rows():
        out = tmp_path / "game.jsonl"
        printed("play", results.folder, "--game", f"{cell}:{game}", "--out", out)
        end = json.loads(out.read_text(encoding="utf-8"))["events"][-1]
        rows = seats.filter(pl.col("cell") == cell, pl.col("game") == game).sort("seat")
        assert end["prestige"] == rows["prestige"].to_list()


def test_a_game_number_without_a_cell_is_a_game_of_cell_0(results, printed) -> None:
    text = printed("play", results.folder, "--game", "3")
    assert printed("play", results.folder, "--game", "0:3") == text
    assert "game 3 of seed" in text
    assert "Final standing" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("0:9999", "game 9999 is not among"),
        ("8:0", "cells 0 to 7"),
        ("one", "CELL:GAME"),
        ("0:-1", "CELL:GAME"),
        ("0:1:2", "CELL:GAME"),
    ],
)
def test_a_game_that_the_sweep_lacks_is_refused(results, refusal, name, said) -> None:
    assert said in refusal("play", results.folder, "--game", name)


@pytest.mark.parametrize(("table", "column"), [("games", "turns"), ("seats", "prestige")])
def test_a_replay_that_differs_from_the_stored_game_fails(
    results, tmp_path, refusal, table, column
) -> None:
    shutil.copytree(results.folder, tmp_path, dirs_exist_ok=True)
    forge(tmp_path, table, lambda frame: frame.with_columns(pl.col(column) + 1))
    said = refusal("play", tmp_path, "--game", "0:0", code=1)
    assert f"{table}.{column}" in said
    assert "damaged" in said
