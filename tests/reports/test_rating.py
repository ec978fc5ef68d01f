"""Numbers of matches and tournaments: win shares with intervals, strengths, and mixtures."""

import functools

import numpy as np
import pytest
from inside.experiments.matches import (
    PlayedMatch,
    PlayedTournament,
    Tournament,
    play_tournament,
    prepare_tournament,
)
from inside.reports import payoff_figure
from inside.reports.rating import (
    PRIOR,
    bruno_prestige,
    deal_interval,
    duels_by_deal,
    equilibrium,
    log_strengths,
    points,
    strategy_shares,
    tuning_result,
)
from scipy import stats

from ethnos_sim.experiments import play_match, prepare_match
from ethnos_sim.reports import Rating, rate
from ethnos_sim.simulator import SIXTIETHS, load_rules

RULES = load_rules("second")
NAMES = ("random", "greedy", "collector", "majority")


@functools.cache
def played(*names: str, players: int = 3) -> PlayedTournament:
    tournament = prepare_tournament(RULES, names, players=players, games=1, seed=5)
    return play_tournament(tournament)


@functools.cache
def rated(*names: str, players: int = 3) -> Rating:
    return rate(played(*names, players=players), samples=40)


def matrix(rating: Rating, column: str) -> np.ndarray:
    """A column of the payoffs by strategy and rival, in the order of the ratings."""
    return rating.payoffs[column].to_numpy().reshape(2 * [len(rating.strategies)])


def planted(tournament: Tournament, strength: np.ndarray, seed: int) -> PlayedTournament:
    """Random wins at a tournament's tables; the strengths by rival may form cycles."""
    rng = np.random.default_rng(seed)
    won = np.zeros((len(tournament.seatings), tournament.deals, len(tournament.strategies)), int)
    for table, (seating, match) in enumerate(
        zip(tournament.seatings, tournament.matches, strict=True)
    ):
        weights = np.exp(
            [sum(strength[strategy, other] for other in seating) for strategy in seating]
        )
        shape = (tournament.deals, match.rotations)
        winners = rng.choice(seating, size=shape, p=weights / weights.sum())
        for number in range(len(tournament.strategies)):
            won[table, :, number] = SIXTIETHS * (winners == number).sum(axis=1)
    return PlayedTournament(tournament, won)


def test_alone_is_the_win_share_of_one_seat_against_the_rival_in_all_others() -> None:
    rating, tournament = rated(*NAMES), played(*NAMES).tournament
    for table, seating in enumerate(tournament.seatings):
        names = [tournament.strategies[number] for number in seating]
        for name in set(names):
            rival = next((other for other in names if other != name), None)
            if names.count(name) == 1 and names.count(rival) == 2:
                row, other = (rating.strategies.index(player) for player in (name, rival))
                number = tournament.strategies.index(name)
                share = played(*NAMES).won[table, :, number].sum() / SIXTIETHS
                games = tournament.deals * tournament.matches[table].rotations
                assert matrix(rating, "alone")[row, other] == pytest.approx(share / games)
    assert np.isnan(np.diag(matrix(rating, "alone"))).all()


def test_duels_are_antisymmetric_and_average_all_proportions_of_seats() -> None:
    duels = matrix(rated(*NAMES), "duel")
    assert duels == pytest.approx(-duels.T)
    seats = np.array([[1, 2], [2, 1]])
    won = SIXTIETHS * np.array([[[3, 0]], [[0, 3]]])
    measured = duels_by_deal(seats, won, np.array([3.0, 3.0]))
    assert measured[0, 0, 1] == pytest.approx((1 - 0 + 0 - 1) / 2)


def test_strategies_come_in_order_of_rating_and_random_play_last() -> None:
    rating = rated(*NAMES)
    assert rating.strategies[-1] == "random"
    assert (np.diff(rating.ratings["rating"]) <= 0).all()
    assert rating.ratings["rating"].sum() == pytest.approx(0, abs=1e-6)
    for name in ("rating", "mixture", "against_mixture", "duel"):
        table = rating.payoffs if name == "duel" else rating.ratings
        low, value, high = (table[name + end].to_numpy() for end in ("_low", "", "_high"))
        assert (low <= value + 1e-12).all()
        assert (value <= high + 1e-12).all()


