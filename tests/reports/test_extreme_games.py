"""Extreme games: the ones that a plain reading of all rows finds, whatever the batches."""

from __future__ import annotations

from statistics import quantiles

import polars as pl
import pytest
from toy_sweep import Truth, toy_plan, toy_rows

from ethnos_sim.experiments.plans.plan import Partition
from ethnos_sim.reports.evidence.extreme_games import CLOSEST, SAMPLE, TYPICAL, UPSET, ExtremeGames

Batch = tuple[Partition, pl.DataFrame, pl.DataFrame]


def batches(players: int = 4, rounds: int = 48) -> list[Batch]:
    plan = toy_plan(players=(players,), rounds=rounds)
    return [(cell.partition, *toy_rows(plan, cell, Truth(), 3)) for cell in plan.cells]


def gathered(parts: list[Batch]) -> dict[str, tuple[int, int]]:
    games = ExtremeGames()
    for part in parts:
        games.add(*part)
    return {game.kind: (game.cell, game.game) for game in games.found()}


def one_by_one(parts: list[Batch], last: int) -> list[dict]:
    """Every game with its numbers, read row by row."""
    found = []
    for _, games, seats in parts:
        sides: dict[tuple[int, int], list[dict]] = {}
        for row in seats.iter_rows(named=True):
            sides.setdefault((row["cell"], row["game"]), []).append(row)
        for row in games.iter_rows(named=True):
            own = sides[row["cell"], row["game"]]
            total = sorted((side["prestige"] for side in own), reverse=True)
            before = [side[f"prestige_{last - 1}"] for side in own]
            behind = [max(before) - b for b, s in zip(before, own, strict=True) if s["won"]]
            found.append(
                {
                    "name": (row["cell"], row["game"]),
                    "turns": row["turns"],
                    "margin": total[0] - total[1],
                    "prestige": sum(total),
                    "spread": total[0] - total[-1],
                    "deficit": max(behind),
                    "alone": len(behind) == 1,
                }
            )
    return found


@pytest.mark.parametrize(("players", "last"), [(2, 2), (3, 2), (4, 3), (6, 3)])
def test_they_are_the_games_that_a_reading_of_all_rows_finds(players: int, last: int) -> None:
    parts = batches(players)
    games = one_by_one(parts, last)
    alone = [game for game in games if game["alone"]]
    ranges = {}
    for column in ("turns", "margin", "prestige"):
        values = [game[column] for game in games]
        low, middle, high = quantiles(values, n=4, method="inclusive")
        ranges[column] = middle, max(high - low, 1)

    def strangeness(game: dict) -> float:
        return sum(abs(game[c] - middle) / width for c, (middle, width) in ranges.items())

    assert len(games) <= SAMPLE
    found = gathered(parts)
    assert found[UPSET] == min(alone, key=lambda g: (-g["deficit"], g["name"]))["name"]
    assert found[CLOSEST] == min(alone, key=lambda g: (g["spread"], g["name"]))["name"]
    nearest = {game["name"]: round(strangeness(game), 9) for game in games}
    assert found[TYPICAL] == min(nearest, key=lambda name: (nearest[name], name))


def test_they_depend_neither_on_batches_nor_on_their_order() -> None:
    whole = batches(rounds=1_400)
    cut = [
        (partition, games[at : at + 700], seats[4 * at : 4 * (at + 700)])
        for partition, games, seats in whole
        for at in range(0, len(games), 700)
    ]
    assert sum(len(games) for _, games, _ in whole) > 2 * SAMPLE
    assert gathered(whole) == gathered(cut) == gathered(cut[::-1])


def test_equal_games_go_to_the_lowest_folder_cell_and_game() -> None:
    partition, games, seats = batches()[0]
    same = pl.col("won", "prestige", "prestige_1", "prestige_2", "prestige_3")
    equal = seats.with_columns(same.first().over("seat"))
    equal = equal.with_columns(pl.when(pl.col("seat") == 2).then(60).otherwise(0).alias("won"))
    found = ExtremeGames()
    for folder in (1, 0):
        found.add(partition, games.with_columns(turns=70), equal, folder)
    assert {(game.folder, game.cell, game.game) for game in found.found()} == {(0, 0, 0)}
    assert {game.winner for game in found.found()} == {2}


def test_each_kind_of_table_has_its_own() -> None:
    parts = batches(3) + batches(5)
    games = ExtremeGames()
    for part in parts:
        games.add(*part)
    kinds = [(game.partition.players, game.kind) for game in games.found()]
    assert kinds == [(n, kind) for n in (3, 5) for kind in (UPSET, CLOSEST, TYPICAL)]


def test_shared_wins_are_neither_upset_nor_closest() -> None:
    partition, games, seats = batches()[0]
    shared = seats.with_columns(pl.lit(15).alias("won"))
    found = ExtremeGames()
    found.add(partition, games, shared)
    (game,) = found.found()
    assert game.kind == TYPICAL
    assert game.shared


def test_seats_in_another_order_are_refused() -> None:
    partition, games, seats = batches()[0]
    with pytest.raises(ValueError, match="order of the games"):
        ExtremeGames().add(partition, games, seats.reverse())


def test_nothing_is_found_in_no_games() -> None:
    partition, games, seats = batches()[0]
    found = ExtremeGames()
    found.add(partition, games.clear(), seats.clear())
    assert found.found() == ()
