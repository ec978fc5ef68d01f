"""Sweeps in which every seat gives up a clan: their cells, their rows and what clans are worth."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from inside.experiments import plan_text, read_plan, verify_folder
from inside.reports import numbers
from sweeps import plan_of
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim import Results, estimate
from ethnos_sim.simulator import load_rules

GIVES_UP = {"strategies": ["greedy", "random"], "gives_up": True}
BY_AGE = GIVES_UP | {"by_age": True}


def test_a_table_has_one_cell_for_each_clan_set_and_line_up(small_spec) -> None:
    line_ups = [{"strategies": ["greedy", "random"]}, GIVES_UP, BY_AGE]
    plan = plan_of(small_spec | {"line_ups": line_ups})
    for cells in plan.cells_of.values():
        kinds = Counter((cell.clans, cell.kind) for cell in cells)
        assert set(kinds.values()) == {1}
        assert {kind for _, kind in kinds} == {"ordinary", "gives_up", "gives_up_by_age"}
    assert all(cell.rotations > 1 for cell in plan.cells), "each strategy gives up each clan"
    assert read_plan(plan_text(plan)) == plan


@pytest.fixture(scope="module")
def played(results_of) -> Results:
    """A small sweep of all kinds of games, with a wild clan in play."""
    raw = {
        "editions": ["second"],
        "players": [3, 4, 6],
        "clan_sets": {"sample": 4},
        "games": 8_000,
        "line_ups": [{"strategies": ["greedy", "random"]}, GIVES_UP, BY_AGE],
    }
    return results_of(raw)


def test_rows_name_the_clan_that_a_seat_gave_up_and_its_age(played) -> None:
    assert not verify_folder(played.folder).faults
    ordinary, whole, by_age = (
        played.seats(kind=kind).select("gave_up", "gave_up_age").collect()
        for kind in ("ordinary", "gives_up", "gives_up_by_age")
    )
    assert ordinary.null_count().row(0) == (len(ordinary), len(ordinary))
    assert whole.null_count().row(0) == (0, len(whole))
    assert by_age.null_count().row(0) == (0, 0)
    leaders = set(load_rules("second").clans) - {"dog"}
    assert set(whole["gave_up"].unique()) <= leaders
    assert set(by_age["gave_up_age"].unique()) == {1, 2, 3}


@pytest.mark.parametrize("estimand", ["worth", "worth_by_age"])
def test_worths_weighted_by_the_seats_that_gave_clans_up_add_up_to_nothing(played, estimand):
    worths = estimate(played, estimand)
    tables = worths.group_by("players", "aspect").agg(
        total=(pl.col("value") * pl.col("games")).sum(), games=pl.col("games").sum()
    )
    assert len(tables) == (3 if estimand == "worth" else 8)
    np.testing.assert_allclose(tables["total"] / tables["games"], 0, atol=1e-15)


def test_worth_is_a_fair_share_less_the_share_won_by_those_who_gave_the_clan_up(played) -> None:
    seats = played.seats(kind="gives_up", players=4).collect()
    won = seats.group_by("gave_up").agg(won=pl.col("won").mean() / 60, seats=pl.len())
    worths = estimate(played, "worth", players=4).sort("name")
    told = won.sort("gave_up")
    np.testing.assert_allclose(worths["value"], 0.25 - told["won"], atol=1e-12)
    assert worths["games"].to_list() == told["seats"].to_list()


DECK = ("bear", "deer", "fox", "koi", "owl", "raven")
PLAN = toy_plan(clan_sets=[DECK], rounds=256, kinds=["gives_up"])


@pytest.mark.long
def test_intervals_hold_for_all_clans_at_once_in_95_of_100_tables() -> None:
    """Two strategies of different strength meet, and no clan matters; the limit errs in 0.1 %."""
    truth = Truth(deal_luck=1.5, skill={"beta": 0.8})
    held = []
    for seed in range(100):
        worths = numbers(toy_evidence(PLAN, truth, seed), "worth")
        low, high = worths.interval(len(worths))
        held.append(((low <= 0) & (high >= 0)).all())
    assert np.mean(held) >= 0.95 - 3.1 * np.sqrt(0.05 * 0.95 / 100)


@pytest.mark.parametrize(
    ("truth", "strong", "weak"),
    [
        (Truth(effects={"bear": 0.4, "owl": -0.4}, skill={"beta": 0.8}), "bear", "owl"),
        # Whoever is ahead leads with the bear, which costs games: a win rate would call it strong.
        (Truth(effects={"bear": -0.4}, ahead={"bear": 0.8}), None, "bear"),
    ],
)
def test_a_planted_effect_is_found_with_its_sign(truth, strong, weak) -> None:
    worths = numbers(toy_evidence(PLAN, truth, seed=1), "worth")
    low, high = worths.interval(len(worths))
    ends = dict(zip(worths.names, zip(low, high, strict=True), strict=True))
    assert ends[weak][1] < 0
    assert strong is None or ends[strong][0] > 0