def test_a_copy_of_a_strategy_changes_no_equilibrium_number_of_the_others() -> None:
    rating = rated(*NAMES)
    default = 6  # majority's own patience, so this is a copy under another name
    copied = rated(*NAMES, f"majority:patience={default}")
    assert len(copied.strategies) == len(NAMES) + 1
    places = [copied.strategies.index(name) for name in rating.strategies]
    pairs = np.ix_(places, places)
    assert matrix(copied, "duel")[pairs] == pytest.approx(matrix(rating, "duel"), abs=1e-9)
    before, after = (rated.ratings["against_mixture"].to_numpy() for rated in (rating, copied))
    assert after[places] == pytest.approx(before, abs=1e-9)
    parts = dict(copied.ratings.select("strategy", "mixture").rows())
    parts["majority"] += parts.pop(f"majority:patience={default}")
    before = dict(rating.ratings.select("strategy", "mixture").rows())
    assert parts == pytest.approx(before, abs=1e-9)
    assert before["majority"] > 0


def test_a_cycle_is_found_and_balanced_by_the_equilibrium() -> None:
    tournament = prepare_tournament(RULES, NAMES[1:], players=3, games=40_000, seed=5)
    circle = np.array([[0, 0.4, -0.4], [-0.4, 0, 0.4], [0.4, -0.4, 0]])
    rating = rate(planted(tournament, circle, 1), samples=60)
    (cycle,) = rating.cycles
    assert set(cycle) == set(NAMES[1:])
    order = [NAMES[1:].index(name) for name in cycle]
    assert all(circle[one, two] > 0 for one, two in zip(order, order[1:] + order[:1], strict=True))
    assert rating.ratings["mixture"].to_numpy() == pytest.approx([1 / 3] * 3, abs=0.1)
    assert rating.ratings["against_mixture"].abs().max() < 1e-6


def test_equal_strategies_seldom_beat_each_other_significantly() -> None:
    tournament = prepare_tournament(RULES, NAMES, players=3, games=20_000, seed=5)
    ratings = [rate(planted(tournament, np.zeros((4, 4)), seed), samples=2) for seed in range(20)]
    assert sum(rating.payoffs["beats"].any() for rating in ratings) <= 3
    assert all(rating.ratings["rating"].abs().max() < 15 for rating in ratings)


def test_intervals_of_ratings_cover_the_truth() -> None:
    tournament = prepare_tournament(RULES, NAMES[1:], players=2, games=2_000, seed=5)
    truth = np.array([0.3, 0.0, -0.3])
    strength = np.repeat(truth[:, None], 3, axis=1) / 2
    covered = []
    for seed in range(30):
        rating = rate(planted(tournament, strength, seed), samples=80)
        places = [rating.strategies.index(name) for name in NAMES[1:]]
        true = truth * 400 / np.log(10)
        low, high = (rating.ratings[f"rating_{end}"].to_numpy()[places] for end in ("low", "high"))
        covered.append((low <= true) & (true <= high))
    assert 0.88 <= np.mean(covered) <= 0.99


def test_the_figure_names_every_strategy_and_is_the_same_every_time() -> None:
    payoffs = rated(*NAMES).payoffs
    files = payoff_figure(payoffs, 3, "A $title$ & <more>")
    assert files == payoff_figure(payoffs, 3, "A $title$ & <more>")
    text = files["svg"].decode()
    assert all(name in text for name in NAMES)
    assert "A $title$ &amp; &lt;more&gt;" in text
    assert files["png"].startswith(b"\x89PNG")


def test_even_wins_per_seat_are_even_strengths_and_ten_times_the_odds_are_400_points() -> None:
    wins = np.array([[1000.0, 3000.0]])
    strengths = log_strengths(np.array([[1.0, 3.0]]), wins, wins.sum(axis=1))
    assert strengths == pytest.approx([0, 0], abs=1e-9)
    assert points(np.array([np.log(10) / 2, -np.log(10) / 2])) == pytest.approx([200, -200])


