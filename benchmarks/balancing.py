"""Test `ethnos-sim balance` on planted imbalances and on fair rules.

    python benchmarks/balancing.py planted [--seeds 20] [--games 60000]
    python benchmarks/balancing.py nulls [--seeds 100] [--games 12000]

Each search prints a line of JSON. It moves twelve values of the 2nd edition; greedy plays all four
seats.

`planted`: one, two or four values are moved, and a search begins at these rules, with ranges around
the original values. Balance counts as restored if the spread of the recommended rules, on fresh
deals, is at most the upper end of the interval for the original rules.

`nulls`: whichever rule set a search asks for, the printed rules are played, each time on different
deals. The result is the number of runs that report a better rule set.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from numpy.random import default_rng
from runner import run

from ethnos_sim.experiments.balancing.search import Search
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.balancing.outcome import BETTER, NONE, judge_finalists, make_outcome
from ethnos_sim.reports.balancing.playing import Evaluations, Validation
from ethnos_sim.reports.balancing.request import Request, check_request
from ethnos_sim.simulator.rules import RuleSet

VALUES = (
    "bear.on_take=0..16",
    "bear.age_4_6[1]=4..16",
    "bear.age_4_6[2]=4..24",
    "koi.last_space=18..30",
    "koi.prestige_4_6[1]=0..12",
    "koi.prestige_4_6[2]=4..24",
    "monkey.settlement[5]=8..30",
    "monkey.settlement[6]=15..45",
    "raccoon.coins=-1..4",
    "hand_limit=7..14",
    "markers=20..35",
    "party_points[5]=10..25",
)
PLANTS = (
    "bear.on_take=16",
    "koi.prestige_4_6=2,4,24",
    "monkey.settlement=0,1,3,6,10,15,45",
    "raccoon.coins=4,4,4,4,4,5,5,5,5,5,6,6,6,6",
)
"""The changes that may be planted. The last change adds 3 to all coins."""

FRESH_ROUNDS, FRESH_GAMES = 64, 400_000
"""Fresh games: FRESH_ROUNDS rounds, over the clan sets of a search of FRESH_GAMES games."""

FRESH_SEED = 10_000_000

Record = dict[str, object]


def planted_request(planted: Sequence[str], games: int, seed: int) -> Request:
    """A request to search the twelve values, beginning at printed rules with `planted` changes."""
    raccoon = any(plant.startswith("raccoon") for plant in planted)
    values = [
        "raccoon.coins=-4..1" if raccoon and value.startswith("raccoon") else value
        for value in VALUES
    ]
    return check_request(
        values,
        target="clan-spread",
        rule_set=RuleSet(edition="second", values=tuple(planted)),
        players=4,
        strategies=["greedy"],
        validators=["greedy"],
        games=games,
        seed=seed,
    )


def make_search(request: Request) -> Search:
    """The search for a request, with all its games."""
    return Search(request.space, request.aim.target, request.games, request.seed)


def with_seed(evaluations: Evaluations, seed: int) -> Evaluations:
    """The same evaluations and clan sets, with the deals of `seed`."""
    return replace(evaluations, request=replace(evaluations.request, seed=seed))


def fresh_spreads(request: Request, points: Sequence[Point], seed: int) -> list[list[float]]:
    """The spread of each point in percentage points: value, low and high, on fresh deals."""
    fresh = with_seed(Evaluations(request, Threads(1), FRESH_GAMES), FRESH_SEED + seed)
    different = list(dict.fromkeys(points))
    numbers = dict(zip(different, fresh.evaluate(0, different, FRESH_ROUNDS), strict=True))
    finalists = judge_finalists(request.aim, Validation("greedy", numbers, 0), points[0])
    spreads = [finalists[point].distance for point in points]
    return [[100 * (end or 0.0) for end in (one.value, one.low, one.high)] for one in spreads]


def drawn_plants(seed: int, count: int) -> tuple[str, ...]:
    """The `count` changes to plant, which the seed draws."""
    chosen = default_rng([seed, count]).choice(len(PLANTS), count, replace=False)
    return tuple(PLANTS[index] for index in sorted(chosen))


def run_planted(seed: int, games: int) -> Iterator[Record]:
    """Plant one, two and four changes, and search each time."""
    for count in (1, 2, 4):
        request = planted_request(drawn_plants(seed, count), games, seed)
        result = make_search(request).run(Evaluations(request, Threads(1), games))
        before, after = fresh_spreads(request, [request.space.baseline, result.best], seed)
        untouched = planted_request((), games, seed)
        (spread,) = fresh_spreads(untouched, [untouched.space.baseline], seed)
        yield {
            "planted": count,
            "games": result.games,
            "found": request.space.changes_text(result.best),
            "before": before,
            "after": after,
            "untouched": spread,
            "restored": after[0] <= spread[2],
        }


@dataclass(frozen=True)
class PrintedEvaluations(Evaluations):
    """Evaluations that play the printed rules for every point, on different deals."""

    def evaluate(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play the printed rules once for each point."""
        seed, start = self.request.seed, self.request.space.baseline
        printed = Evaluations(self.request, self.engine, self.games)
        apart = (with_seed(printed, seed + FRESH_SEED * (1 + n)) for n in range(len(points)))
        return [evaluation.evaluate(number, [start], rounds)[0] for evaluation in apart]


def run_nulls(seed: int, games: int) -> Iterator[Record]:
    """Search where all rules are the printed rules, and so nothing is to be found."""
    request = planted_request((), games, seed)
    player = PrintedEvaluations(request, Threads(1), games)
    result = make_search(request).run(player)
    points = list(dict.fromkeys([request.space.baseline, result.best]))
    numbers = dict(zip(points, player.evaluate(FRESH_SEED, points, BLOCKS), strict=True))
    outcome = make_outcome(request, result, [Validation("greedy", numbers, 0)])
    yield {
        "recommended": outcome.word != NONE,
        "any_better": any(finalist.word == BETTER for finalist in outcome.finalists[0].values()),
    }


def run_searches(
    what: Literal["planted", "nulls"], *, seeds: int | None = None, games: int | None = None
) -> None:
    """Run one of the benchmarks and print a line for every search."""
    usual_seeds, usual_games = (100, 12_000) if what == "nulls" else (20, 60_000)
    games = games or usual_games
    for seed in range(1, (seeds or usual_seeds) + 1):
        for record in (run_planted if what == "planted" else run_nulls)(seed, games):
            print(json.dumps({"seed": seed, **record}), flush=True)


if __name__ == "__main__":
    run(run_searches)
