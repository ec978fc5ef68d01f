"""Plackett-Luce strengths: the definition's own equations, known truths, and never infinity."""

from __future__ import annotations

import numpy as np
import pytest

from ethnos_sim.reports.rating.rating import PRIOR, log_strengths, points


def test_of_two_strategies_the_strengths_are_as_their_wins() -> None:
    wins = np.array([[30_000.0, 10_000.0]])
    found = log_strengths(np.ones((1, 2)), wins, wins.sum(axis=1))
    assert found[0] - found[1] == pytest.approx(np.log(3), abs=1e-3)
    assert found.sum() == pytest.approx(0)


def test_seats_count_so_even_play_gives_even_strengths() -> None:
    wins = np.array([[1000.0, 3000.0]])
    found = log_strengths(np.array([[1.0, 3.0]]), wins, wins.sum(axis=1))
    assert found == pytest.approx([0, 0], abs=1e-9)


def test_ten_times_the_odds_are_400_points() -> None:
    assert points(np.array([np.log(10) / 2, -np.log(10) / 2])) == pytest.approx([200, -200])


def random_tables(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Seats of five strategies at thirty tables of four, games, and the true log strengths."""
    rng = np.random.default_rng(seed)
    seats = np.array([np.bincount(rng.integers(0, 5, 4), minlength=5) for _ in range(30)], float)
    truth = rng.normal(0, 0.7, 5)
    return seats, np.full(30, 2000.0), truth - truth.mean()


@pytest.mark.parametrize("seed", range(5))
def test_true_strengths_are_found_again(seed: int) -> None:
    seats, games, truth = random_tables(seed)
    chances = seats * np.exp(truth)
    chances /= chances.sum(axis=1, keepdims=True)
    rng = np.random.default_rng(seed + 100)
    wins = rng.multinomial(2000, chances).astype(float)
    assert log_strengths(seats, wins, games) == pytest.approx(truth, abs=0.06)


@pytest.mark.parametrize("seed", range(5))
def test_expected_wins_are_the_wins_up_to_the_prior(seed: int) -> None:
    """The gradient is zero where the search ends."""
    seats, games, _ = random_tables(seed)
    rng = np.random.default_rng(seed)
    wins = rng.multinomial(2000, seats / seats.sum(axis=1, keepdims=True)).astype(float)
    found = log_strengths(seats, wins, games)
    chances = seats * np.exp(found)
    expected = games @ (chances / chances.sum(axis=1, keepdims=True))
    assert wins.sum(axis=0) - expected == pytest.approx(PRIOR * found, abs=1e-4)


def test_who_never_wins_has_a_finite_rating_far_below() -> None:
    wins = np.array([[0.0, 5000.0, 5000.0]])
    found = log_strengths(np.ones((1, 3)), wins, wins.sum(axis=1))
    assert np.isfinite(found).all()
    assert found[0] < found[1] - 6
    assert found[1] == pytest.approx(found[2])
