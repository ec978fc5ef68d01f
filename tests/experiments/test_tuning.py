"""Tuning: candidates share deals, the result is tested on fresh deals, and runs repeat."""

import numpy as np
import pytest
from inside.experiments.matches import play_points, prepare_tuning, search

from ethnos_sim.experiments import Tuning, play_match, prepare_match
from ethnos_sim.simulator import SIXTIETHS, load_rules
from ethnos_sim.strategies import LineUp

pytestmark = pytest.mark.long

RULES = load_rules("second")


def tuning_of(name: str, *against: str, players: int = 4, budget: int = 4000, **given) -> Tuning:
    return prepare_tuning(RULES, name, against, players=players, budget=budget, seed=2, **given)


def test_given_clans_and_parameters_are_not_searched() -> None:
    assert [p.name for p in tuning_of("specialist", "greedy").searched] == ["loyalty", "patience"]
    kept = tuning_of("specialist:patience=9:never_leads=owl", "greedy")
    assert [p.name for p in kept.searched] == ["loyalty"]
    assert kept.text((1.5,)) == "specialist:patience=9:never_leads=owl:loyalty=1.5"


def test_points_lie_within_their_ranges_and_can_be_pasted() -> None:
    tuning = tuning_of("majority", "greedy")
    rng = np.random.default_rng(1)
    for place in [np.zeros(3), np.ones(3), *rng.random((50, 3))]:
        point = tuning.point(place)
        for parameter, value in zip(tuning.searched, point, strict=True):
            assert parameter.low <= value <= parameter.high
        (entry,) = LineUp.parse([tuning.text(point)], 1, RULES).entries
        assert entry.values == point
    assert tuning.point(tuning.place(tuning.start)) == tuning.start


def test_equal_points_play_the_same_games_and_each_label_has_its_own() -> None:
    tuning = tuning_of("greedy", "random", "majority")
    shares = play_points(tuning, [tuning.start] * 2, games=96, label=("a",), threads=2)
    assert shares.shape[0] == 2
    assert shares.shape[1] >= 24
    assert np.array_equal(shares[0], shares[1])
    others = play_points(tuning, [tuning.start], games=96, label=("b",))
    assert not np.array_equal(shares[0], others[0])


def test_a_point_that_plays_like_its_opponents_wins_an_even_share_of_every_deal() -> None:
    shares = play_points(tuning_of("greedy", "greedy"), [(4.0,)], games=200, label=("a",))
    assert (shares == 0.25).all()


def test_the_share_of_a_point_equals_the_share_of_a_match_with_its_text() -> None:
    tuning = tuning_of("greedy", "majority", players=2)
    share = play_points(tuning, [(9.0,)], games=2000, label=("a",)).mean()
    match = prepare_match(RULES, ["greedy:patience=9", "majority"], players=2, seed=77)
    played = play_match(match, 2000)
    other = played.won[:, 0].sum() / (SIXTIETHS * played.games)
    assert abs(share - other) < 0.06


def test_the_search_finds_better_parameters_and_the_same_ones_again() -> None:
    tuning = tuning_of("collector", "greedy", budget=8000)
    best = search(tuning, threads=2)
    assert best == search(tuning)
    fresh = play_points(tuning, [best, tuning.start], games=4000, label=("fresh",))
    assert fresh[0].mean() > fresh[1].mean() + 0.02
