"""Numbers of matches and tournaments: win shares with intervals, and who beats whom."""

import functools

import numpy as np
import pytest
from inside.experiments import play_match, prepare_match
from inside.experiments.matches import (
    PlayedMatch,
    Tournament,
    play_tournament,
    prepare_tournament,
)
from inside.reports import Rating, rating_of
from inside.reports.rating import (
    bruno_prestige,
    deal_interval,
    strategy_shares,
)
from scipy import stats

from ethnos_sim.simulator import SIXTIETHS, load_rules

RULES = load_rules("second")
NAMES = ("random", "greedy", "collector", "majority")


@functools.cache
def tournament_of(*names: str, players: int = 3, games: int = 1) -> Tournament:
    return prepare_tournament(RULES, names, players=players, games=games, seed=5)


def planted(tournament: Tournament, chances: np.ndarray, seed: int) -> Rating:
    """The rating of random wins: `chances[a, b]` is the chance of one seat a among seats b."""
    rng, count = np.random.default_rng(seed), len(tournament.strategies)
    shares = np.full((tournament.deals, count, count), np.nan)
    for one, other in tournament.pairs:
        won = rng.random((tournament.deals, tournament.players)) < chances[one, other]
        shares[:, one, other] = won.mean(axis=1)
        if tournament.players == 2:
            shares[:, other, one] = 1 - shares[:, one, other]
    return rating_of(tournament, shares)


def beaten_by(rating: Rating, strategy: str) -> list[str]:
    """The rivals that a strategy beats, the best first."""
    return rating.pairs.filter("beats", strategy=strategy)["rival"].to_list()


@pytest.mark.parametrize("players", [2, 3])
def test_a_pair_has_the_share_of_one_seat_in_a_match_among_rivals(players: int) -> None:
    tournament = tournament_of(*NAMES, players=players)
    rating = rating_of(tournament, play_tournament(tournament))
    for one, other, value in rating.pairs.select("strategy", "rival", "value").iter_rows():
        match = prepare_match(RULES, [one, *[other] * (players - 1)], players=players, seed=5)
        alone = play_match(match, tournament.deals * match.rotations)
        assert value == pytest.approx(strategy_shares(alone)[0].win_share)


def test_strategies_come_in_order_of_their_share_and_random_play_last() -> None:
    tournament = tournament_of(*NAMES)
    rating = rating_of(tournament, play_tournament(tournament))
    values = rating.shares["value"].to_list()
    assert values == sorted(values, reverse=True)
    assert rating.shares["strategy"][-1] == "random"
    assert "random" in beaten_by(rating, "greedy")
    assert beaten_by(rating, "random") == []


@pytest.mark.parametrize("players", [2, 4])
def test_a_strategy_that_wins_every_game_has_an_interval_with_an_open_end(players: int) -> None:
    chances = np.array([[0, 1.0], [0.0, 0]])
    rating = planted(tournament_of("greedy", "random", players=players), chances, 1)
    for table in (rating.shares, rating.pairs):
        best, worst = table.select("value", "low", "high").rows()
        assert best[0] == best[2] == 1
        assert best[1] < 1
        assert worst[0] == worst[1] == 0
        assert worst[2] > 0
    assert beaten_by(rating, "greedy") == ["random"]


def test_equal_strategies_seldom_beat_each_other() -> None:
    """All pairs together err in at most 5 of 100 tournaments; more than 5 of 40 is one in 50."""
    tournament = tournament_of(*NAMES, games=4_000)
    even = np.full((4, 4), 1 / 3)
    beaten = [planted(tournament, even, seed).pairs["beats"].any() for seed in range(40)]
    assert sum(beaten) <= 5


def test_intervals_of_shares_cover_the_truth() -> None:
    tournament = tournament_of(*NAMES[1:], games=2_000)
    chances = np.array([[0, 0.4, 0.5], [0.3, 0, 0.45], [0.2, 0.25, 0]])
    truth = dict(zip(NAMES[1:], chances.sum(axis=1) / 2, strict=True))
    covered = []
    for seed in range(60):
        rows = planted(tournament, chances, seed).shares.select("strategy", "low", "high").rows()
        covered += [low <= truth[name] <= high for name, low, high in rows]
    assert 0.9 <= np.mean(covered) <= 0.99


def match_of(strategies, games, players=4, **given) -> PlayedMatch:
    return play_match(
        prepare_match(RULES, strategies, players=players, **{"seed": 5, **given}), games
    )


def test_one_strategy_in_every_seat_has_an_exact_share_without_width() -> None:
    (share,) = strategy_shares(match_of("random", 30))
    assert (share.seats, share.win_share, share.low, share.high) == (4, 0.25, 0.25, 0.25)
    assert share.exact


def test_a_strategy_in_several_seats_is_one_row_with_the_average_seat() -> None:
    match = match_of("random,greedy,random,random", 200)
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
    match = match_of("greedy,majority", 400)
    greedy = strategy_shares(match)[0]
    by_deal = match.won[:, [0, 2]].sum(axis=1) / (SIXTIETHS * match.match.rotations) / 2
    low, high = stats.t.interval(0.95, match.deals - 1, by_deal.mean(), stats.sem(by_deal))
    assert (greedy.low, greedy.high) == pytest.approx((low, high))


@pytest.mark.parametrize("shares", [np.ones(500), np.zeros(500), np.full(30, 0.5)])
def test_equal_deals_still_have_an_interval_and_few_deals_a_wide_one(shares) -> None:
    low, high = deal_interval(shares, float(shares.mean()))
    assert low < high
    assert low <= shares.mean() <= high
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


def test_in_solo_bruno_has_the_remaining_wins_and_his_own_mean_prestige() -> None:
    match = match_of("greedy", 60, players=1, mode="solo-hard")
    assert (match.won.sum(axis=1) == SIXTIETHS).all()
    assert bruno_prestige(match) == pytest.approx(match.prestige[:, 1].mean())
    assert bruno_prestige(match_of("greedy,random", 60)) is None
