"""Restricted play: one seat or every seat gives up a clan, and the null clan is its zero."""

from __future__ import annotations

import numpy as np
import pytest
from inside.experiments.designs import every_seat_line_ups
from inside.reports import numbers
from inside.reports.estimators import (
    NULL_CLAN,
    NULL_CLAN_NAME,
    RESTRICTED_LOG_ODDS,
    RESTRICTED_PLAY,
    null_power,
)
from inside.reports.page import Played, Sheet, card_of, not_understood_sentences
from planned import evidence_of, plan_of
from toy_numbers import one_seat_sums
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.experiments import BLOCKS, RESTRICTED, Estimates
from ethnos_sim.reports import Evidence, InterventionSums, Situation, relative_power
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import LineUp

CLANS = ("bear", "deer", "fox", "koi", "owl", "raven")
ODDS = np.array([0.9, 0.3, 1.0, 1.5, 0.0, -0.2])
"""What giving up each clan costs in log-odds against a free seat."""


def every_seat_sums(players: int, games: int, seed: int | None, factor: float = 0.0):
    """A cycle over all clans and a free seat, by Luce's choice; without a seed as expected."""
    cycle = [*range(len(CLANS)), *[None] * max(1, players - len(CLANS))]
    rng = None if seed is None else np.random.default_rng(seed)
    tables, played, won = [], [], []
    for shift in range(len(cycle)):
        told = [cycle[(seat + shift) % len(cycle)] for seat in range(players)]
        about = sorted(clan for clan in told if clan is not None)
        odds = np.ones(players)
        odds[: len(about)] = np.exp(factor - ODDS[about])
        chance = odds / odds.sum()
        wins = games * chance if rng is None else rng.multinomial(games, chance)
        wins = np.where(np.arange(players) < len(about), 60 * wins, 0)
        tables.append((CLANS, tuple(CLANS[clan] for clan in about)))
        played.append(np.full(BLOCKS, games))
        won.append(np.tile(np.rint(wins).astype(np.int64), (BLOCKS, 1)))
    return InterventionSums(
        CLANS,
        players,
        {"games": np.stack(played, 1), "won": np.stack(won, 1).astype(np.int64)},
        tuple(tables),
    )


def alone(sums: InterventionSums) -> np.ndarray:
    """The chance of a seat that alone gives up a clan."""
    return sums.alone(*(sums.arrays[name].sum(axis=0) for name in ("games", "won")))[0]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_what_one_seat_would_win_is_found_where_all_give_something_up(players: int) -> None:
    expected = 1 / (1 + (players - 1) * np.exp(ODDS))
    assert alone(every_seat_sums(players, 60_000, None)) == pytest.approx(expected, abs=1e-5)


def test_a_few_games_of_one_seat_set_the_level_of_all() -> None:
    """All who give up clans together do 0.2 in log-odds better than one who does so alone."""
    every = every_seat_sums(4, 60_000, None, factor=0.2)
    chance = 1 / (1 + 3 * np.exp(ODDS))
    won = np.tile(np.rint(60 * 600 * chance).astype(np.int64), (BLOCKS, 1))
    one = one_seat_sums(CLANS, 4, np.full((BLOCKS, len(CLANS)), 600), won)
    assert np.abs(alone(every) - chance).min() > 0.01
    assert alone(every + one) == pytest.approx(chance, abs=2e-3)


def test_the_variance_of_what_is_found_is_as_told() -> None:
    """Of 300 draws; the spread of a variance of normal numbers is then 8 %."""
    drawn = []
    for seed in range(300):
        sums = every_seat_sums(4, 40, seed)
        share, known = sums.alone(sums.arrays["games"][0], sums.arrays["won"][0])
        drawn.append([share, share * (1 - share) * known])
    shares, variances = np.array(drawn).swapaxes(0, 1)
    assert shares.var(axis=0) / variances.mean(axis=0) == pytest.approx(1, abs=0.35)


PLANTED = Truth(effects={"bear": 0.3, "fox": 0.15, "owl": -0.3})


def measured(line_ups: list[tuple[str, ...]], rounds: int) -> Estimates:
    """Restricted play of the planted clans at tables of four, by a design of line-ups."""
    plan = toy_plan(clan_sets=[CLANS], line_ups=line_ups, rounds=rounds)
    (sums,) = toy_evidence(plan, PLANTED, 3).interventions.values()
    return relative_power(RESTRICTED_PLAY.of(sums, "toy")).named(CLANS)


