"""What a match says: shares of a seat, deals as the unit of replication, honest intervals."""

from __future__ import annotations

import numpy as np
import pytest
from inside.reports.rating import bruno_prestige, deal_interval, strategy_shares, tuning_result
from scipy import stats

from ethnos_sim.experiments import PlayedMatch, play_match, prepare_match
from ethnos_sim.simulator import SIXTIETHS, load_rules

RULES = load_rules("second")


def played(strategies, games, players=4, **given) -> PlayedMatch:
    return play_match(
        prepare_match(RULES, strategies, players=players, **{"seed": 5, **given}), games
    )


def test_one_strategy_in_every_seat_has_its_exact_share_and_no_interval_around_it() -> None:
    (share,) = strategy_shares(played("random", 30))
    assert (share.seats, share.win_share, share.low, share.high) == (4, 0.25, 0.25, 0.25)
    assert share.exact


def test_a_name_in_several_seats_is_one_entry_with_a_seats_average() -> None:
    match = played("random,greedy,random,random", 200)
    random, greedy = strategy_shares(match)
    assert (random.name, random.seats) == ("random", 3)
    assert (greedy.name, greedy.seats) == ("greedy", 1)
    assert 3 * random.win_share + greedy.win_share == pytest.approx(1)
    wins = match.won[:, [0, 2, 3]].sum() / SIXTIETHS / match.games
    assert random.win_share == pytest.approx(wins / 3)
    assert random.mean_prestige == pytest.approx(
        match.prestige[:, [0, 2, 3]].sum() / match.games / 3
    )
    assert random.high < 0.25 < greedy.low


def test_seatings_of_one_deal_count_as_one_observation() -> None:
    match = played("greedy,majority", 400)
    greedy = strategy_shares(match)[0]
    by_deal = match.won[:, [0, 2]].sum(axis=1) / (SIXTIETHS * match.match.rotations) / 2
    low, high = stats.t.interval(0.95, match.deals - 1, by_deal.mean(), stats.sem(by_deal))
    assert (greedy.low, greedy.high) == pytest.approx((low, high))


@pytest.mark.parametrize("shares", [np.ones(500), np.zeros(500), np.full(30, 0.5)])
def test_deals_that_all_agree_do_not_make_a_share_certain(shares) -> None:
    low, high = deal_interval(shares, float(shares.mean()))
    assert low < high
    assert low <= shares.mean() <= high


def test_an_interval_of_few_deals_is_wide_and_stays_between_0_and_1() -> None:
    low, high = deal_interval(np.array([1.0, 1.0, 0.0]), 2 / 3)
    assert 0 <= low < 0.3
    assert 0.9 < high <= 1


@pytest.mark.parametrize("deals", [8, 25, 200])
def test_the_interval_covers_the_truth_as_often_as_it_says(deals) -> None:
    chance = np.random.default_rng(2)
    truth = 0.4
    draws = chance.binomial(4, truth, size=(2000, deals)) / 4
    covered = [
        low <= truth <= high
        for low, high in (deal_interval(row, float(row.mean())) for row in draws)
    ]
    assert np.mean(covered) >= 0.93


def test_in_solo_bruno_has_the_rest_of_the_wins_and_a_mean_of_his_own() -> None:
    match = played("greedy", 60, players=1, mode="solo-hard")
    assert (match.won.sum(axis=1) == SIXTIETHS).all()
    assert bruno_prestige(match) == pytest.approx(match.prestige[:, 1].mean())
    assert bruno_prestige(played("greedy,random", 60)) is None


def test_a_gain_is_measured_deal_by_deal() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(500)
    first = (luck < 0.25).astype(float)
    tuned = (luck < 0.30).astype(float)
    result = tuning_result(tuned, first, players=4)
    assert result.games == 2000
    assert result.gain.value == pytest.approx(result.tuned.value - result.first.value)
    assert result.gain.low > 0
    width = result.gain.high - result.gain.low
    assert width < 0.6 * (result.tuned.high - result.tuned.low), "the deals' luck cancels"


def test_the_same_parameters_gain_exactly_nothing() -> None:
    shares = np.random.default_rng(2).random(50)
    gain = tuning_result(shares, shares, players=4).gain
    assert (gain.value, gain.low, gain.high) == (0, 0, 0)
