"""Playing a plan: the results depend only on the plan, not on interruptions or shard sizes."""

import polars as pl
import pytest
from inside import module_with
from inside.experiments import Partition, Threads, missing_shards, play_in_memory, prepare_plan
from inside.experiments.execution import StopRequested, play_shard
from polars.testing import assert_frame_equal
from seated import play_seats
from sweeps import assert_same_rows, rows_of

from ethnos_sim import open_results, sweep
from ethnos_sim.strategies import LineUp

engines = module_with("experiments.execution", "Threads")
playing = module_with("experiments.execution", "play_shard")


#: Fields of the kernel's rows that the tables split or name otherwise.
OTHER_NAMES = {"drawn", "last_dragon", "after_age", "led", "columns", "gave_up", "gave_up_age"}


def test_the_rows_equal_the_games_of_the_kernel(swept) -> None:
    """A cell that is played alone, in one batch, has the rows that the sweep wrote for it."""
    tables = rows_of(swept.folder)
    for cell in swept.plan.cells[::5]:
        part, rules = cell.partition, swept.plan.rules_of(cell.partition)
        line_up = LineUp.parse(cell.line_up, part.players, rules)
        deals = swept.plan.rounds[part] * cell.deals_per_round
        batch = play_seats(
            rules, line_up.seats(), part.players, "standard", cell.clans, seed=7, deals=deals
        )
        seats, games = (tables[name].filter(cell=cell.number) for name in ("seats", "games"))
        for table, rows in ((games, batch.games), (seats, batch.seats)):
            for name in {*rows.dtype.names} - OTHER_NAMES:
                assert name in table, f"give '{name}' a type in experiments/storage/tables.py"
                assert table[name].to_list() == rows[name].ravel().tolist(), name
        for age in range(3):
            for name in ("drawn", "last_dragon"):
                assert games[f"{name}_{age + 1}"].to_list() == batch.games[name][:, age].tolist()
            after = batch.seats["after_age"][:, :, age].ravel()
            assert seats[f"prestige_{age + 1}"].to_list() == after.tolist()
        assert seats["seat"].to_list() == [*range(part.players)] * len(games)
        for clan in cell.clans:
            led = batch.seats["led"][:, :, batch.table.slots.index(clan)]
            assert seats[f"led_{clan}"].to_list() == led.ravel().tolist()
        assert not any(seats[f"led_{clan}"].sum() for clan in {*rules.clans} - {*cell.clans})


def test_the_results_do_not_depend_on_threads_shard_size_or_batches(swept, tmp_path, monkeypatch):
    monkeypatch.setattr(playing, "MOST_GAMES_PER_BATCH", 3)
    sweep(swept.plan.with_shard_games(40), tmp_path, jobs=1, quiet=True)
    assert len(open_results(tmp_path).records) > len(open_results(swept.folder).records)
    assert_same_rows(tmp_path, swept.folder)


def test_a_sweep_enlarged_twice_has_the_rows_of_one_large_sweep(swept, tmp_path) -> None:
    for games in (24, 200, swept.plan.games):
        sweep(swept.plan.with_total_games(games), tmp_path, jobs=2, quiet=True)
    assert_same_rows(tmp_path, swept.folder)


def test_playing_stops_between_two_batches(swept, monkeypatch) -> None:
    monkeypatch.setattr(playing, "MOST_GAMES_PER_BATCH", 1)
    shard = missing_shards(swept.plan, [])[0]
    calls: list[int] = []
    with pytest.raises(StopRequested):
        play_shard(
            swept.plan,
            prepare_plan(swept.plan),
            shard,
            on_games=calls.append,
            is_stopping=lambda: len(calls) == 2,
        )
    assert len(calls) == 2


@pytest.mark.parametrize(("jobs", "at_a_time"), [(1, 12_000), (2, 50)])
def test_rows_in_memory_equal_the_rows_of_a_sweep_whatever_the_threads_and_batches(
    swept, monkeypatch, jobs, at_a_time
) -> None:
    monkeypatch.setattr(engines, "GAMES_AT_A_TIME", at_a_time)
    batches: list[tuple[Partition, pl.DataFrame, pl.DataFrame]] = []
    plan, engine = swept.plan, Threads(jobs)
    tables = prepare_plan(plan)
    play_in_memory(plan, lambda *batch: batches.append(batch), tables=tables, engine=engine)
    for table, stored in zip((1, 2), rows_of(swept.folder).values(), strict=True):
        rows = pl.concat([batch[table] for batch in batches], how="diagonal")
        keys = [key for key in ("cell", "game", "seat") if key in rows.columns]
        assert_frame_equal(rows.sort(keys), stored, check_column_order=False)


def test_an_error_in_the_consumer_of_rows_ends_the_playing(small_plan) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        play_in_memory(small_plan, refuse, tables=prepare_plan(small_plan), engine=Threads(2))
