"""Estimates from sums equal the results of plain loops over rows."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from inside.experiments import BLOCKS, Sums
from inside.experiments.evidence import EARLY_AGES, PRESTIGE_SOURCES, luck_sums, shuffled_wins
from inside.reports import ESTIMANDS
from inside.reports.estimators import (
    GAME_SHAPE,
    LEADER_ADVANTAGE,
    LEADER_SHUFFLED,
    PRESTIGE_SOURCE,
    SEAT_EDGE,
    STRATEGY_SHARE,
    WIN_LIFT,
)
from toy_sweep import Truth, evidence_of, toy_plan, toy_tables

WILD = "dog"
Row = dict[str, Any]


def won(row: Row) -> Fraction:
    """The seat's share of the win."""
    return Fraction(row["won"], 60)


def lost(row: Row) -> Fraction:
    """One minus the seat's share of the win."""
    return 1 - won(row)


def usage(rows: list[Row], clan: str) -> Fraction:
    """The share of all parties that the clan leads."""
    return Fraction(sum(row[f"led_{clan}"] for row in rows), sum(row["parties"] for row in rows))


def win_lift(rows: list[Row], clan: str) -> Fraction:
    """Win lift, party by party: n x P(win | led by the clan) - n x P(win | any party)."""
    led, anything = [], []
    for row in rows:
        led += [won(row)] * row[f"led_{clan}"]
        anything += [won(row)] * row["parties"]
    return row["players"] * (Fraction(sum(led), len(led)) - Fraction(sum(anything), len(anything)))


class Played:
    """A small toy sweep at one player count, as rows and as sums."""

    def __init__(self, players: int) -> None:
        self.players = players
        plan = toy_plan(players=(players,), line_ups=(("alpha", "beta", "beta"),), rounds=30)
        self.clans = plan.rules_of(plan.cells[0].partition).clans
        self.clans_of = {cell.number: cell.clans for cell in plan.cells}
        truth = Truth(skill={"beta": 0.5}, shared=0.2)
        parts = [toy_tables(plan, cell, truth, 5) for cell in plan.cells]
        self.games = [row for games, _ in parts for row in games.to_dicts()]
        first = {(game["cell"], game["game"]): game["first_player"] for game in self.games}
        self.rows = [
            row | {"first_player": first[row["cell"], row["game"]], "players": players}
            for _, seats in parts
            for row in seats.to_dicts()
        ]
        self.line_up = plan.cells[0].line_up
        evidence = evidence_of(plan, *parts)
        (sums,) = evidence.ordinary_sums.values()
        (self.by_line_up,) = evidence.line_up_sums.values()
        # Plain means, without control variates.
        self.sums = replace(sums, arrays={**sums.arrays, **luck_sums(sums.arrays, None)})

    @property
    def by_game(self) -> list[list[Row]]:
        """The rows of each game."""
        games: dict[tuple[int, int], list[Row]] = {}
        for row in self.rows:
            games.setdefault((row["cell"], row["game"]), []).append(row)
        return list(games.values())

    def with_clan(self, clan: str) -> list[Row]:
        return [row for row in self.rows if clan in self.clans_of[row["cell"]]]

    @property
    def leading_clans(self) -> list[str]:
        used = {clan for clans in self.clans_of.values() for clan in clans}
        return sorted(used - {WILD})


@pytest.fixture(scope="module", params=[2, 3, 4, 6])
def played(request) -> Played:
    return Played(request.param)


def _values(measured) -> dict[str, float | None]:
    return {estimate.name: estimate.value for estimate in measured.estimates()}


def ahead(rows: list[Row], age: int) -> list[Row]:
    """The seats of a game with the most prestige after an age."""
    most = max(row[f"prestige_{age}"] for row in rows)
    return [row for row in rows if row[f"prestige_{age}"] == most]


@pytest.mark.parametrize("estimand", [usage, win_lift])
def test_estimates_of_a_clan_equal_loops_over_the_rows(played, estimand):
    values = _values(ESTIMANDS[estimand.__name__].estimate(played.sums, "toy"))
    for clan in played.leading_clans:
        expected = estimand(played.with_clan(clan), clan)
        assert values[clan] == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


