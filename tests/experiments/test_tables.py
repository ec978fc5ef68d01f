"""The tables: small whole numbers, room for all games, and sums that hold them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import polars as pl

from ethnos_sim.experiments import GAME_COLUMNS, seat_columns
from ethnos_sim.experiments.storage.tables import empty_columns, fill_games, parquet, totals
from ethnos_sim.simulator import load_rules
from ethnos_sim.simulator.records import GAME_DTYPE

GAMES = 4


def test_games_are_numbered_into_the_thousands_of_millions() -> None:
    games = np.zeros(GAMES, GAME_DTYPE)
    games["game"] = 3_000_000_000 + np.arange(GAMES)
    table = empty_columns(GAME_COLUMNS, GAMES + 5)
    fill_games(table, 2, 77, games)
    np.testing.assert_array_equal(table["game"][2 : 2 + GAMES], games["game"])


def test_a_parquet_file_holds_small_whole_numbers_and_says_where_it_belongs() -> None:
    for columns in (GAME_COLUMNS, seat_columns(load_rules("first"), solo=False)):
        content = parquet(empty_columns(columns, GAMES), {"ethnos_sim_plan": "0123"})
        frame = pl.read_parquet(BytesIO(content))
        assert all(kind.is_integer() for kind in frame.dtypes)
        assert frame.estimated_size() <= 54 * frame.height
        assert pl.read_parquet_metadata(BytesIO(content))["ethnos_sim_plan"] == "0123"


def test_totals_do_not_overflow_small_types() -> None:
    columns = {"won": np.full(1_000_000, 60, np.uint8)}
    assert totals(columns, ["won"]) == {"won": 60_000_000}
