"""Test `ethnos-sim balance` on planted imbalances and on fair rules.

    python benchmarks/balancing.py planted [--seeds 20] [--games 60000]
    python benchmarks/balancing.py nulls [--seeds 100] [--games 12000]

Both take `--first-seed` and `--out FILE`, to which each search adds a line of JSON. A search moves
twelve values of the 2nd edition; greedy plays all four seats.

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
from pathlib import Path
from typing import Literal

from numpy.random import default_rng
from runner import run

from ethnos_sim.experiments.balancing.goals import root
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.balancing.spec import moved_value, parse_balance_spec
from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.balancing.evaluations import Evaluations, clan_sets_of
from ethnos_sim.reports.balancing.numbers import PreparedSearch, prepare
from ethnos_sim.reports.balancing.outcome import BETTER, NONE, outcome_of
from ethnos_sim.reports.balancing.run import evaluations_of, search_of
from ethnos_sim.reports.balancing.validations import Validation

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

FRESH_ROUNDS = 64
FRESH_CLAN_SETS = 12
FRESH_SEED = 10_000_000

Record = dict[str, object]


def problem(planted: Sequence[str], games: int, seed: int) -> PreparedSearch:
    """A search over the twelve values; it begins at printed rules with `planted` changes."""
    values = [moved_value(word) for word in VALUES]
    if any(plant.startswith("raccoon") for plant in planted):
        values[8] = moved_value("raccoon.coins=-4..1")
    content = {
        "set": list(planted),
        "values": values,
        "strategies": ["greedy"],
        "search_games": games,
        "seed": seed,
        "cost": 0.0,
    }
    return prepare(parse_balance_spec(content, "benchmark"))


def reseeded(evaluations: Evaluations, seed: int) -> Evaluations:
    """The same evaluations and clan sets, with the deals of `seed`."""
    prepared = evaluations.prepared
    spec = prepared.spec.model_copy(update={"seed": seed})
    return replace(evaluations, prepared=replace(prepared, spec=spec))


def validated(
    prepared: PreparedSearch, points: Sequence[Point], seed: int
) -> list[tuple[float, float, float]]:
    """The spread of points on the same fresh deals, in percentage points, with its interval."""
    fresh = reseeded(Evaluations(prepared, Threads(1), FRESH_CLAN_SETS), FRESH_SEED + seed)
    different = list(dict.fromkeys(points))
    spreads = {}
    for point, measured in zip(different, fresh.play(0, different, FRESH_ROUNDS), strict=True):
        square = prepared.goals.measured(measured)
        value = float(square.center[0])
        low, high = (value + float(end[0] - square.value[0]) for end in square.interval())
        spreads[point] = (0.5 * root(value), 0.5 * root(low), 0.5 * root(high))
    return [spreads[point] for point in points]


def own_search(prepared: PreparedSearch) -> tuple[Point, int]:
    """The recommendation of this program's search, and its games."""
    result = search_of(prepared).run(evaluations_of(prepared, Threads(1)))
    return result.best, result.games


def planted_for(seed: int, count: int) -> tuple[str, ...]:
    """The `count` changes that are planted for a seed."""
    chosen = default_rng([seed, count]).choice(len(PLANTS), count, replace=False)
    return tuple(PLANTS[place] for place in sorted(chosen))


def run_planted(seed: int, games: int) -> Iterator[Record]:
    """Plant one, two and four changes, and search each time."""
    for count in (1, 2, 4):
        prepared = problem(planted_for(seed, count), games, seed)
        best, played = own_search(prepared)
        before, after = validated(prepared, [prepared.space.start, best], seed)
        untouched = problem((), games, seed)
        (spread,) = validated(untouched, [untouched.space.start], seed)
        yield {
            "planted": count,
            "games": played,
            "found": prepared.space.text(best),
            "before": before,
            "after": after,
            "untouched": spread,
            "restored": after[0] <= spread[2],
        }


@dataclass(frozen=True)
class Nothing(Evaluations):
    """Plays the printed rules in place of every point, each time on different deals."""

    def play(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play the printed rules once for each point."""
        seed, start = self.prepared.spec.seed, self.prepared.space.start
        printed = Evaluations(self.prepared, self.engine, self.clan_sets)
        apart = (reseeded(printed, seed + FRESH_SEED * (1 + n)) for n in range(len(points)))
        return [evaluation.play(number, [start], rounds)[0] for evaluation in apart]


def run_nulls(seed: int, games: int) -> Iterator[Record]:
    """Search rules without imbalance."""
    prepared = problem((), games, seed)
    start = prepared.space.start
    player = Nothing(prepared, Threads(1), clan_sets_of(games))
    result = search_of(prepared).run(player)
    points = list(dict.fromkeys([start, result.single, result.best, *result.front]))
    numbers = dict(zip(points, player.play(FRESH_SEED, points, BLOCKS), strict=True))
    validation = Validation("fresh", "greedy", numbers, 0)
    outcome = outcome_of(prepared.space, prepared.goals, result.best, result.single, [validation])
    yield {
        "recommended": outcome.word != NONE,
        "any_better": BETTER in outcome.numbers["word"].tolist(),
    }


def search(
    what: Literal["planted", "nulls"],
    *,
    seeds: int | None = None,
    first_seed: int = 1,
    games: int | None = None,
    out: Path | None = None,
) -> None:
    """Run one of the benchmarks and print a line for every search."""
    usual_seeds, usual_games = (100, 12_000) if what == "nulls" else (20, 60_000)
    games = games or usual_games
    for seed in range(first_seed, first_seed + (seeds or usual_seeds)):
        for record in (run_planted if what == "planted" else run_nulls)(seed, games):
            line = json.dumps({"seed": seed, **record})
            print(line, flush=True)
            if out:
                with out.open("a") as file:
                    file.write(line + "\n")


if __name__ == "__main__":
    run(search)
