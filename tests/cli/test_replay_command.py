"""`ethnos-sim play` of a sweep's folder: a game comes out as it is stored, or fails loudly."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from commands import run
from forging import forge

SPEC = """
name = "To replay"
editions = ["first", "second"]
players = [2, 4]
games = 160
clan_sets = { sample = 2 }
line_ups = [["greedy", "random"]]
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("replay")
    spec = folder / "spec.toml"
    spec.write_text(SPEC, encoding="utf-8")
    out = folder / "out"
    words = ["sweep", str(spec), "--out", str(out), "--set", "bear.on_take=9", "--quiet"]
    assert run(*words) == 0
    return out


def rows(folder: Path, table: str) -> pl.DataFrame:
    files = sorted((folder / table).rglob("*.parquet"))
    return pl.concat([pl.read_parquet(path) for path in files], how="diagonal")


def test_every_kind_of_game_comes_out_as_it_is_stored(swept, capsys) -> None:
    seats = rows(swept, "seats")
    names = rows(swept, "games").group_by("cell").agg(pl.col("game").max()).sort("cell")
    assert names.height == 8
    capsys.readouterr()
    for cell, game in names.iter_rows():
        assert run("play", swept, "--game", f"{cell}:{game}", "--json") == 0
        end = json.loads(capsys.readouterr().out)["events"][-1]
        own = seats.filter(pl.col("cell") == cell, pl.col("game") == game).sort("seat")
        assert end["prestige"] == own["prestige"].to_list()


def test_a_number_alone_is_a_game_of_the_first_cell(swept, capsys) -> None:
    told = []
    for name in ("3", "0:3"):
        assert run("play", swept, "--game", name) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "game 3 of seed" in told[0]
    assert "Final standing" in told[0]


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
def test_a_game_that_is_not_there_is_refused(swept, capsys, name, said) -> None:
    assert run("play", swept, "--game", name) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert said in told.err


@pytest.mark.parametrize(("table", "column"), [("games", "turns"), ("seats", "prestige")])
def test_a_game_that_is_stored_otherwise_fails(swept, tmp_path, capsys, table, column) -> None:
    shutil.copytree(swept, tmp_path, dirs_exist_ok=True)
    forge(tmp_path, table, lambda frame: frame.with_columns(pl.col(column) + 1))
    capsys.readouterr()
    assert run("play", tmp_path, "--game", "0:0") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{table}.{column}" in said.err
    assert "damaged" in said.err
