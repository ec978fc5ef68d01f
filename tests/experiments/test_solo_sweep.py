"""Solo cells in sweeps: combinations that make a game, Bruno's rows and columns, and replay."""

import polars as pl
import pytest
from inside.experiments import verify_folder
from inside.experiments.storage import BRUNO_NAME, bruno_column
from sweeps import plan_of

from ethnos_sim import Results
from ethnos_sim.simulator import SOLO, SOLO_CLANS, load_rules

RULES = load_rules("second")
FIRED = [bruno_column(color) for color in RULES.colors]

SOLO_SPEC = {
    "name": "Solo",
    "seed": 3,
    "games": 180,
    "modes": list(SOLO),
    "players": [1],
    "line_ups": [["greedy"], ["random"]],
}
MIXED_SPEC = {
    **SOLO_SPEC,
    "games": 120,
    "editions": ["first", "second"],
    "modes": ["standard", "solo-hard"],
    "players": [1, 4],
    "clan_sets": {"sample": 1},
}


@pytest.fixture(scope="module")
def solo(results_of) -> Results:
    """Solo games at three difficulties with two strategies."""
    return results_of(SOLO_SPEC)


def test_a_solo_cell_is_a_difficulty_and_a_strategy() -> None:
    plan = plan_of(SOLO_SPEC)
    assert [(cell.partition.mode, cell.line_up) for cell in plan.cells] == [
        (mode, (name,)) for mode in SOLO for name in ("greedy", "random")
    ]
    assert {cell.clans for cell in plan.cells} == {SOLO_CLANS}
    assert plan.games == SOLO_SPEC["games"]


def test_one_player_plays_solo_and_several_play_the_other_modes() -> None:
    partitions = {
        (place.edition, place.players, place.mode) for place in plan_of(MIXED_SPEC).cells_of
    }
    assert partitions == {
        ("first", 4, "standard"),
        ("second", 4, "standard"),
        ("second", 1, "solo-hard"),
    }


def test_every_solo_game_has_a_row_for_the_player_and_one_for_bruno(solo) -> None:
    seats = solo.with_cells(solo.seats()).collect()
    assert seats.height == 2 * solo.games_held
    assert seats.filter(pl.col("seat") != pl.col("entry")).is_empty()
    assert set(seats.filter(pl.col("entry") == 1)["strategy"]) == {BRUNO_NAME}
    assert set(seats.filter(pl.col("entry") == 0)["strategy"]) == {"greedy", "random"}
    won = seats.group_by("cell", "game").agg(pl.col("won").cast(pl.Int64).sum())
    assert set(won["won"]) == {60}


def test_brunos_columns_are_his_parties_and_the_player_has_none(solo) -> None:
    seats = solo.seats().with_columns(fired=pl.sum_horizontal(FIRED)).collect()
    player, bruno = (seats.filter(pl.col("seat") == seat) for seat in (0, 1))
    assert player["fired"].sum() == 0
    assert (bruno["fired"] == bruno["parties"]).all()
    assert bruno["fired"].min() > 0
    led = bruno.select(pl.sum_horizontal(f"led_{clan}" for clan in SOLO_CLANS)).to_series()
    assert (led == bruno["parties"]).all()


def test_solo_and_other_games_lie_in_one_folder(results_of) -> None:
    results = results_of(MIXED_SPEC)
    seats = results.with_cells(results.seats()).collect()
    is_solo = pl.col("players") == 1
    assert seats.filter(~is_solo).select(FIRED).null_count().row(0) == (
        seats.filter(~is_solo).height,
    ) * len(FIRED)
    assert seats.filter(is_solo).select(FIRED).null_count().row(0) == (0,) * len(FIRED)
    assert BRUNO_NAME not in set(seats.filter(~is_solo)["strategy"])
    assert verify_folder(results.folder).faults == ()
