"""A player of evaluations whose truth is known, with as much noise as the engine."""

from collections.abc import Callable, Sequence

import numpy as np
from inside.experiments import Estimates
from inside.experiments.balancing import Point, Space
from toy_numbers import numbers_of

CLANS = 6
BLOCKS = 32
NOISE = 0.5
"""The standard deviation of a clan's power in one game, about as in the engine."""


class KnownTruth:
    """Plays evaluations in which a function gives the power of the clans, with the engine's noise.

    All rule sets of an evaluation share half of its noise.
    """

    def __init__(self, space: Space, power: Callable[[np.ndarray], np.ndarray], seed: int) -> None:
        self.space, self.power, self.seed = space, power, seed
        self.games = 0

    @property
    def games_per_round(self) -> int:
        return 150

    def evaluate(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        numbers = []
        games = rounds * self.games_per_round
        error = NOISE / np.sqrt(games / BLOCKS / 2)
        for point in points:
            self.games += games
            shared = np.random.default_rng([self.seed, number, 0])
            alone = np.random.default_rng([self.seed, number, 0, 1, *point])
            luck = sum(dice.normal(0, error, (BLOCKS, CLANS)) for dice in (shared, alone))
            blocks = self.power(self.space.scaled_factors([point])[0]) + luck / np.sqrt(2)
            numbers.append(numbers_of(blocks))
        return numbers
