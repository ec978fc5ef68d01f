"""Restricted play where every seat gives up a clan: the same number as by one seat, from less."""

from __future__ import annotations

import numpy as np
import pytest
from toy_companies import one_seat_arrays
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.experiments.designs.interventions import RESTRICTED, every_seat_line_ups
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.relative_power import relative_power
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.evidence.intervention_sums import alone, games_by_clan
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.strategies import LineUp

CLANS = 6
WORTH = np.array([0.09, 0.05, 0.03, 0.0, -0.02, -0.06])


def every_seat_arrays(players: int, free: bool) -> dict[str, np.ndarray]:
    """Games of a cycle over all clans, and what seats win if effects add up exactly."""
    cycle = [*range(CLANS), *[None] * free]
    won, together = np.zeros(CLANS), np.zeros((CLANS, CLANS), np.int64)
    for shift in range(len(cycle)):
        told = [cycle[(seat + shift) % len(cycle)] for seat in range(players)]
        given_up = [clan for clan in told if clan is not None]
        for clan in given_up:
            others = sum(WORTH[other] for other in given_up if other != clan)
            won[clan] += 6000 * (1 / players - WORTH[clan] + others / (players - 1))
            together[clan, given_up] += 6000
    return {"won": np.rint(60 * won).astype(np.int64), "together": together}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_what_one_seat_would_lose_is_found_where_all_give_something_up(players: int) -> None:
    share, _ = alone(every_seat_arrays(players, free=True), players)
    assert 1 / players - share == pytest.approx(WORTH, abs=1e-5)


@pytest.mark.parametrize("players", [2, 4])
def test_without_a_free_seat_differences_between_clans_are_found(players: int) -> None:
    share, _ = alone(every_seat_arrays(players, free=False), players)
    assert 1 / players - share == pytest.approx(WORTH - WORTH.mean(), abs=1e-5)


def test_of_one_restricted_seat_it_is_the_fair_share_less_what_that_seat_won() -> None:
    games = np.array([400, 800, 0])
    won = 60 * np.array([60, 210, 0])
    share, known = alone(one_seat_arrays(games, won), 4)
    assert share[:2] == pytest.approx([0.15, 0.2625], abs=1e-12)
    assert np.isnan(share[2])
    assert known[:2] == pytest.approx([1 / 400, 1 / 800])


def test_games_are_counted_clan_by_clan() -> None:
    arrays = every_seat_arrays(4, free=True)
    assert games_by_clan(arrays).tolist() == [4 * 6000] * CLANS


DECK = ("bear", "deer", "fox", "koi", "owl", "raven")
PLANTED = Truth(effects={"bear": 0.3, "fox": 0.15, "owl": -0.3})


def measured(line_ups: list[tuple[str, ...]], rounds: int) -> Measure:
    """Restricted play of the planted clans at tables of four, by a design of line-ups."""
    plan = toy_plan(clan_sets=[DECK], line_ups=line_ups, rounds=rounds)
    (sums,) = toy_evidence(plan, PLANTED, 3).interventions.values()
    return relative_power(measure_restricted_play([sums], "toy")).of_names(DECK)


def test_both_designs_find_the_same_power_and_every_seat_needs_fewer_games() -> None:
    """About as many games each; bear and owl differ by some 13 points of winning chance."""
    rules = load_rules("second")
    table = LineUp.parse(["greedy"], 4, rules)
    one = [("greedy:never_leads=" + clan, "greedy", "greedy", "greedy") for clan in DECK]
    every = [
        told.names for told, _ in every_seat_line_ups([(table, 1)], RESTRICTED, 0, DECK, rules)
    ]
    by_one, by_every = measured(one, 1400), measured(every, 1200)
    gap = by_one.jackknife.value - by_every.jackknife.value
    error = np.hypot(by_one.jackknife.standard_error, by_every.jackknife.standard_error)
    assert np.all(np.abs(gap) < 4 * error)
    variances = by_one.jackknife.standard_error**2 / by_every.jackknife.standard_error**2
    assert np.median(variances) > 2
    assert by_every.jackknife.value[0] - by_every.jackknife.value[4] > 0.1