def test_a_clan_that_never_leads_has_no_win_lift(played):
    estimates = {e.name: e for e in WIN_LIFT.estimate(played.sums, "toy").estimates()}
    assert estimates[WILD].value is None
    assert estimates[WILD].low is None


def test_seat_edge_numbers_seats_from_the_first_player(played):
    edges = SEAT_EDGE.estimate(played.sums, "toy").estimates(4)
    for place, estimate in enumerate(edges):
        rows = [
            row
            for row in played.rows
            if (row["seat"] - row["first_player"]) % played.players == place
        ]
        expected = sum(map(won, rows)) / len(rows) - Fraction(1, played.players)
        assert estimate.value == pytest.approx(float(expected), abs=1e-12)
    assert sum(estimate.value for estimate in edges) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("side", ["winners", "losers"])
def test_prestige_by_source_is_a_weighted_mean(played, side):
    weight = won if side == "winners" else lost
    values = _values(PRESTIGE_SOURCE.estimate(played.sums, "toy").rows_where(aspect=side))
    total = Fraction(0)
    for source in PRESTIGE_SOURCES:
        expected = sum(weight(r) * r[source] for r in played.rows) / sum(map(weight, played.rows))
        assert values[source] == pytest.approx(float(expected), rel=1e-12)
        total += expected
    assert values["total"] == pytest.approx(float(total), rel=1e-12)


def test_a_strategy_in_several_seats_has_the_average_of_a_seat(played):
    values = _values(STRATEGY_SHARE.estimate(played.by_line_up, "toy"))
    for name in ("alpha", "beta"):
        rows = [row for row in played.rows if played.line_up[row["entry"]] == name]
        assert values[name] == pytest.approx(float(sum(map(won, rows)) / len(rows)), rel=1e-12)


def shape_from_rows(played: Played) -> dict[str, float | Fraction]:
    """Every number of the shape of a game, by loops over rows."""
    ages = 2 if played.players <= 3 else 3
    rows, games = played.rows, played.games
    parties = sum(row["parties"] for row in rows)
    totals = [[row["prestige"] for row in seats] for seats in played.by_game]
    changes, behind = 0, []
    for seats in played.by_game:
        leaders = [{row["seat"] for row in ahead(seats, age)} for age in range(1, ages + 1)]
        changes += sum(not before & after for before, after in pairwise(leaders))
        most = max(row[f"prestige_{ages - 1}"] for row in seats)
        behind += [row for row in seats if most - row[f"prestige_{ages - 1}"] >= 6]
    numbers = {
        "turns": np.mean([game["turns"] for game in games]),
        "parties": parties / len(rows),
        "cards_in_party": sum(row["cards"] for row in rows) / parties,
        "lead_changes": changes / len(games),
        "mean_prestige": np.mean(totals),
        "prestige_spread": np.mean([np.var(scores, ddof=1) for scores in totals]) ** 0.5,
        "margin": np.mean([sorted(scores)[-1] - sorted(scores)[-2] for scores in totals]),
        "shared_wins": np.mean([game["winners"] > 1 for game in games]),
        "comeback": sum(map(won, behind)) / len(behind),
    }
    for age in range(1, ages):
        led = [row for seats in played.by_game for row in ahead(seats, age)]
        numbers[f"leader_after_age_{age}"] = sum(map(won, led)) / len(led)
    return numbers


def test_every_number_of_the_shape_of_a_game_equals_loops_over_the_rows(played):
    estimates, expected = GAME_SHAPE.estimate(played.sums, "toy"), shape_from_rows(played)
    values = _values(estimates)
    assert values.keys() == expected.keys(), "compute each number in `shape_from_rows` as well"
    for name, value in expected.items():
        assert values[name] == pytest.approx(float(value), rel=1e-12), name


