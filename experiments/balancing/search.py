"""The search: what to play next, from evaluations at a design to finalists on common deals.

1. A design: the baseline, and points in which each factor moves or stays, at random.
2. Rounds of proposals. A proposal is the best point under weights drawn from the posterior of the
   surface (Thompson 1933, Biometrika 25: 285-294), so that each point is proposed with the
   probability that it is the best. A proposal also has a random price of distance, so that the
   whole front is searched: the best point at each distance from the baseline. (Knowles 2006,
   ParEGO, IEEE TEC 10: 50-66, draws weights in this way.)
3. Finals: the points of the predicted front and the baseline play, in stages. After each stage the
   surface is fitted to all evaluations, and the front is computed again.

The rule sets of one round play the same deals, so that most of their luck cancels in their
differences. The next round plays other deals: the level of each number counts too, and luck that
all rounds shared would never average out.

The search recommends the rule set that is expected to be nearest to the goals, by all evaluations
together. If this rule set is not likely to be nearer than the baseline, the baseline is
recommended. Everything is a function of the seed and of the measured numbers, so a stopped search
can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goals
from ethnos_sim.experiments.balancing.space import Point, Points, Space
from ethnos_sim.experiments.balancing.surface import BoolArray, Fitted, Observed, features, fit
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import with_bounds

AT_A_TIME = 4
"""The number of evaluations in each round."""

MOST_EVALUATIONS = 240
"""The most evaluations of a search, so that fitting takes less time than playing."""

LEAST_EVALUATIONS = 24

LEAST_ROUNDS, LEAST_GAMES = 2, 250
"""The fewest rounds of deals and the fewest games of an evaluation. One round does not show the
noise of a game, and preparing tables takes time."""

DESIGN_PART, FINAL_PART = 0.35, 0.2
"""The parts of the games for the design and the finals; proposals get the rest."""

STAGES = 3
MOST_FINALISTS = 7
"""The most finalists beside the baseline."""

LEAST_STEP = 1e-9
"""A smaller improvement does not count as a step."""

DRAWS = 400
"""The number of posterior draws for the interval of a step's effect and for the final choice."""

LIKELY = 0.95
"""A change is recommended if the chance that it is nearer to the goals is at least this."""

REFIT = 1.25
"""The prior's widths are estimated again when the number of evaluations has grown by this
factor."""

