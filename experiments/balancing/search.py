"""The search: what to play next, from looks at a design to a race of finalists on common deals.

1. A design: the rules as they stand, and points in which every factor is moved or not at random.
2. Rounds of proposals. Each is best under weights drawn from what the surface leaves open (Thompson
   1933, Biometrika 25: 285-294), so that points are played that may be best, and at a price of
   distance of its own (as Knowles 2006, ParEGO, IEEE TEC 10: 50-66, draws weights), so that the
   whole front is searched. Looks of a round play deals of their own: the surface needs the level
   of each number as well as its differences, and luck that looks share would not average out.
3. A race: the front that the surface draws, and the best single change, play common deals in
   stages, each with twice the games of the one before; who is worse than a finalist that is no
   farther from the rules as they stand is dropped (Maron & Moore 1994), at an error of 5 % over
   all stages.

All is a function of the seed and of what was measured, so a search goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ethnos_sim.experiments.balancing.found import Finalist, Found, Measured, Player, Step
from ethnos_sim.experiments.balancing.goals import Goals, change
from ethnos_sim.experiments.balancing.space import Point, Points, Space
from ethnos_sim.experiments.balancing.surface import USUAL, Fitted, Observed, features, fit
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.jackknife import FloatArray, IntArray

AT_A_TIME = 8
"""Proposals of a round."""

MOST_LOOKS = 240
"""Looks of a search at most, so that fitting takes less time than playing."""

LEAST_LOOKS = 24

LEAST_ROUNDS = 2
"""Rounds of deals of a look at least: from one alone the noise of a game cannot be told."""

DESIGN_PART, RACE_PART = 0.3, 0.3
"""Parts of the games that the design and the race get; proposals get the rest."""

MOST_FINALISTS = 8
STAGES = 3

LEAST_STEP = 1e-9
"""A step down that is smaller is none."""

DRAWS = 400
"""Draws of what may be true, for the interval of a step's effect."""

REFIT = 1.25
"""The prior's variances are found anew when there are so many times the looks."""

PRICES = (0.0, *np.geomspace(0.02, 20, 10))
"""Prices of distance, in imbalance a unit of cost, at which the front is drawn."""


