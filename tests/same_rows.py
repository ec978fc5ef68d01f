"""The tables of a sweep, in an order that does not depend on its shards."""

from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

from ethnos_sim import open_results


def rows_of(folder: Path) -> dict[str, pl.DataFrame]:
    """The tables of a folder."""
    results = open_results(folder)
    return {
        "games": results.games().sort("cell", "game").collect(),
        "seats": results.seats().sort("cell", "game", "seat").collect(),
    }


def assert_same_rows(first: Path, second: Path) -> None:
    """Both folders hold the same games."""
    for own, others in zip(rows_of(first).values(), rows_of(second).values(), strict=True):
        assert_frame_equal(own, others, check_column_order=False)
