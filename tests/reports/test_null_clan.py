"""The null clan gives restricted play a zero: gathered apart, and held against the other clans."""

from __future__ import annotations

import numpy as np
import pytest
from toy_interactions import one_seat_sums

from ethnos_sim.experiments import (
    BLOCKS,
    RESTRICTED,
    Changes,
    Plan,
    make_plan,
    parse_spec,
    play_now,
)
from ethnos_sim.experiments.specs.spec import NO_CHANGES
from ethnos_sim.reports.estimators.interventions import (
    NULL_CLAN_NAME,
    measure_null_clan,
    measure_restricted_log_odds,
    measure_restricted_play,
    null_power,
)
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.evidence.gathering import PlanGatherer
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums
from ethnos_sim.reports.page.made import not_understood_sentences

CLANS = ("bear", "fox", "owl")


def sums_of(shares: tuple[float, ...], seed: int) -> InterventionSums:
    """One-seat games of four players, a share of wins for each clan; 0 was not asked about."""
    chance = np.broadcast_to(shares, (BLOCKS, len(shares)))
    games = np.where(chance > 0, 4_000, 0)
    won = 60 * np.random.default_rng(seed).binomial(games, chance)
    return one_seat_sums(CLANS, 4, games, won)


def test_the_null_clan_is_held_against_the_average_of_the_others() -> None:
    restricted = measure_restricted_play(sums_of((0.05, 0.20, 0.20), 1), "toy")
    null = measure_null_clan(sums_of((0.22, 0, 0), 2), "toy")
    assert null.names == (NULL_CLAN_NAME,)
    assert null.value[0] == pytest.approx(0.03, abs=0.005)
    power = null_power(null, restricted)
    assert power.value[0] == pytest.approx(0.03 - 0.1, abs=0.006)
    (estimate,) = power.estimates()
    assert (estimate.definition, estimate.low is not None) == ("relative_power", True)


def test_log_odds_have_no_ceiling() -> None:
    """1/4 to 1/20 costs odds of 1/3 to 1/19; a clan that was not asked about has no number."""
    measured = measure_restricted_log_odds(sums_of((0.05, 0.0005, 0), 3), "toy")
    log_odds = measured.value
    assert log_odds[0] == pytest.approx(np.log(19 / 3), abs=0.02)
    assert log_odds[1] == pytest.approx(np.log(1999 / 3), abs=0.4)
    assert np.isnan(log_odds[2])


def evidence_of(strategy: str, games: int, changes: Changes = NO_CHANGES) -> tuple[Plan, Evidence]:
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
    plan = make_plan(parse_spec(raw, "null.toml", changes))
    gatherer = PlanGatherer(plan)
    play_now(plan, gatherer.add)
    return plan, gatherer.evidence()


def test_games_with_a_null_clan_stand_apart_from_all_others() -> None:
    plan, evidence = evidence_of("greedy", 512)
    ((situation, sums),) = evidence.null_clan.items()
    assert sums.games == 512
    assert (situation, RESTRICTED) in evidence.interventions
    assert [setting.rules for setting in evidence.all_settings] == [""]
    assert evidence.games == plan.games


def test_a_clan_that_a_strategy_misreads_is_warned_of() -> None:
    _, evidence = evidence_of("random", 32, Changes(settings=("bear.on_take=9",)))
    said = list(not_understood_sentences(evidence))
    assert any("“random” does not see what is new about the Bear (on_take)" in s for s in said)
