"""Sums: integers only, the same however rows are cut and ordered."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from toy_sweep import Truth, toy_plan, toy_rows

from ethnos_sim.experiments import BLOCKS, PRESTIGE_SOURCES
from ethnos_sim.reports.evidence.sums import (
    LENGTHENED,
    PARTS,
    SOURCES,
    Sums,
    added,
    merged,
    sums_by_cell,
)

PLAN = toy_plan(players=(4,), rounds=40)
CLANS = PLAN.rules("second").clans
CLANS_OF = {cell.number: cell.clans for cell in PLAN.cells}


@pytest.fixture(scope="module")
def rows() -> tuple[pl.DataFrame, pl.DataFrame]:
    parts = [toy_rows(PLAN, cell, Truth(), 3) for cell in PLAN.cells]
    return pl.concat([games for games, _ in parts]), pl.concat([seats for _, seats in parts])


@pytest.fixture(scope="module")
def sums(rows) -> Sums:
    return Sums.of_cells(sums_by_cell(*rows, CLANS, 4), CLANS_OF, CLANS, 4)


def test_every_sum_is_int64_and_blocks_come_first(sums):
    for name, array in sums.arrays.items():
        assert array.dtype == np.int64, name
        assert array.shape[0] == BLOCKS, name


def test_every_game_is_won_once(sums, rows):
    games = len(rows[0])
    assert sums.games == games
    for places in ("turn_won", "chair_won", "entry_won"):
        assert sums.arrays[places].sum() == 60 * games


def test_deals_go_into_blocks_by_their_number(sums, rows):
    for block in (0, 7, 31):
        expected = rows[0].filter(pl.col("deal") % BLOCKS == block).height
        assert sums.sizes[block] == expected


def test_sums_do_not_depend_on_batches_nor_on_their_order(rows, sums):
    games, seats = rows
    cuts = [games.filter(pl.col("game") % 3 == part) for part in (2, 0, 1)]
    parts = [
        sums_by_cell(
            cut,
            seats.join(cut, on=["cell", "game"], how="semi", maintain_order="left"),
            CLANS,
            4,
        )
        for cut in cuts
    ]
    again = Sums.of_cells(added([added(parts[:2]), parts[2]]), CLANS_OF, CLANS, 4)
    for name, array in sums.arrays.items():
        assert np.array_equal(array, again.arrays[name]), name


def test_cells_add_up(rows, sums):
    by_cell = sums_by_cell(*rows, CLANS, 4)
    apart = [Sums.of_cells(by_cell, {n: c}, CLANS, 4) for n, c in CLANS_OF.items()]
    together = merged(apart)
    for name, array in sums.arrays.items():
        assert np.array_equal(array, together.arrays[name]), name


def test_sums_of_different_tables_are_not_added(sums):
    with pytest.raises(ValueError, match="player counts"):
        sums.plus(replace(sums, players=5))


def test_seats_that_do_not_follow_their_games_are_refused(rows):
    games, seats = rows
    with pytest.raises(ValueError, match="order of the games"):
        sums_by_cell(games, seats.reverse(), CLANS, 4)


def test_only_games_with_the_clan_in_play_count_for_it(rows, sums):
    games, seats = rows
    for index, clan in enumerate(CLANS):
        cells = [number for number, clans in CLANS_OF.items() if clan in clans]
        mine = seats.filter(pl.col("cell").is_in(cells))
        assert (
            sums.arrays["in_games"][:, index].sum()
            == games.filter(pl.col("cell").is_in(cells)).height
        )
        assert sums.arrays["in_parties"][:, index].sum() == mine["parties"].sum()


def test_sources_are_all_columns_that_add_up_to_prestige():
    assert sorted(SOURCES) == sorted(PRESTIGE_SOURCES)


def test_large_values_do_not_overflow(rows):
    games, seats = rows
    rich = seats.with_columns(pl.lit(32_767, pl.Int16).alias("regions"))
    found = Sums.of_cells(sums_by_cell(games, rich, CLANS, 4), CLANS_OF, CLANS, 4)
    assert found.arrays["source"][:, SOURCES.index("regions")].sum() == 32_767 * len(seats)
    assert found.arrays["source_won"][:, 0].sum() == 32_767 * 60 * len(games)


def test_luck_is_what_was_drawn_beyond_the_mean_in_parts_of_a_card(rows):
    games, seats = rows
    draws = Fraction(601, 4)
    summed = pl.col("parties", "prestige").cast(pl.Int64).sum()
    of_seats = seats.group_by("cell", "game").agg(summed)
    both = games.join(of_seats, on=["cell", "game"], maintain_order="left")
    drawn = both.select(pl.sum_horizontal(pl.col("^drawn_.$").cast(pl.Int64))).to_series()
    luck = PARTS * drawn.to_numpy() - int(PARTS * draws)
    found = Sums.of_cells(sums_by_cell(*rows, CLANS, 4), CLANS_OF, CLANS, 4, draws).arrays
    for name in LENGTHENED:
        assert found[f"luck_{name}"].sum() == (luck * both[name].cast(pl.Int64).to_numpy()).sum()
    assert found["luck"].sum() == luck.sum()
    assert found["luck_squared"].sum() == (luck**2).sum()