PRICES = (0.0, *np.geomspace(0.05, 20, 7), 1.0)
"""The prices of distance at which the front is computed: imbalance per unit of cost."""


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


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The result of a search.

    Attributes:
        best: the point that the search recommends.
        single: the best point that moves one factor.
        front: points from the baseline on, with rising distance and falling imbalance.
        steps: the change of the root of imbalance by a step of one factor, from all evaluations;
            labelled by the factor (`name`) and by `step`, "down" or "up". The interval holds the
            middle 95 % of the posterior.
        evaluations: the number of evaluations, the finals included.
        games: the number of games.
    """

    best: Point
    single: Point
    front: tuple[Point, ...]
    steps: Estimates
    evaluations: int
    games: int


@dataclass(eq=False)
class Search:
    """A search through a space; `run` is called once.

    Attributes:
        space: the factors that move.
        goals: the goals.
        groups: groups of columns of the measured numbers that share a prior, in order: all clans,
            then each other number alone.
        near: which factors belong to each number's clan, shape (factors, numbers).
        budget: the most games, exceeded by at most one evaluation.
        seed: the seed of the design and of the proposals.
    """

    space: Space
    goals: Goals
    groups: Sequence[Sequence[int]]
    near: BoolArray
    budget: int
    seed: int
    on_best: Callable[[str], None] = lambda text: None
    _seen: list[Observed] = field(default_factory=list)
    _points: list[Point] = field(default_factory=list)
    _fits: list[Fitted] = field(default_factory=list)
    _rounds: int = 0
    _fitted: int = 0

    def run(self, player: Player) -> SearchResult:
        """Run the search; `player` plays rule sets and measures them."""
        rng = np.random.default_rng([self.seed, 1])
        least = player.games_per_round
        searching = self.budget * (1 - FINAL_PART)
        fewest = max(LEAST_ROUNDS * least, LEAST_GAMES)
        evaluations = int(np.clip(searching // fewest, LEAST_EVALUATIONS, MOST_EVALUATIONS))
        rounds = max(LEAST_ROUNDS, int(searching / evaluations / least))
        design = self._design(
            rng, max(AT_A_TIME, int(evaluations * DESIGN_PART / (1 - FINAL_PART)))
        )
        for first in range(0, len(design), AT_A_TIME):
            self._evaluate(player, design[first : first + AT_A_TIME], rounds)
        while len(self._seen) < evaluations:
            self._fit()
            left = min(AT_A_TIME, evaluations - len(self._seen))
            proposals = [self._drawn(rng, self._price(rng)) for _ in range(left)]
            self._evaluate(player, proposals, rounds)
        self._fit()
        return self._finals(player, rng)

    def _evaluate(self, player: Player, points: Sequence[Point], rounds: int) -> None:
        """Play points on common deals, and keep their evaluations."""
        different = list(dict.fromkeys(points))
        played = player.play(self._rounds, different, rounds)
        games = rounds * player.games_per_round
        for point, numbers in zip(different, played, strict=True):
            self._seen.append(
                Observed(
                    scaled=self.space.scaled([point])[0],
                    round=self._rounds,
                    games=games,
                    values=numbers.value,
                    errors=numbers.standard_error,
                )
            )
            self._points.append(point)
        self._rounds += 1

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

    def _fit(self) -> None:
        anew = len(self._seen) >= REFIT * self._fitted
        before: list[FloatArray | None] = [fitted.settings for fitted in self._fits]
        before = before or [None] * len(self.groups)
        self._fits = [
            fit(self._seen, group, self.near[:, list(group)], settings, anew=anew)
            for group, settings in zip(self.groups, before, strict=True)
        ]
        self._fitted = len(self._seen) if anew else self._fitted
        (best,) = self._likely(1)
        value = float(self._expected([best])[0])
        self.on_best(f"imbalance {np.sqrt(max(value, 0)):.2f} expected of {self.space.text(best)}")

    def _expected(self, points: Points) -> FloatArray:
        """The expected imbalance and penalty of points, including the surface's uncertainty."""
        rows, variances = self._predicted(points)
        standing, _ = self._predicted([self.space.start])
        expected = self.goals.imbalance(rows) + self.goals.noise(variances)
        return np.asarray(expected + self.goals.penalty(rows, standing[0]))

    def _predicted(self, points: Points) -> tuple[FloatArray, FloatArray]:
        scaled = self.space.scaled(points)
        rows, variances = zip(*(fitted.predict(scaled) for fitted in self._fits), strict=True)
        return np.concatenate(rows, axis=-1), np.concatenate(variances, axis=-1)

    def _draw(self, rng: np.random.Generator) -> Callable[[Points], FloatArray]:
        """The imbalance and penalty as a function of points, under one draw of the surface."""
        weights = np.concatenate([fitted.drawn(rng) for fitted in self._fits], axis=-1)

        def value(points: Points) -> FloatArray:
            places = np.concatenate([np.asarray(points), [self.space.start]])
            rows = features(self.space.scaled(places)) @ weights
            off = self.goals.imbalance(rows[:-1])
            return np.asarray(off + self.goals.penalty(rows[:-1], rows[-1]))

        return value

    def _price(self, rng: np.random.Generator) -> float:
        """Draw a price of distance: half the time it is 1, otherwise one of PRICES."""
        return float(rng.choice(PRICES)) if rng.random() < 0.5 else 1.0

    def _drawn(self, rng: np.random.Generator, price: float) -> Point:
        """The best point at this price of distance, under one draw of the surface."""
        return self._descend(self._draw(rng), price, self._likely(1))

    def _likely(self, count: int) -> list[Point]:
        """The `count` points with the best expectation among all points played so far."""
        return self._in_order(list(dict.fromkeys(self._points)))[:count]

    def _in_order(self, points: Sequence[Point]) -> list[Point]:
        """Points in the order of expected imbalance plus cost, the best first."""
        values = self._expected(points) + self.space.cost(points)
        return [points[place] for place in np.argsort(values, kind="stable")]

    def _descend(
        self, value: Callable[[Points], FloatArray], price: float, starts: Sequence[Point]
    ) -> Point:
        """Step down from each start; return the point with the lowest `value` + `price` * cost."""

        def priced(points: Points) -> FloatArray:
            return np.asarray(value(points) + price * self.space.cost(points))

        reached: dict[Point, float] = {}
        for start in dict.fromkeys(starts):
            at, lowest = start, float(priced([start])[0])
            while (step := self._step_down(at, lowest, priced)) is not None:
                at, lowest = step
            reached[at] = lowest
        return min(reached, key=lambda point: (reached[point], point))

    def _step_down(
        self, at: Point, lowest: float, value: Callable[[Points], FloatArray]
    ) -> tuple[Point, float] | None:
        """The lowest point after one move, and its value; None where no point is lower.

        A move changes one factor. If no point is lower after it, two factors are moved.
        """
        for moved in (self.space.one_moved, self.space.two_moved):
            around = moved(at)
            values = value(around)
            for place in np.argsort(values, kind="stable"):
                if values[place] >= lowest - LEAST_STEP:
                    break
                point = tuple(map(int, around[place]))
                if self.space.rules(point) is not None:
                    return point, float(values[place])
        return None

    def _best_single(self) -> Point:
        """The point that is expected to be best among points that move one factor."""
        points = [tuple(map(int, row)) for row in self.space.one_moved(self.space.start)]
        allowed = [point for point in points if self.space.rules(point) is not None]
        return self._in_order(allowed)[0]

    def _front(self) -> list[Point]:
        """The baseline, and the best point at each price."""
        points, starts = [self.space.start], self._likely(2)
        for price in PRICES:
            points.append(self._descend(self._expected, price, starts))
            starts = points[-1:]  # At a slightly higher price the best point is slightly nearer.
        return list(dict.fromkeys(points))

    def _finals(self, player: Player, rng: np.random.Generator) -> SearchResult:
        """Play the expected front, compute it again after each stage, and choose."""
        for _ in range(STAGES):
            finalists = self._thinned(self._front())
            finalists += [self._drawn(rng, 1.0) for _ in range(AT_A_TIME - len(finalists))]
            games = self.budget * FINAL_PART / STAGES / len(finalists)
            self._evaluate(player, finalists, max(1, round(games / player.games_per_round)))
            self._fit()
        single = self._best_single()
        points = [*self._thinned(self._front()), single]
        return SearchResult(
            best=self._chosen(points),
            single=single,
            front=self._undominated(points),
            steps=self._steps(),
            evaluations=len(self._seen),
            games=self._games,
        )

    @property
    def _games(self) -> int:
        return sum(evaluation.games for evaluation in self._seen)

    def _chosen(self, points: Sequence[Point]) -> Point:
        """The point expected to be best, if its chance to beat the baseline is at least LIKELY.

        Otherwise the baseline.
        """
        start = self.space.start
        best = self._in_order(points)[0]
        if best == start:
            return start
        drawn = self._sampled([start, best]) + self.space.cost([start, best])
        return best if (drawn[:, 1] < drawn[:, 0]).mean() >= LIKELY else start

    def _sampled(self, points: Sequence[Point]) -> FloatArray:
        rng, scaled = np.random.default_rng([self.seed, 4]), self.space.scaled(points)
        drawn = [fitted.sampled(scaled, DRAWS, rng) for fitted in self._fits]
        rows = np.concatenate(drawn, axis=-1)
        return self.goals.imbalance(rows) + self.goals.penalty(rows, rows[:, :1])

    def _steps(self) -> Estimates:
        start = self.space.start
        asked = [
            (factor.label, word, (*start[:place], start[place] + step, *start[place + 1 :]))
            for place, factor in enumerate(self.space.factors)
            for word, step in (("down", -1), ("up", 1))
            if 0 <= start[place] + step < len(factor.levels)
        ]
        names, words, points = zip(*asked, strict=True)
        roots = np.sqrt(self._sampled([start, *points]))
        low, value, high = np.quantile(roots[:, 1:] - roots[:, :1], (0.025, 0.5, 0.975), axis=0)
        about = {"estimand": "step", "name": names, "step": words}
        return with_bounds(value, low, high, unit="", games=self._games, **about)

    def _thinned(self, points: Sequence[Point]) -> list[Point]:
        """The baseline and at most MOST_FINALISTS other points of a front, spread over distances.

        The best point is among them.
        """
        start, *others = points
        if len(others) <= MOST_FINALISTS:
            return list(points)
        best = self._in_order(others)[0]
        in_order = sorted(others, key=lambda point: (float(self.space.cost([point])[0]), point))
        places = np.linspace(0, len(in_order) - 1, MOST_FINALISTS - 1).round().astype(int)
        return list(dict.fromkeys([start, best, *(in_order[place] for place in places)]))

    def _undominated(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """The points expected to be better than each point that is no farther from the baseline."""
        values, costs = self._expected(points), self.space.cost(points)
        order = np.lexsort((values, costs))
        lowest = np.minimum.accumulate(values[order])
        better = np.diff(lowest, prepend=np.inf) < 0
        return tuple(points[place] for place in order[better])
