"""What a search asks of whoever plays for it, and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ethnos_sim.experiments.balancing.space import Factor, Point
from ethnos_sim.experiments.statistics.estimates import Estimates


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What was measured of a rule set: its numbers over blocks of deals, and the games."""

    numbers: Estimates
    games: int


class Player(Protocol):
    """Plays rule sets and measures them."""

    @property
    def games_per_round(self) -> int:
        """The fewest games that a rule set can play."""

    def play(self, number: int, points: Sequence[Point], rounds: Sequence[range]) -> list[Measured]:
        """Play each point's rounds of deals.

        Args:
            number: what the evaluations are called; other numbers are other deals and clan sets.
            points: what to play.
            rounds: of which rounds of deals each of them; equal rounds are common deals.
        """


@dataclass(frozen=True, slots=True)
class Step:
    """What a step of one factor alone does, by all that was seen: change of the root of imbalance.

    The ends hold the middle 95 % of what the evaluations leave open.
    """

    factor: Factor
    up: bool
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search found.

    Attributes:
        best: the point that the search recommends.
        single: the best point that moves one factor.
        front: points from the baseline on, each farther off and nearer to the goals.
        steps: what a step of each factor does from the baseline.
        evaluations: how many evaluations were played, the finals among them.
        games: how many games.
    """

    best: Point
    single: Point
    front: tuple[Point, ...]
    steps: tuple[Step, ...]
    evaluations: int
    games: int
