"""The search: it chooses the points to play in three parts, and recommends one of them.

1. A design: the baseline, and points in which each factor moves or stays, at random.
2. Proposals. A proposal is the best point under weights drawn from the posterior of the surface
   (Thompson 1933, Biometrika 25: 285-294), so each point is proposed with the probability that it
   is the best.
3. Finals: the baseline, the best point and two proposals play more games, in several stages.

After each round of evaluations the surface is fitted to all of them. The points of a round play the
same deals, so most of the luck cancels in their differences. The next round plays other deals: luck
that all rounds shared would never average out.

Each step away from the baseline has a small cost. The search recommends the point that is expected
to be nearest to the target, or the baseline if this point is not likely to be nearer. The result
depends only on the seed and the measured numbers, so a stopped search can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np

from ethnos_sim.experiments.balancing.space import Point, Points, Space
from ethnos_sim.experiments.balancing.surface import (
    Evaluation,
    Priors,
    Surface,
    fit_surface,
    polynomial_terms,
)
from ethnos_sim.experiments.balancing.target import Target, root_or_zero
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray

ROUND_EVALUATIONS = 4
"""The number of evaluations in each round."""

MOST_EVALUATIONS, LEAST_EVALUATIONS = 240, 24
"""The most and the fewest evaluations of a search: with more, fitting takes longer than playing."""

LEAST_ROUNDS, LEAST_GAMES = 2, 250
"""The fewest rounds of deals of an evaluation, as one round does not show how much games vary, and
the fewest games of an evaluation, as preparing tables takes time."""

DESIGN_SHARE, FINAL_SHARE = 0.35, 0.2
"""The shares of the games for the design and for the finals; proposals play the rest."""

FINAL_STAGES = 3

STEP_COST = 0.05
"""The cost of a step away from the baseline, in units of imbalance: twenty steps cost as much as a
distance of one margin from the target."""

POSTERIOR_DRAWS = 400
"""The number of posterior draws that decide between the best point and the baseline."""

LEAST_CHANCE = 0.95
"""A point is recommended if it beats the baseline with at least this chance."""


class Evaluator(Protocol):
    """Plays points and measures their numbers."""

    @property
    def games_per_round(self) -> int:
        """The games of a point in one round of deals."""

    def evaluate(self, round_number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play each point, and measure its numbers over blocks of deals.

        Args:
            round_number: the index of the round, which decides the deals and clan sets.
            points: the points to play.
            rounds: the number of rounds of deals that each point plays.
        """


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        best: the point that the search recommends.
        evaluations: the number of evaluations, the finals included.
        games: the number of games of all evaluations.
    """

    best: Point
    evaluations: int
    games: int


@dataclass(eq=False)
class Search:
    """A search through a space; `run` is called once.

    Attributes:
        space: the points that the search may choose.
        target: the target of the measured numbers.
        budget: the most games, exceeded by at most one evaluation.
        seed: the seed of the random choices.
        on_best: called after each round, with a line about the best point so far.
    """

    space: Space
    target: Target
    budget: int
    seed: int
    on_best: Callable[[str], None] = lambda text: None
    _evaluations: list[Evaluation] = field(default_factory=list)
    _points: list[Point] = field(default_factory=list)
    _surface: Surface = field(init=False)
    _priors: Priors | None = None

    def run(self, evaluator: Evaluator) -> SearchResult:
        """Run the search; `evaluator` plays the points."""
        rng = np.random.default_rng([self.seed, 1])
        least = evaluator.games_per_round
        searching = self.budget * (1 - FINAL_SHARE)
        fewest = max(LEAST_ROUNDS * least, LEAST_GAMES)
        evaluations = int(np.clip(searching // fewest, LEAST_EVALUATIONS, MOST_EVALUATIONS))
        rounds = max(LEAST_ROUNDS, int(searching / evaluations / least))
        designed = max(ROUND_EVALUATIONS, int(evaluations * DESIGN_SHARE / (1 - FINAL_SHARE)))
        design = self._design(rng, designed)
        for first in range(0, len(design), ROUND_EVALUATIONS):
            self._evaluate(evaluator, design[first : first + ROUND_EVALUATIONS], rounds)
        while len(self._evaluations) < evaluations:
            proposals = min(ROUND_EVALUATIONS, evaluations - len(self._evaluations))
            self._evaluate(evaluator, [self._proposal(rng) for _ in range(proposals)], rounds)
        return self._play_finals(evaluator, rng)

    def _evaluate(self, evaluator: Evaluator, points: Sequence[Point], rounds: int) -> None:
        """Evaluate points on common deals, and fit the surface to all evaluations so far."""
        number = self._evaluations[-1].round_number + 1 if self._evaluations else 0
        different = list(dict.fromkeys(points))
        games = rounds * evaluator.games_per_round
        measured = evaluator.evaluate(number, different, rounds)
        for point, numbers in zip(different, measured, strict=True):
            scaled, errors = self.space.scaled_factors([point])[0], numbers.standard_error
            self._evaluations.append(Evaluation(scaled, number, games, numbers.value, errors))
            self._points.append(point)
        self._surface = fit_surface(self._evaluations, self._priors)
        self._priors = self._surface.priors
        best = self._best_played
        expected = root_or_zero(float(self._expected_imbalance([best])[0]))
        self.on_best(f"imbalance {expected:.2f} expected of {self.space.changes_text(best)}")

    def _design(self, rng: np.random.Generator, evaluations: int) -> list[Point]:
        """The baseline, and points in which each factor moves or stays, at random."""
        points = [self.space.baseline]
        part = max(0.35, min(1.0, 1.5 / len(self.space.factors)))
        tries = 0
        while len(points) < evaluations:
            tries += 1
            # Rules with many moved factors are rarely valid, so each failed try moves fewer.
            moved = rng.random(len(self.space.factors)) < part * 0.98 ** (tries - len(points))
            point = tuple(
                int(rng.integers(len(f.levels))) if move else f.baseline_index
                for f, move in zip(self.space.factors, moved, strict=True)
            )
            if self.space.rules(point) is not None:
                points.append(point)
        return points

    def _expected_imbalance(self, points: Points) -> FloatArray:
        """The expected imbalance of points, which grows with the uncertainty of the surface."""
        rows, variances = self._surface.predict(self.space.scaled_factors(points))
        return np.asarray(self.target.imbalance(rows) + self.target.imbalance_noise(variances))

    def _proposal(self, rng: np.random.Generator) -> Point:
        """The best point under one draw of the surface's weights."""
        (weights,) = self._surface.draw_weights(rng)
        return self._descend(partial(self._imbalance_by, weights), self._best_played)

    def _imbalance_by(self, weights: FloatArray, points: Points) -> FloatArray:
        """The imbalance that points would have if the surface had these weights."""
        return self.target.imbalance(polynomial_terms(self.space.scaled_factors(points)) @ weights)

    @property
    def _best_played(self) -> Point:
        """Of all points played so far, the one with the least expected imbalance plus cost."""
        points = list(dict.fromkeys(self._points))
        values = self._expected_imbalance(points) + STEP_COST * self.space.step_counts(points)
        return points[int(np.argmin(values))]

    def _descend(self, imbalance: Callable[[Points], FloatArray], point: Point) -> Point:
        """Move one factor at a time, while imbalance plus cost falls; return the last point."""

        def prices_of(points: Points) -> FloatArray:
            return np.asarray(imbalance(points) + STEP_COST * self.space.step_counts(points))

        lowest = float(prices_of([point])[0])
        while (step := self._step_down(point, lowest, prices_of)) is not None:
            point, lowest = step
        return point

    def _step_down(
        self, point: Point, lowest: float, prices_of: Callable[[Points], FloatArray]
    ) -> tuple[Point, float] | None:
        """The cheapest valid point one move away, and its price; None if none is below `lowest`."""
        around = self.space.points_after_one_move(point)
        values = prices_of(around)
        for place in np.argsort(values, kind="stable"):
            if values[place] >= lowest:
                return None
            point = tuple(map(int, around[place]))
            if self.space.rules(point) is not None:
                return point, float(values[place])
        return None

    def _play_finals(self, evaluator: Evaluator, rng: np.random.Generator) -> SearchResult:
        """Play the best points with more games, in stages; return the result of the search."""
        games = self.budget * FINAL_SHARE / FINAL_STAGES / ROUND_EVALUATIONS
        rounds = max(1, round(games / evaluator.games_per_round))
        for _ in range(FINAL_STAGES):
            best = self._descend(self._expected_imbalance, self._best_played)
            finalists = [self.space.baseline, best, self._proposal(rng), self._proposal(rng)]
            self._evaluate(evaluator, finalists, rounds)
        played = sum(evaluation.games for evaluation in self._evaluations)
        best = self._descend(self._expected_imbalance, self._best_played)
        return SearchResult(self._recommended(best), len(self._evaluations), played)

    def _recommended(self, best: Point) -> Point:
        """`best` if it beats the baseline with LEAST_CHANCE or more; else the baseline."""
        both = [self.space.baseline, best]
        weights = self._surface.draw_weights(np.random.default_rng([self.seed, 4]), POSTERIOR_DRAWS)
        drawn = self._imbalance_by(weights, both) + STEP_COST * self.space.step_counts(both)
        return best if (drawn[:, 1] < drawn[:, 0]).mean() >= LEAST_CHANCE else self.space.baseline
