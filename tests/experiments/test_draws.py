"""Line-ups drawn from mixtures: as even as seats allow, the same every time, in every rotation."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from ethnos_sim.experiments.designs.draws import (
    MOST_MIXED,
    draw_line_ups,
    rotated,
    seats_by_weight,
    tournament_line_ups,
)


def seats(drawn: dict[tuple[int, ...], int]) -> Counter[int]:
    """How many seats each strategy has over all draws."""
    found: Counter[int] = Counter()
    for seating, times in drawn.items():
        for number in seating:
            found[number] += times
    return found


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("weights", [[1, 1, 1, 1, 1], [0.7, 0.2, 0.1], [1.0], [3, 0, 1]])
def test_seats_are_dealt_out_by_weight_up_to_one(weights, players) -> None:
    drawn = draw_line_ups(weights, players, 12, seed=4)
    assert sum(drawn.values()) == 12
    for number, weight in enumerate(weights):
        assert abs(seats(drawn)[number] - 12 * players * weight / sum(weights)) < 1
        assert weight or not seats(drawn)[number]


def test_largest_remainders_get_the_seats_that_are_left() -> None:
    assert seats_by_weight([1, 1, 1], 4) == [2, 1, 1]
    assert seats_by_weight([0.5, 0.3, 0.2], 5) == [3, 1, 1]


def test_a_draw_depends_on_its_arguments_alone() -> None:
    weights = [1, 1, 1, 1]
    assert draw_line_ups(weights, 4, 12, seed=1) == draw_line_ups(weights, 4, 12, seed=1)
    assert draw_line_ups(weights, 4, 12, seed=1) != draw_line_ups(weights, 4, 12, seed=2)


def test_rotations_of_a_line_up_are_drawn_as_one() -> None:
    assert {rotated(each) for each in [(2, 1, 0), (1, 0, 2), (0, 2, 1)]} == {(0, 2, 1)}
    for seed in range(20):
        drawn = draw_line_ups([1, 1], 4, 12, seed=seed)
        assert all(seating == rotated(seating) for seating in drawn)


def test_one_strategy_alone_makes_one_line_up_of_all_draws() -> None:
    assert draw_line_ups([0, 1], 3, 7, seed=1) == {(1, 1, 1): 7}


@pytest.mark.parametrize(("strategies", "players"), [(2, 2), (5, 4), (4, 6), (14, 4), (7, 6)])
def test_a_tournament_plays_every_table_of_two_strategies_once(strategies, players) -> None:
    found = tournament_line_ups(strategies, players, seed=1)
    assert len(set(found)) == len(found)
    twos = {tuple(sorted(Counter(each).items())) for each in found if len(set(each)) == 2}
    assert twos == {
        ((one, count), (other, players - count))
        for one, other in combinations(range(strategies), 2)
        for count in range(1, players)
    }
    assert all(len(each) == players and len(set(each)) > 1 for each in found)


def test_a_small_tournament_has_all_tables_and_a_large_one_a_balanced_part() -> None:
    assert len(tournament_line_ups(5, 4, seed=1)) == comb(8, 4) - 5
    large = [each for each in tournament_line_ups(14, 4, seed=1) if len(set(each)) > 2]
    assert 0.8 * MOST_MIXED < len(large) <= MOST_MIXED
    counts = Counter(number for each in large for number in each).values()
    assert max(counts) < 1.15 * min(counts)