GAMES = 500
"""The number of games in a block."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shuffled_wins_counts_every_order_of_the_gains_once(players) -> None:
    dice = np.random.default_rng(players)
    before = dice.integers(0, 6, (40, players))
    gains = dice.integers(0, 6, (40, players))
    expected = []
    for start, gained in zip(before, gains, strict=True):
        won = 0
        for order in permutations(gained):
            ends = start + np.asarray(order)
            best = ends == ends.max()
            won += (60 // best.sum()) * (best & (start == start.max())).sum()
        expected.append(won)
    assert shuffled_wins(before.T, (before + gains).T).tolist() == expected


def last_age_sums(pull: float, seed: int) -> Sums:
    """Sums of three-player games whose last age adds luck and `pull` times the earlier points."""
    dice = np.random.default_rng(seed)
    before = dice.integers(0, 40, (BLOCKS * GAMES, 3))
    total = before + dice.integers(0, 40, before.shape) + np.rint(pull * before).astype(np.int64)
    leads = before == before.max(axis=1, keepdims=True)
    best = total == total.max(axis=1, keepdims=True)
    won = (leads & best).sum(axis=1) * 60 // best.sum(axis=1)
    rows = {
        "games": np.ones(len(before), np.int64),
        "leaders": leads.sum(axis=1),
        "leaders_won": won,
        "leaders_shuffled": shuffled_wins(before.T, total.T),
    }
    arrays = {name: row.reshape(BLOCKS, GAMES).sum(axis=1) for name, row in rows.items()}
    by_age = {name: np.stack([arrays[name]] * 3, axis=1) for name in ("leaders", "leaders_won")}
    drawn = np.ones((BLOCKS, EARLY_AGES + 1), np.int64)
    return Sums((), 3, {**arrays, **by_age, "drawn": drawn})


def test_leaders_have_no_advantage_if_the_last_age_is_a_lottery() -> None:
    """At least 51 of 60 intervals of 95 % hold 0; sound intervals fail this in 0.1 % of cases."""
    advantages = [
        LEADER_ADVANTAGE.estimate(last_age_sums(0, n), "toy").estimates()[0] for n in range(60)
    ]
    assert sum(e.low <= 0 <= e.high for e in advantages) >= 51
    (shuffled,) = LEADER_SHUFFLED.estimate(last_age_sums(0, 0), "toy").estimates()
    assert shuffled.value > 0.5, "the lead alone wins more than a fair share"


@pytest.mark.parametrize(("pull", "side"), [(0.3, 1), (-0.3, -1)])
def test_leaders_that_pull_away_or_fall_back_are_found(pull, side) -> None:
    (estimate,) = LEADER_ADVANTAGE.estimate(last_age_sums(pull, 1), "toy").estimates()
    assert min(side * estimate.low, side * estimate.high) > 0.01


PLAN = toy_plan(players=(4,), rounds=40)


@pytest.fixture(scope="module")
def rows() -> tuple[pl.DataFrame, pl.DataFrame]:
    parts = [toy_tables(PLAN, cell, Truth(), 3) for cell in PLAN.cells]
    return pl.concat([games for games, _ in parts]), pl.concat([seats for _, seats in parts])


@pytest.fixture(scope="module")
def sums(rows) -> Sums:
    return sums_of(rows)


def sums_of(*batches: tuple[pl.DataFrame, pl.DataFrame]) -> Sums:
    (sums,) = evidence_of(PLAN, *batches).ordinary_sums.values()
    return sums


def test_sums_do_not_depend_on_batches_or_on_their_order(rows, sums):
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
        sums + replace(sums, players=5)


def test_seats_in_another_order_than_their_games_are_refused(rows):
    games, seats = rows
    with pytest.raises(ValueError, match="order of the games"):
        sums_of((games, seats.reverse()))


def test_large_values_do_not_overflow(rows):
    games, seats = rows
    rich = seats.with_columns(pl.lit(32_767, pl.Int16).alias("regions"))
    sums = sums_of((games, rich))
    assert sums.arrays["source"][:, PRESTIGE_SOURCES.index("regions")].sum() == 32_767 * len(seats)
    assert sums.arrays["source_won"][:, 0].sum() == 32_767 * 60 * len(games)
