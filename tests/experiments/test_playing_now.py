"""Playing in memory: the rows are those that a sweep stores, however they are cut."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ethnos_sim import open_results, sweep
from ethnos_sim.experiments import make_plan, parse_spec, play_now
from ethnos_sim.experiments.execution import engines
from ethnos_sim.experiments.plans.plan import Partition

RAW = {
    "games": 1200,
    "players": [2, 3],
    "clan_sets": {"sample": 2},
    "line_ups": [["greedy", "random"]],
}


def rows(plan, **options):
    """All rows of a plan played in memory, in order: its games, and their seats."""
    found: list[tuple[Partition, pl.DataFrame, pl.DataFrame]] = []
    play_now(plan, lambda *batch: found.append(batch), **options)
    games, seats = (pl.concat([batch[table] for batch in found]) for table in (1, 2))
    return games.sort("cell", "game"), seats.sort("cell", "game", "seat")


@pytest.fixture(scope="module")
def plan():
    return make_plan(parse_spec(RAW, "now"))


def test_the_rows_are_those_of_a_sweep(plan, tmp_path):
    sweep(plan, tmp_path / "swept", quiet=True)
    results = open_results(tmp_path / "swept")
    games, seats = rows(plan)
    stored = results.games().collect().sort("cell", "game")
    assert_frame_equal(
        games.select("cell", "game", "turns"), stored.select("cell", "game", "turns")
    )
    stored = results.seats().collect().sort("cell", "game", "seat")
    columns = ["cell", "game", "seat", "won", "prestige", "entry"]
    assert_frame_equal(seats.select(columns), stored.select(columns))


def test_neither_threads_nor_batches_change_the_rows(plan, monkeypatch):
    expected = rows(plan)
    monkeypatch.setattr(engines, "GAMES_AT_A_TIME", 50)
    for found, whole in zip(rows(plan, jobs=2), expected, strict=True):
        assert_frame_equal(found, whole)


def test_rounds_that_were_played_before_are_left_out(plan):
    before = {partition: count // 3 for partition, count in plan.rounds.items()}
    first, _ = rows(replace(plan, rounds=before))
    rest, _ = rows(plan, after=before)
    whole, _ = rows(plan)
    together = pl.concat([first, rest]).sort("cell", "game")
    assert_frame_equal(together, whole)


def test_nothing_is_played_twice(plan):
    played = []
    play_now(plan, lambda *batch: played.append(batch), after=dict(plan.rounds))
    assert played == []


def test_an_error_in_what_takes_the_rows_ends_the_playing(plan):
    def refuse(*_: object) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        play_now(plan, refuse, jobs=2)
