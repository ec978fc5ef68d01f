"""Results: small tables for exactly the finished shards, with descriptions of the cells."""

import pandas as pd
import polars as pl
import pytest
from sweeps import plan_of

from ethnos_sim import Results, open_results, sweep
from ethnos_sim.simulator import Failed, WrongInput


def test_a_complete_sweep_has_a_row_a_game_and_a_row_a_seat(swept) -> None:
    assert swept.complete
    assert swept.games().collect().height == swept.games_held == swept.plan.games
    seats = swept.seats().group_by("cell").len().collect()
    players = dict(swept.cells.select("cell", "players").iter_rows())
    games = dict(swept.cells.select("cell", "games").iter_rows())
    assert dict(seats.iter_rows()) == {cell: players[cell] * games[cell] for cell in games}


def test_seats_are_joined_with_the_strategy_of_their_entry(swept) -> None:
    rows = swept.with_cells(swept.seats()).collect()
    assert rows.height == swept.seats().collect().height
    for row in rows.sample(50, seed=1).iter_rows(named=True):
        cell = swept.plan.cells[row["cell"]]
        assert row["strategy"] == cell.line_up[row["entry"]]
        assert row["players"] == cell.partition.players


def test_results_can_be_selected_by_edition_and_players(swept) -> None:
    seats = swept.with_cells(swept.seats(edition="first", players=2)).collect()
    assert set(seats["edition"]) == {"first"}
    assert set(seats["players"]) == {2}
    assert "led_orc" in seats.columns
    assert "led_bear" not in seats.columns


def test_over_both_editions_the_clans_of_the_other_are_null(swept) -> None:
    rows = swept.with_cells(swept.seats()).collect()
    second = rows.filter(pl.col("edition") == "second")
    assert second["led_orc"].null_count() == second.height
    assert second["led_bear"].null_count() == 0


def test_a_selection_without_finished_games_is_refused(swept) -> None:
    with pytest.raises(WrongInput, match="no finished game of edition first, 6 players"):
        swept.games(edition="first", players=6)


def test_a_file_that_disappears_while_results_are_open_is_named(copy) -> None:
    results = open_results(copy)
    lost = copy / results.records[0].path("seats")
    lost.unlink()
    with pytest.raises(Failed, match=lost.name):
        results.seats()


def test_a_folder_name_may_have_any_characters(small_spec, tmp_path) -> None:
    plan = plan_of({**small_spec, "games": 24})
    folder = tmp_path / "a [b]* {c} ü=1"
    sweep(plan, folder, jobs=1, quiet=True)
    assert open_results(folder).games().collect().height == plan.games


@pytest.fixture(scope="module")
def all_kinds(results_of) -> Results:
    """A sweep over both editions and solo, with games in which every seat gives up a clan."""
    spec = {
        "name": "All kinds",
        "games": 4000,
        "editions": ["second", "first"],
        "modes": ["standard", "solo-hard"],
        "players": [1, 4],
        "clan_sets": {"sample": 2},
        "line_ups": [
            {"strategies": ["greedy"]},
            {"strategies": ["greedy"], "players": [4], "gives_up": True},
        ],
    }
    return results_of(spec)


def test_results_have_only_ordinary_play_by_default(all_kinds) -> None:
    seats = all_kinds.with_cells(all_kinds.seats(players=4)).collect()
    assert set(seats["kind"]) == {"ordinary"}
    mixed = all_kinds.with_cells(all_kinds.seats(players=4, kind=None)).collect()
    assert set(mixed["kind"]) == {"ordinary", "gives_up"}
    assert all_kinds.games(kind=None).collect().height == all_kinds.games_held


def test_a_kind_that_was_not_played_is_refused_with_the_kinds_played(swept) -> None:
    with pytest.raises(WrongInput, match="no finished game of the kind gives_up, only ordinary"):
        swept.seats(kind="gives_up")


@pytest.mark.parametrize("table", ["games", "seats"])
def test_all_files_of_a_folder_have_one_schema_and_are_read_without_options(all_kinds, table):
    files = sorted((all_kinds.folder / table).rglob("*.parquet"))
    assert len({str(pl.read_parquet_schema(path)) for path in files}) == 1
    rows = (all_kinds.seats if table == "seats" else all_kinds.games)(kind=None).collect().height
    scanned = pl.scan_parquet(all_kinds.folder / table).collect()
    assert scanned.height == pd.read_parquet(all_kinds.folder / table).shape[0] == rows
    assert {"edition", "players", "mode"} < set(scanned.columns)


def test_rows_can_be_joined_with_cells_and_entries_without_this_program(all_kinds) -> None:
    seats = pl.scan_parquet(all_kinds.folder / "seats").drop("edition", "players", "mode")
    entries = pl.scan_parquet(all_kinds.folder / "entries.parquet")
    cells = pl.scan_parquet(all_kinds.folder / "cells.parquet")
    joined = seats.join(entries, on=["cell", "entry"]).join(cells, on="cell")
    ours = all_kinds.with_cells(all_kinds.seats(kind=None)).collect()
    keys = ["cell", "game", "seat"]
    assert joined.sort(keys).collect().select(ours.columns).equals(ours.sort(keys))