def test_both_designs_find_the_same_power_and_every_seat_needs_fewer_games() -> None:
    """About as many games each; bear and owl differ by some 13 points of winning chance."""
    rules = load_rules("second")
    table = LineUp.parse(["greedy"], 4, rules)
    one = [("greedy:never_leads=" + clan, "greedy", "greedy", "greedy") for clan in CLANS]
    every = [
        told.names for told, _ in every_seat_line_ups([(table, 1)], RESTRICTED, 0, CLANS, rules)
    ]
    by_one, by_every = measured(one, 1400), measured(every, 1200)
    gap = by_one.value - by_every.value
    error = np.hypot(by_one.standard_error, by_every.standard_error)
    assert np.all(np.abs(gap) < 4 * error)
    variances = by_one.standard_error**2 / by_every.standard_error**2
    assert np.median(variances) > 2
    assert by_every.value[0] - by_every.value[4] > 0.1


THREE = ("bear", "fox", "owl")


def sums_of(shares: tuple[float, ...], seed: int) -> InterventionSums:
    """One-seat games of four players, a share of wins for each clan; 0 was not asked about."""
    chance = np.broadcast_to(shares, (BLOCKS, len(shares)))
    games = np.where(chance > 0, 4_000, 0)
    won = 60 * np.random.default_rng(seed).binomial(games, chance)
    return one_seat_sums(THREE, 4, games, won)


def test_the_null_clan_is_held_against_the_average_of_the_others() -> None:
    restricted = RESTRICTED_PLAY.of(sums_of((0.05, 0.20, 0.20), 1), "toy")
    null = NULL_CLAN.of(sums_of((0.22, 0, 0), 2), "toy")
    assert null.names == (NULL_CLAN_NAME,)
    assert null.value[0] == pytest.approx(0.03, abs=0.005)
    power = null_power(null, restricted)
    assert power.value[0] == pytest.approx(0.03 - 0.1, abs=0.006)
    (estimate,) = power.estimates()
    assert (estimate.definition, estimate.low is not None) == ("relative_power", True)


def test_log_odds_have_no_ceiling() -> None:
    """1/4 to 1/20 costs odds of 1/3 to 1/19; a clan that was not asked about has no number."""
    measured = RESTRICTED_LOG_ODDS.of(sums_of((0.05, 0.0005, 0), 3), "toy")
    log_odds = measured.value
    assert log_odds[0] == pytest.approx(np.log(19 / 3), abs=0.02)
    assert log_odds[1] == pytest.approx(np.log(1999 / 3), abs=0.4)
    assert np.isnan(log_odds[2])


def played(strategy: str, games: int, **changes: object) -> Evidence:
    """Games at one set of clans, ordinary and restricted, with the null clan beside them."""
    raw = {
        "players": [4],
        "clan_sets": {"given": [["bear", "deer", "fox", "koi", "owl", "raven"]]},
        "games_per_cell": games,
        "line_ups": [
            [strategy],
            {"strategies": [strategy], "one_seat": "never_leads", "null_clan": True},
        ],
    }
    return evidence_of(plan_of(raw, **changes))


def test_games_with_a_null_clan_stand_apart_from_all_others() -> None:
    evidence = played("greedy", 512)
    ((situation, sums),) = evidence.null_clan.items()
    assert sums.games == 512
    assert (situation, RESTRICTED) in evidence.interventions
    assert [setting.rules for setting in evidence.all_settings] == [""]
    assert evidence.games == evidence.games_planned


def test_no_number_rests_on_more_games_than_were_played_at_its_tables() -> None:
    """A game counts once, however many of its seats or clans a number is made of."""
    raw = {
        "players": [3],
        "clan_sets": {"sample": 6},
        "games": 6000,
        "line_ups": [
            ["random"],
            ["greedy", "random", "random"],
            {"strategies": ["random"], "every_seat": "never_leads"},
        ],
    }
    plan = plan_of(raw)
    evidence = evidence_of(plan)
    table = numbers(evidence)
    assert sum(map(evidence.games_of, evidence.situations)) == plan.games
    about = table.keys(Situation._fields)
    for estimand, situation, games in zip(table["estimand"], about, table.games, strict=True):
        assert games <= evidence.games_of(Situation(*situation)), estimand
    alone, _ = evidence.situations
    foot = card_of(Played(evidence, Sheet(table)), alone).foot
    assert foot.startswith(f"{evidence.games_of(alone):,} games by")


def test_a_clan_that_a_strategy_misreads_is_warned_of() -> None:
    evidence = played("random", 32, settings=("bear.on_take=9",))
    said = list(not_understood_sentences(evidence))
    assert any("“random” does not see what is new about the Bear (on_take)" in s for s in said)