@dataclass(eq=False)
class Search:
    """A search through a space; `run` is called once.

    Attributes:
        space: what moves.
        goals: what is wanted.
        groups: columns of the measured numbers that share a prior: the clans, and each other one.
        budget: games, at most up to one look.
        seed: of the design and of the proposals.
    """

    space: Space
    goals: Goals
    groups: Sequence[Sequence[int]]
    budget: int
    seed: int
    on_best: Callable[[str], None] = lambda told: None
    _seen: list[Observed] = field(default_factory=list)
    _points: list[Point] = field(default_factory=list)
    _fits: list[Fitted] = field(default_factory=list)
    _games: int = 0
    _fitted: int = 0

    def run(self, player: Player) -> Found:
        """Search with a player that measures."""
        rng = np.random.default_rng([self.seed, 1])
        least = player.games_per_round
        searching = self.budget * (1 - RACE_PART)
        looks = int(np.clip(searching // (LEAST_ROUNDS * least), LEAST_LOOKS, MOST_LOOKS))
        rounds = max(LEAST_ROUNDS, int(searching / looks / least))
        number = 0
        design = self._design(rng, max(AT_A_TIME, int(looks * DESIGN_PART / (1 - RACE_PART))))
        for first in range(0, len(design), AT_A_TIME):
            self._look(player, number, design[first : first + AT_A_TIME], rounds)
            number += 1
        while len(self._seen) < looks:
            self._fit()
            self._look(player, number, self._proposals(rng, looks), rounds)
            number += 1
        self._fit()
        return self._race(player, number)

    def _look(self, player: Player, number: int, points: Sequence[Point], rounds: int) -> None:
        """Play points on deals of their own and keep what was seen."""
        own = [range(place * rounds, (place + 1) * rounds) for place in range(len(points))]
        for point, measured in zip(points, player.play(number, points, own), strict=True):
            self._keep(number, point, measured)

    def _keep(self, number: int, point: Point, measured: Measured) -> None:
        """Keep what was seen of a point."""
        numbers = measured.numbers
        self._seen.append(
            Observed(
                scaled=self.space.scaled([point])[0],
                round=number,
                games=measured.games,
                values=numbers.value,
                errors=numbers.standard_error,
            )
        )
        self._points.append(point)
        self._games += measured.games

    def _design(self, rng: np.random.Generator, looks: int) -> list[Point]:
        """The rules as they stand, and points in which each factor is moved or not at random."""
        found = [self.space.start]
        part = max(0.35, min(1.0, 1.5 / len(self.space.factors)))
        tries = 0
        while len(found) < looks:
            tries += 1
            # Many factors at once may hardly ever make rules; fewer do.
            moved = rng.random(len(self.space.factors)) < part * 0.98 ** (tries - len(found))
            point = tuple(
                int(rng.integers(len(f.levels))) if move else f.start
                for f, move in zip(self.space.factors, moved, strict=True)
            )
            if self.space.rules(point) is not None:
                found.append(point)
        return found

    def _fit(self) -> None:
        """Fit the surfaces to all that was seen."""
        anew = len(self._seen) >= REFIT * self._fitted
        before = [one.settings for one in self._fits] or [USUAL] * len(self.groups)
        self._fits = [
            fit(self._seen, group, settings, anew=anew)
            for group, settings in zip(self.groups, before, strict=True)
        ]
        self._fitted = len(self._seen) if anew else self._fitted
        best = self._descend(self._expected, 0.0, [self.space.start, *self._likely(3)])
        value = float(self._expected([best])[0])
        self.on_best(f"imbalance {np.sqrt(max(value, 0)):.2f} expected of {self.space.text(best)}")

    def _expected(self, points: Points) -> FloatArray:
        """What imbalance and penalty are to be expected of points, with what is not known of it."""
        rows, variances = self._predicted(points)
        standing, _ = self._predicted([self.space.start])
        expected = self.goals.imbalance(rows) + self.goals.noise(variances)
        return np.asarray(expected + self.goals.penalty(rows, standing[0]))

    def _predicted(self, points: Points) -> tuple[FloatArray, FloatArray]:
        """The numbers of points and their variances, shape (points, numbers)."""
        scaled = self.space.scaled(points)
        width = sum(map(len, self.groups))
        rows, variances = np.zeros((2, len(points), width))
        for group, fitted in zip(self.groups, self._fits, strict=True):
            rows[:, list(group)], variances[:, list(group)] = fitted.with_own(scaled)
        return rows, variances

    def _draw(self, rng: np.random.Generator) -> Callable[[Points], FloatArray]:
        """The imbalance under one draw of what may be true."""
        drawn = [fitted.drawn(rng) for fitted in self._fits]

        def value(points: Points) -> FloatArray:
            places = np.concatenate([np.asarray(points), [self.space.start]])
            terms, _ = features(self.space.scaled(places))
            rows = np.zeros((len(terms), sum(map(len, self.groups))))
            for group, weights in zip(self.groups, drawn, strict=True):
                rows[:, list(group)] = terms @ weights
            off = self.goals.imbalance(rows[:-1])
            return np.asarray(off + self.goals.penalty(rows[:-1], rows[-1]))

        return value

    def _proposals(self, rng: np.random.Generator, looks: int) -> list[Point]:
        """What to play in the next round."""
        found: dict[Point, None] = {}
        for _ in range(min(AT_A_TIME, looks - len(self._seen))):
            price = float(rng.choice(PRICES)) if rng.random() < 0.5 else 1.0
            starts = [
                self.space.start,
                *self._likely(2),
                self._points[rng.integers(len(self._points))],
            ]
            found.setdefault(self._descend(self._draw(rng), price, starts))
        return list(found)

    def _likely(self, count: int) -> list[Point]:
        """The points played so far of which most is expected."""
        if not self._fits:
            return []
        points = list(dict.fromkeys(self._points))
        order = np.argsort(self._expected(points) + self.space.cost(points), kind="stable")
        return [points[place] for place in order[:count]]

    def _descend(
        self,
        value: Callable[[Points], FloatArray],
        price: float,
        starts: Sequence[Point],
    ) -> Point:
        """The lowest point that steps lead to from some points, with cost at a price."""

        def priced(points: Points) -> FloatArray:
            return np.asarray(value(points) + price * self.space.cost(points))

        reached: dict[Point, float] = {}
        for start in dict.fromkeys(starts):
            at, lowest = start, float(priced([start])[0])
            moved = True
            while moved:
                # Two factors at once are tried where one alone leads no farther down.
                for around in (self.space.one_moved(at), self.space.two_moved(at)):
                    found = self._lowest(around, priced(around), lowest)
                    moved = found is not None
                    if found is not None:
                        at, lowest = found
                        break
            reached[at] = lowest
        return min(reached, key=lambda point: (reached[point], point))

    def _lowest(
        self, points: IntArray, values: FloatArray, below: float
    ) -> tuple[Point, float] | None:
        """The lowest point that makes rules, with its value; None where none is below."""
        for place in np.argsort(values, kind="stable"):
            if values[place] >= below - LEAST_STEP:
                break
            point = tuple(map(int, points[place]))
            if self.space.rules(point) is not None:
                return point, float(values[place])
        return None

    def _best_single(self) -> Point:
        """The one change of which most is expected; the rules as they stand where none helps."""
        points = [tuple(map(int, row)) for row in self.space.one_moved(self.space.start)]
        allowed = [point for point in points if self.space.rules(point) is not None]
        values = self._expected(allowed) + self.space.cost(allowed)
        return allowed[int(np.argmin(values))]

    def _front(self) -> list[Point]:
        """The points that the surface expects to be best at some price, no two alike."""
        found: dict[Point, None] = {}
        starts = [self.space.start, *self._likely(4)]
        for price in PRICES:
            found.setdefault(self._descend(self._expected, price, [*starts, *list(found)[-1:]]))
        found.setdefault(self._descend(self._expected, 1.0, starts))
        return list(found)

    def _race(self, player: Player, number: int) -> Found:
        """Let finalists play common deals, and choose."""
        single = self._best_single()
        front = self._thinned(
            [p for p in self._front() if p not in (single, self.space.start)],
            player.games_per_round,
        )
        racing = list(dict.fromkeys([self.space.start, single, *front]))
        kept: dict[Point, Measured] = {}
        dropped: set[Point] = set()
        reached = 0
        for rounds in self._stages(len(racing), player.games_per_round):
            left = [point for point in racing if point not in dropped]
            # The games of those who were dropped go to the others.
            more = rounds * len(racing) // len(left) // BLOCKS * BLOCKS
            common = range(reached, reached + more)
            played = player.play(number, left, [common] * len(left))
            for point, measured in zip(left, played, strict=True):
                kept[point] = kept[point].plus(measured) if point in kept else measured
            reached += more
            number += 1
            dropped |= self._beaten({point: kept[point] for point in left}, single)
        for point, measured in kept.items():
            self._keep(number, point, measured)
        self._fit()
        left = [point for point in racing if point not in dropped]
        values = self._expected(left) + self.space.cost(left)
        best = left[int(np.argmin(values))]
        return Found(
            best=best,
            single=single,
            front=tuple(self._undominated(left)),
            finalists=tuple(Finalist(point, kept[point], point in dropped) for point in racing),
            steps=tuple(self._steps()),
            looks=len(self._seen),
            games=self._games,
        )

    def _steps(self) -> Iterator[Step]:
        """What a step up and down of each factor does, from the rules as they stand."""
        rng = np.random.default_rng([self.seed, 4])
        start = self.space.start
        asked = [
            (place, step, (*start[:place], start[place] + step, *start[place + 1 :]))
            for place, factor in enumerate(self.space.factors)
            for step in (-1, 1)
            if 0 <= start[place] + step < len(factor.levels)
        ]
        points = [start, *(point for _, _, point in asked)]
        drawn = np.stack([self._draw(rng)(points) for _ in range(DRAWS)])
        roots = np.sqrt(np.maximum(drawn, 0.0))
        changes = roots[:, 1:] - roots[:, :1]
        low, value, high = np.quantile(changes, (0.025, 0.5, 0.975), axis=0)
        for number, (place, step, _) in enumerate(asked):
            yield Step(
                self.space.factors[place],
                step > 0,
                float(value[number]),
                float(low[number]),
                float(high[number]),
            )

    def _stages(self, finalists: int, least: int) -> list[int]:
        """The rounds of each stage of a race, whole blocks of deals each."""
        rounds = self.budget * RACE_PART / finalists / least
        stages = next(
            count for count in (3, 2, 1) if count == 1 or rounds >= BLOCKS * (2**count - 1)
        )
        parts = [2**stage / (2**stages - 1) for stage in range(stages)]
        return [max(1, int(rounds * part / BLOCKS)) * BLOCKS for part in parts]

    def _thinned(self, points: list[Point], least: int) -> list[Point]:
        """At most so many points of a front, spread over its distances, the ends among them."""
        affordable = int(self.budget * RACE_PART / BLOCKS / least)
        room = int(np.clip(affordable, 4, MOST_FINALISTS)) - 2
        best = min(
            points,
            key=lambda p: float(self._expected([p])[0] + self.space.cost([p])[0]),
            default=None,
        )
        in_order = sorted(points, key=lambda point: (float(self.space.cost([point])[0]), point))
        if len(in_order) > room:
            places = np.unique(np.linspace(0, len(in_order) - 1, room).round().astype(int))
            in_order = [in_order[place] for place in places]
        if best is not None and best not in in_order:
            in_order[-1:] = [best]
        return in_order

    def _undominated(self, points: list[Point]) -> list[Point]:
        """Points of which each is expected to be better than all that are no farther off."""
        found: list[Point] = []
        lowest = np.inf
        values = dict(zip(points, self._expected(points), strict=True))
        for point in sorted(
            points, key=lambda p: (float(self.space.cost([p])[0]), float(values[p]))
        ):
            if values[point] < lowest:
                found.append(point)
                lowest = float(values[point])
        return found

    def _beaten(self, kept: dict[Point, Measured], single: Point) -> set[Point]:
        """Who is worse than a finalist that is no farther off, at 5 % over all looks."""
        imbalance = {point: self.goals.measured(found.numbers) for point, found in kept.items()}
        cost = {point: float(self.space.cost([point])[0]) for point in kept}
        beaten = set()
        for point in kept:
            if point in (self.space.start, single):
                continue
            rivals = [other for other in kept if other != point and cost[other] <= cost[point]]
            for other in rivals:
                worse = change(imbalance[other], imbalance[point])
                low, _ = worse.interval(len(kept) * STAGES)
                if low > 0:
                    beaten.add(point)
        return beaten
