"""The equilibrium mixture: known games, nobody beats it, and copies move nothing."""

from __future__ import annotations

import numpy as np
import pytest

from ethnos_sim.reports.rating.equilibrium import copies, equilibrium

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def random_duels(size: int, seed: int) -> np.ndarray:
    """An antisymmetric matrix as a tournament may give it."""
    raw = np.random.default_rng(seed).normal(0, 0.1, (size, size))
    return (raw - raw.T) / 2


def with_copies(duels: np.ndarray, *copied: int) -> np.ndarray:
    """The matrix with copies of strategies at its end."""
    places = [*range(len(duels)), *copied]
    return duels[np.ix_(places, places)]


def test_rock_paper_scissors_is_played_evenly() -> None:
    assert equilibrium(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


def test_rock_that_wins_twice_as_much_is_played_less_often_than_what_beats_it() -> None:
    """Weighted rock-paper-scissors: each is played in proportion to the game it is not in."""
    duels = np.array([[0.0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert equilibrium(duels) == pytest.approx([0.25, 0.5, 0.25])


def test_who_beats_everybody_is_played_alone() -> None:
    duels = np.array([[0.0, 0.1, 0.2], [-0.1, 0, 0.3], [-0.2, -0.3, 0]])
    assert equilibrium(duels) == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("size", [2, 5, 9, 14])
@pytest.mark.parametrize("seed", range(4))
def test_nobody_beats_the_mixture_and_its_strategies_are_even_with_it(size: int, seed: int) -> None:
    duels = random_duels(size, seed)
    mixture = equilibrium(duels)
    assert mixture.sum() == pytest.approx(1)
    assert (mixture >= 0).all()
    against = duels @ mixture
    assert against.max() < 1e-6
    assert np.abs(against[mixture > 0]).max() < 1e-6


def test_of_several_mixtures_the_most_even_is_taken() -> None:
    assert equilibrium(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    # The first two are even with each other and differ against a third that loses to both.
    duels = np.array([[0, 0, 0.1], [0, 0, 0.3], [-0.1, -0.3, 0]])
    assert equilibrium(duels) == pytest.approx([0.5, 0.5, 0], abs=1e-5)


@pytest.mark.parametrize("size", [3, 6, 10])
@pytest.mark.parametrize("seed", range(4))
def test_a_copy_moves_no_number_of_the_others_and_shares_its_own(size: int, seed: int) -> None:
    duels = random_duels(size, seed)
    mixture = equilibrium(duels)
    for copied in range(size):
        more = equilibrium(with_copies(duels, copied, copied))
        others = [number for number in range(size) if number != copied]
        assert more[others] == pytest.approx(mixture[others], abs=1e-12)
        own = more[[copied, size, size + 1]]
        assert own == pytest.approx([mixture[copied] / 3] * 3, abs=1e-12)
        assert with_copies(duels, copied, copied)[:size] @ more == pytest.approx(duels @ mixture)


def test_a_copy_moves_nothing_where_there_are_several_mixtures_either() -> None:
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


def test_copies_are_told_from_strategies_that_are_merely_even() -> None:
    duels = with_copies(random_duels(4, 1), 2, 0)
    assert copies(duels) == [0, 1, 2, 3, 2, 0]
    even = np.array([[0, 0, 0.1], [0, 0, 0.2], [-0.1, -0.2, 0]])
    assert copies(even) == [0, 1, 2]
