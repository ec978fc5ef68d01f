"""Sums: integers only, the same however rows are cut and ordered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from toy_sweep import Truth, evidence_of, toy_plan, toy_tables

from ethnos_sim.reports import SOURCES, Sums

PLAN = toy_plan(players=(4,), rounds=40)


@pytest.fixture(scope="module")
def rows() -> tuple[pl.DataFrame, pl.DataFrame]:
    parts = [toy_tables(PLAN, [cell], Truth(), 3) for cell in PLAN.cells]
    return pl.concat([games for games, _ in parts]), pl.concat([seats for _, seats in parts])


@pytest.fixture(scope="module")
def sums(rows) -> Sums:
    return sums_of(rows)


def sums_of(*batches: tuple[pl.DataFrame, pl.DataFrame]) -> Sums:
    (sums,) = evidence_of(PLAN, *batches).sums.values()
    return sums


def test_sums_do_not_depend_on_batches_nor_on_their_order(rows, sums):
    games, seats = rows
    cuts = [games.filter(pl.col("game") % 3 == part) for part in (2, 0, 1)]
    keys = ["cell", "game"]
    again = sums_of(
        *((cut, seats.join(cut, on=keys, how="semi", maintain_order="left")) for cut in cuts)
    )
    for name, array in sums.arrays.items():
        assert np.array_equal(array, again.arrays[name]), name


def test_sums_of_different_tables_are_not_added(sums):
    with pytest.raises(ValueError, match="player counts"):
        sums.plus(replace(sums, players=5))


def test_seats_that_do_not_follow_their_games_are_refused(rows):
    games, seats = rows
    with pytest.raises(ValueError, match="order of the games"):
        sums_of((games, seats.reverse()))


def test_large_values_do_not_overflow(rows):
    games, seats = rows
    rich = seats.with_columns(pl.lit(32_767, pl.Int16).alias("regions"))
    found = sums_of((games, rich))
    assert found.arrays["source"][:, SOURCES.index("regions")].sum() == 32_767 * len(seats)
    assert found.arrays["source_won"][:, 0].sum() == 32_767 * 60 * len(games)
