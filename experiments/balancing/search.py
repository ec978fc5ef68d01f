"""The search: what to play next, from evaluations at a design to finalists on common deals.

1. A design: the baseline, and points in which each factor moves or stays, at random.
2. Rounds of proposals. A proposal is the best point under weights drawn from the posterior of the
   surface (Thompson 1933, Biometrika 25: 285-294), so that each point is proposed with the
   probability that it is the best.
3. Finals: the baseline, the best point and proposals play more games. After each stage the surface
   is fitted to all evaluations again.

The rule sets of one round play the same deals, so that most of their luck cancels in their
differences. The next round plays other deals: the level of each number counts too, and luck that
all rounds shared would never average out.

Each step away from the baseline has a small cost. The search recommends the rule set that is
expected to be nearest to the target, by all evaluations together. If this rule set is not likely to
be nearer than the baseline, the baseline is recommended. Everything is a function of the seed and
of the measured numbers, so a stopped search can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ethnos_sim.experiments.balancing.space import Point, Points, Space
from ethnos_sim.experiments.balancing.surface import Observed, Priors, Surface, fit, terms_of
from ethnos_sim.experiments.balancing.target import Target, root
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray

AT_A_TIME = 4
"""The number of evaluations in each round."""

MOST_EVALUATIONS, LEAST_EVALUATIONS = 240, 24
"""The most evaluations of a search, so that fitting takes less time than playing; the fewest."""

LEAST_ROUNDS, LEAST_GAMES = 2, 250
"""The fewest rounds of deals and the fewest games of an evaluation. One round does not show the
noise of a game, and preparing tables takes time."""

DESIGN_SHARE, FINAL_SHARE = 0.35, 0.2
"""The shares of the games that the design and the finals play; proposals play the other games."""

STAGES = 3

STEP_COST = 0.05
"""The cost of a step away from the baseline, in imbalance: twenty steps cost as much as one margin
off the target."""

DRAWS = 400
"""The number of posterior draws for the final choice."""

LIKELY = 0.95
"""A change is recommended if the chance that it is nearer to the target is at least this."""


class Player(Protocol):
    """Plays rule sets and measures them."""

    @property
    def games_per_round(self) -> int:
        """The games of a rule set in one round of deals."""

    def play(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play rounds of deals at each point, and measure its numbers over blocks of deals.

        Args:
            number: the number of the round, which decides the deals and clan sets of all points.
            points: the points to play.
            rounds: the number of rounds of deals.
        """


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        best: the point that the search recommends.
        evaluations: the number of evaluations, the finals included.
        games: the number of games.
    """

    best: Point
    evaluations: int
    games: int


@dataclass(eq=False)
class Search:
    """A search through a space; `run` is called once.

    Attributes:
        space: the factors that move.
        target: what the search brings the measured numbers near to.
        budget: the most games, exceeded by at most one evaluation.
        seed: the seed of the design and of the proposals.
        on_best: called with a line about the best point so far.
    """

    space: Space
    target: Target
    budget: int
    seed: int
    on_best: Callable[[str], None] = lambda text: None
    _seen: list[Observed] = field(default_factory=list)
    _points: list[Point] = field(default_factory=list)
    _surface: Surface = field(init=False)
    _priors: Priors | None = None

    def run(self, player: Player) -> SearchResult:
        """Run the search; `player` plays rule sets and measures them."""
        rng = np.random.default_rng([self.seed, 1])
        least = player.games_per_round
        searching = self.budget * (1 - FINAL_SHARE)
        fewest = max(LEAST_ROUNDS * least, LEAST_GAMES)
        evaluations = int(np.clip(searching // fewest, LEAST_EVALUATIONS, MOST_EVALUATIONS))
        rounds = max(LEAST_ROUNDS, int(searching / evaluations / least))
        designed = max(AT_A_TIME, int(evaluations * DESIGN_SHARE / (1 - FINAL_SHARE)))
        design = self._design(rng, designed)
        for first in range(0, len(design), AT_A_TIME):
            self._evaluate(player, design[first : first + AT_A_TIME], rounds)
        while len(self._seen) < evaluations:
            proposals = min(AT_A_TIME, evaluations - len(self._seen))
            self._evaluate(player, [self._drawn(rng) for _ in range(proposals)], rounds)
        return self._finals(player, rng)

    def _evaluate(self, player: Player, points: Sequence[Point], rounds: int) -> None:
        """Play points on common deals, keep their evaluations, and fit the surface to all."""
        number = self._seen[-1].round + 1 if self._seen else 0
        different = list(dict.fromkeys(points))
        games = rounds * player.games_per_round
        for point, numbers in zip(different, player.play(number, different, rounds), strict=True):
            scaled, errors = self.space.scaled([point])[0], numbers.standard_error
            self._seen.append(Observed(scaled, number, games, numbers.value, errors))
            self._points.append(point)
        self._surface = fit(self._seen, self._priors)
        self._priors = self._surface.priors
        best = self._best_played
        expected = root(float(self._expected([best])[0]))
        self.on_best(f"imbalance {expected:.2f} expected of {self.space.text(best)}")

    def _design(self, rng: np.random.Generator, evaluations: int) -> list[Point]:
        """The baseline, and points in which each factor moves or stays, at random."""
        points = [self.space.start]
        part = max(0.35, min(1.0, 1.5 / len(self.space.factors)))
        tries = 0
        while len(points) < evaluations:
            tries += 1
            # Points with many moved factors are rarely valid, so a failed try moves fewer factors.
            moved = rng.random(len(self.space.factors)) < part * 0.98 ** (tries - len(points))
            point = tuple(
                int(rng.integers(len(f.levels))) if move else f.start
                for f, move in zip(self.space.factors, moved, strict=True)
            )
            if self.space.rules(point) is not None:
                points.append(point)
        return points

    def _expected(self, points: Points) -> FloatArray:
        """The expected imbalance of points, including the surface's uncertainty."""
        rows, variances = self._surface.predict(self.space.scaled(points))
        return np.asarray(self.target.imbalance(rows) + self.target.noise(variances))

    def _drawn(self, rng: np.random.Generator) -> Point:
        """The best point under one draw of the surface."""
        (weights,) = self._surface.drawn(rng)

        def imbalance(points: Points) -> FloatArray:
            return self.target.imbalance(terms_of(self.space.scaled(points)) @ weights)

        return self._descend(imbalance, self._best_played)

    @property
    def _best_played(self) -> Point:
        """The point with the least expected imbalance and cost among all points played so far."""
        points = list(dict.fromkeys(self._points))
        values = self._expected(points) + STEP_COST * self.space.steps(points)
        return points[int(np.argmin(values))]

    def _descend(self, value: Callable[[Points], FloatArray], at: Point) -> Point:
        """Move one factor at a time, always to the least value plus cost, while it falls."""

        def priced(points: Points) -> FloatArray:
            return np.asarray(value(points) + STEP_COST * self.space.steps(points))

        lowest = float(priced([at])[0])
        while (step := self._step_down(at, lowest, priced)) is not None:
            at, lowest = step
        return at

    def _step_down(
        self, at: Point, lowest: float, value: Callable[[Points], FloatArray]
    ) -> tuple[Point, float] | None:
        """The lowest point after one move, and its value; None where no point is lower."""
        around = self.space.one_moved(at)
        values = value(around)
        for place in np.argsort(values, kind="stable"):
            if values[place] >= lowest:
                return None
            point = tuple(map(int, around[place]))
            if self.space.rules(point) is not None:
                return point, float(values[place])
        return None

    def _finals(self, player: Player, rng: np.random.Generator) -> SearchResult:
        """Play the best points with more games, fit again after each stage, and choose."""
        rounds = self.budget * FINAL_SHARE / STAGES / AT_A_TIME / player.games_per_round
        for _ in range(STAGES):
            best = self._descend(self._expected, self._best_played)
            finalists = [self.space.start, best, self._drawn(rng), self._drawn(rng)]
            self._evaluate(player, finalists, max(1, round(rounds)))
        games = sum(evaluation.games for evaluation in self._seen)
        best = self._descend(self._expected, self._best_played)
        return SearchResult(self._likely(best), len(self._seen), games)

    def _likely(self, best: Point) -> Point:
        """`best`, if its chance to beat the starting point is at least LIKELY; else that point."""
        both = [self.space.start, best]
        weights = self._surface.drawn(np.random.default_rng([self.seed, 4]), DRAWS)
        drawn = self.target.imbalance(terms_of(self.space.scaled(both)) @ weights)
        drawn = drawn + STEP_COST * self.space.steps(both)
        return best if (drawn[:, 1] < drawn[:, 0]).mean() >= LIKELY else self.space.start
