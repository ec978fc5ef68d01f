"""The search, on players whose truth is known: it finds what was moved, and repeats itself.

The engine plays no part here, so that many searches fit into a second; `benchmarks/balancing.py`
plants its truth in the engine.
"""

from __future__ import annotations

import numpy as np
from balancing_truth import CLANS, KnownTruth

from ethnos_sim.experiments.balancing.goals import unbiased
from ethnos_sim.experiments.balancing.search import Search

VALUES = ("bear.on_take", "koi.last_space=18..30", "hand_limit", "party_limit")


def _planted(space, seed: int, moved: int):
    """The power of clans that some values put apart, and by how many steps of each."""
    rng = np.random.default_rng(seed)
    count = len(space.factors)
    effects = rng.normal(0, 0.08, (count, CLANS))
    apart = np.zeros(count)
    for place in rng.choice(count, moved, replace=False):
        factor = space.factors[place]
        levels = [n for n in range(len(factor.levels)) if n != factor.start]
        point = list(space.start)
        point[place] = int(rng.choice(levels))
        apart[place] = space.scaled([tuple(point)])[0][place]

    def power(scaled):
        off = scaled - apart
        return off @ effects + 0.2 * (off**2) @ effects

    return power


def _spread(space, power, point) -> float:
    """The true spread at a point in percentage points."""
    return 100 * float(power(space.scaled([point])[0]).std(ddof=1))


def _search(space, spread, power, seed: int, budget: int = 100_000):
    player = KnownTruth(space, power, seed)
    return Search(space, spread, [range(CLANS)], budget, seed).run(player), player


def test_planted_values_are_found_again(space_over, spread) -> None:
    space = space_over(*VALUES)
    for seed in range(3):
        power = _planted(space, seed, 2)
        found, player = _search(space, spread, power, seed, 200_000)
        assert _spread(space, power, space.start) > 1.0
        assert _spread(space, power, found.best) < 0.6
        assert player.games <= 1.2 * 200_000


def test_a_search_is_a_function_of_its_seed(space_over, spread) -> None:
    space = space_over(*VALUES[:3])
    power = _planted(space, 1, 1)
    first, again, other = (_search(space, spread, power, seed, 60_000)[0] for seed in (1, 1, 2))
    assert (first.best, first.front, first.games) == (again.best, again.front, again.games)
    assert [each.point for each in first.finalists] == [each.point for each in again.finalists]
    assert [each.point for each in first.finalists] != [each.point for each in other.finalists]


def test_distance_has_its_price(space_over, spread) -> None:
    space = space_over(*VALUES)
    power = _planted(space, 3, 2)
    found, _ = _search(space, spread, power, 3)
    costs = [float(space.cost([point])[0]) for point in found.front]
    assert costs == sorted(costs)
    assert found.front[0] == space.start
    spreads = [_spread(space, power, point) for point in found.front]
    assert spreads[-1] < spreads[0]


def test_the_race_measures_without_bias(space_over, spread) -> None:
    space = space_over(*VALUES[:2])
    power = _planted(space, 2, 1)
    true = (_spread(space, power, space.start) / 0.5) ** 2
    measured = []
    for seed in range(8):
        found, _ = _search(space, spread, power, seed, 60_000)
        start = next(each for each in found.finalists if each.point == space.start)
        measured.append(unbiased(spread.measured(start.measured.numbers)))
    error = np.std(measured, ddof=1) / np.sqrt(len(measured))
    # False alarms: 1 in 200 by t with 7 degrees of freedom.
    assert abs(np.mean(measured) - true) < 4 * error