@pytest.mark.parametrize("seed", range(5))
def test_true_strengths_are_found_and_expected_wins_are_the_wins_up_to_the_prior(seed) -> None:
    """Five strategies play at thirty tables of four; the gradient at the result is zero."""
    rng = np.random.default_rng(seed)
    seats = np.array([np.bincount(rng.integers(0, 5, 4), minlength=5) for _ in range(30)], float)
    truth = rng.normal(0, 0.7, 5)

    def chances(strengths: np.ndarray) -> np.ndarray:
        shares = seats * np.exp(strengths)
        return shares / shares.sum(axis=1, keepdims=True)

    wins = rng.multinomial(2000, chances(truth)).astype(float)
    strengths = log_strengths(seats, wins, np.full(30, 2000.0))
    assert strengths == pytest.approx(truth - truth.mean(), abs=0.06)
    expected = 2000 * chances(strengths).sum(axis=0)
    assert wins.sum(axis=0) - expected == pytest.approx(PRIOR * strengths, abs=1e-4)


def test_a_strategy_that_never_wins_has_a_low_but_finite_rating() -> None:
    wins = np.array([[0.0, 5000.0, 5000.0]])
    strengths = log_strengths(np.ones((1, 3)), wins, wins.sum(axis=1))
    assert np.isfinite(strengths).all()
    assert strengths[0] < strengths[1] - 6
    assert strengths[1] == pytest.approx(strengths[2])


def random_duels(size: int, seed: int) -> np.ndarray:
    """A random antisymmetric matrix, as of a tournament."""
    raw = np.random.default_rng(seed).normal(0, 0.1, (size, size))
    return (raw - raw.T) / 2


def with_copies(duels: np.ndarray, *copied: int) -> np.ndarray:
    """The matrix with copies of the strategies `copied` added at the end."""
    places = [*range(len(duels)), *copied]
    return duels[np.ix_(places, places)]


def test_the_equilibrium_plays_a_rock_that_wins_double_less_often_than_paper() -> None:
    """A strategy's part is proportional to the stake of the duel between the other two."""
    duels = np.array([[0.0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert equilibrium(duels) == pytest.approx([0.25, 0.5, 0.25])


@pytest.mark.parametrize("size", [2, 5, 9, 14])
@pytest.mark.parametrize("seed", range(4))
def test_no_strategy_beats_the_equilibrium_and_its_strategies_are_even_with_it(
    size: int, seed: int
) -> None:
    duels = random_duels(size, seed)
    mixture = equilibrium(duels)
    assert mixture.sum() == pytest.approx(1)
    assert (mixture >= 0).all()
    against = duels @ mixture
    assert against.max() < 1e-6
    assert np.abs(against[mixture > 0]).max() < 1e-6


def test_of_several_equilibria_the_most_even_one_is_taken() -> None:
    assert equilibrium(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    # The first two are even, and do differently against the third, which loses to both.
    duels = np.array([[0, 0, 0.1], [0, 0, 0.3], [-0.1, -0.3, 0]])
    assert equilibrium(duels) == pytest.approx([0.5, 0.5, 0], abs=1e-5)


@pytest.mark.parametrize("size", [3, 6, 10])
@pytest.mark.parametrize("seed", range(4))
def test_a_copy_shares_the_weight_of_its_original_and_changes_no_other_weight(
    size: int, seed: int
) -> None:
    duels = random_duels(size, seed)
    mixture = equilibrium(duels)
    for copied in range(size):
        more = equilibrium(with_copies(duels, copied, copied))
        others = [number for number in range(size) if number != copied]
        assert more[others] == pytest.approx(mixture[others], abs=1e-12)
        copies = more[[copied, size, size + 1]]
        assert copies == pytest.approx([mixture[copied] / 3] * 3, abs=1e-12)
        assert with_copies(duels, copied, copied)[:size] @ more == pytest.approx(duels @ mixture)


def test_a_copy_changes_no_other_weight_even_with_several_equilibria() -> None:
    """Entropy alone would favor a strategy that has a copy."""
    mixture = equilibrium(with_copies(np.zeros((1, 1)), 0))
    assert mixture == pytest.approx([0.5, 0.5])
    duels = np.zeros((4, 4))
    duels[0, 2] = duels[1, 2] = 0.2
    duels[1, 3] = 0.1
    duels -= duels.T
    plain = equilibrium(duels)
    assert (plain[:2] > 0.1).all()
    more = equilibrium(with_copies(duels, 0))
    assert more[1:4] == pytest.approx(plain[1:4], abs=1e-12)


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
