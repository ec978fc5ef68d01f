"""The tables: every field of a batch stands in its column, as a small whole number."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import polars as pl
import pytest

from ethnos_sim.experiments import GAME_COLUMNS, PRESTIGE_SOURCES, seat_columns
from ethnos_sim.experiments.storage.tables import (
    empty_columns,
    fill_games,
    fill_seats,
    led_column,
    parquet,
    totals,
)
from ethnos_sim.simulator import GameTable, load_rules
from ethnos_sim.simulator.records import GAME_DTYPE, SEAT_DTYPE

PLAYERS = 3
GAMES = 4
RULES = load_rules("first")
CLANS = ("halfling", "giant", "orc", "troll", "elf")
TABLE = GameTable(RULES, PLAYERS, "standard", CLANS, ())


@pytest.fixture
def batch() -> tuple[np.ndarray, np.ndarray]:
    """Four games of three players, every number of them different from its neighbors."""
    games = np.zeros(GAMES, GAME_DTYPE)
    games["game"] = [3_000_000_000, 3_000_000_001, 3_000_000_002, 3_000_000_003]
    games["deal"] = games["game"] // 3
    for number, name in enumerate(("rotation", "first_player", "winners", "turns", "decisions")):
        games[name] = np.arange(GAMES) + 10 * number
    games["drawn"] = np.arange(GAMES)[:, None] + [20, 30, 40]
    games["third_dragon"] = [[0, 1, -1]] * GAMES
    seats = np.zeros((GAMES, PLAYERS), SEAT_DTYPE)
    row = np.arange(GAMES * PLAYERS).reshape(GAMES, PLAYERS)
    for number, name in enumerate(("entry", "won", *PRESTIGE_SOURCES, "markers", "parties")):
        seats[name] = row + number
    seats["prestige"] = row - 300
    seats["cards"] = row + 240
    seats["after_age"] = row[:, :, None] + [100, 200, 0]
    seats["led"] = row[:, :, None] + 12 * np.arange(7)
    return games, seats


def filled(batch, start=0, rows=GAMES):
    games, seats = batch
    game_table = empty_columns(GAME_COLUMNS, rows)
    seat_table = empty_columns(seat_columns(RULES, solo=False), rows * PLAYERS)
    fill_games(game_table, start, 77, games)
    fill_seats(seat_table, start * PLAYERS, 77, games, seats, TABLE)
    return game_table, seat_table


def test_every_field_of_a_game_stands_in_its_column(batch) -> None:
    games, _ = batch
    table, _ = filled(batch)
    assert set(table) == set(GAME_COLUMNS)
    assert set(table["cell"]) == {77}
    for name in ("game", "deal", "rotation", "first_player", "winners", "turns", "decisions"):
        np.testing.assert_array_equal(table[name], games[name])
    for age in (1, 2, 3):
        np.testing.assert_array_equal(table[f"drawn_{age}"], games["drawn"][:, age - 1])
        np.testing.assert_array_equal(
            table[f"third_dragon_{age}"], games["third_dragon"][:, age - 1]
        )


def test_every_field_of_a_seat_stands_in_its_column(batch) -> None:
    games, seats = batch
    _, table = filled(batch)
    flat = seats.ravel()
    names = ("entry", "won", "prestige", *PRESTIGE_SOURCES, "markers", "parties", "cards")
    for name in names:
        np.testing.assert_array_equal(table[name], flat[name])
    for age in (1, 2, 3):
        np.testing.assert_array_equal(table[f"prestige_{age}"], flat["after_age"][:, age - 1])
    np.testing.assert_array_equal(table["seat"], [0, 1, 2] * GAMES)
    np.testing.assert_array_equal(table["game"], np.repeat(games["game"], PLAYERS))
    np.testing.assert_array_equal(table["deal"], np.repeat(games["deal"], PLAYERS))


def test_parties_led_stand_under_the_clan_of_the_slot(batch) -> None:
    _, seats = batch
    _, table = filled(batch)
    led = {name for name in table if name.startswith("led_")}
    assert led == {led_column(clan) for clan in RULES.clans}
    for clan, slot in (("halfling", 0), ("giant", 2), ("elf", 5)):
        np.testing.assert_array_equal(table[f"led_{clan}"], seats.ravel()["led"][:, slot])
    assert not table["led_dwarf"].any()


def test_batches_fill_the_rows_they_are_given_and_no_others(batch) -> None:
    whole_games, whole_seats = filled(batch)
    game_table, seat_table = filled(batch, start=2, rows=GAMES + 5)
    np.testing.assert_array_equal(game_table["turns"][2 : 2 + GAMES], whole_games["turns"])
    rows = slice(2 * PLAYERS, (2 + GAMES) * PLAYERS)
    np.testing.assert_array_equal(seat_table["prestige"][rows], whole_seats["prestige"])


def test_a_parquet_file_holds_small_whole_numbers_and_says_where_it_belongs(batch) -> None:
    game_table, seat_table = filled(batch)
    for table in (game_table, seat_table):
        content = parquet(table, {"ethnos_sim_plan": "0123"})
        frame = pl.read_parquet(BytesIO(content))
        assert all(kind.is_integer() for kind in frame.dtypes)
        assert frame.estimated_size() <= 54 * frame.height
        assert pl.read_parquet_metadata(BytesIO(content))["ethnos_sim_plan"] == "0123"
        for name, column in table.items():
            np.testing.assert_array_equal(frame[name].to_numpy(), column)


def test_totals_do_not_overflow_small_types() -> None:
    columns = {"won": np.full(1_000_000, 60, np.uint8)}
    assert totals(columns, ["won"]) == {"won": 60_000_000}
