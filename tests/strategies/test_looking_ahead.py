"""Which moves look-ahead drops while it guesses."""

import numpy as np
import pytest
from numpy.random import Generator, default_rng

from ethnos_sim.strategies.library.lookahead import (
    FIRST_LOOK,
    OWN_GUESSES,
    add_guess,
    keep_contenders,
)


def guesses_until_one_is_left(lead: float, luck: float, rng: Generator) -> tuple[int, int]:
    """Guess until one of two moves is left; return the number of guesses and this move.

    Move 0 leads by `lead`, which the net does not see. If both moves are left after 200 guesses,
    return 0 and 0.
    """
    totals, squares, order = np.zeros(2), np.zeros((2, 2)), np.arange(2)
    for guesses in range(1, 201):
        add_guess(totals, squares, np.array([lead, 0.0]) + luck * rng.standard_normal(2), order, 2)
        means = totals / (OWN_GUESSES + guesses)
        order = np.argsort(-means)
        left = keep_contenders(means, totals, squares, order, 2, guesses, 2.0, 0.01)
        if guesses >= FIRST_LOOK and left == 1:
            return guesses, int(order[0])
    return 0, 0


def test_a_clearly_best_move_needs_only_the_guesses_of_the_first_look() -> None:
    assert guesses_until_one_is_left(0.3, 0.01, default_rng(1)) == (FIRST_LOOK, 0)


@pytest.mark.parametrize("lead", [0.0, 0.005])
def test_nearly_equal_moves_take_a_bounded_number_of_guesses(lead: float) -> None:
    rng = default_rng(2)
    guesses = [guesses_until_one_is_left(lead, 0.03, rng)[0] for _ in range(50)]
    assert all(guesses)
    assert np.mean(guesses) < 40


def test_the_better_move_is_seldom_dropped() -> None:
    """The lead is twice the luck of one guess; of 400 trials with another seed none failed."""
    rng = default_rng(3)
    left = [guesses_until_one_is_left(0.06, 0.03, rng)[1] for _ in range(200)]
    assert sum(left) < 3


def test_more_luck_in_guesses_takes_more_guesses() -> None:
    rng = default_rng(4)
    little = np.mean([guesses_until_one_is_left(0.02, 0.01, rng)[0] for _ in range(50)])
    much = np.mean([guesses_until_one_is_left(0.02, 0.05, rng)[0] for _ in range(50)])
    assert much > 2 * little
