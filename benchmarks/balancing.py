"""`ethnos-sim balance` beside other optimizers, on planted imbalances, and where nothing is.

    python benchmarks/balancing.py peers [--seeds 20] [--games 60000] [--methods own,tpe,...]
    python benchmarks/balancing.py planted [--seeds 20] [--games 60000]
    python benchmarks/balancing.py nulls [--seeds 100] [--games 12000]

All take `--first-seed` and `--out FILE`, to which a line of JSON is added for every search.
Everything is played by greedy at four players, over twelve values of the 2nd edition.

`peers`: the same objective, the unbiased square of the spread of an evaluation, for optuna's TPE
(100 trials of equal size, the best one), SMAC3 (evaluations as instances, so that configurations
race on common deals) and an NTBEA of the published settings (Lucas, Liu & Perez-Liebana 2018: 50
neighbors, tuples of one, two and all values; about 1,000 iterations of the smallest evaluation);
`own` is this program's search. A method may have games of its own: `own:20000`. All that is found
by one seed plays the same fresh deals. Needs `pip install optuna smac`.

`planted`: one, two or four values are moved; a search begins there, with a range around where they
were. Restored means that its rule set spreads no more, on fresh deals, than the upper end of the
interval of the untouched rules.

`nulls`: whatever a search or a screening asks for, the printed rules are played, each rule set on
deals of its own. Counted are the runs that report a better rule set, or an effect.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.balancing.goals import root
from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.balancing.spec import moved_value, parse_balance_spec
from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.balancing.effects import SURE, screen, screening_evaluations
from ethnos_sim.reports.balancing.evaluating import Evaluations
from ethnos_sim.reports.balancing.numbers import USUAL_SCREENED, screened
from ethnos_sim.reports.balancing.outcome import BETTER, NONE, outcome_of
from ethnos_sim.reports.balancing.run import Prepared, evaluations_of, prepare, search_of
from ethnos_sim.reports.balancing.validating import Validation

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
"""What may be planted; in that of the coins the search has to go back by 3."""

FRESH_ROUNDS = 64
PUBLISHED_NEIGHBORS = 50
TRIALS = 100
WORST = 1e4
"""What rule sets that are none count as."""


def problem(planted: tuple[str, ...], games: int, seed: int) -> Prepared:
    """A search over the twelve values from printed rules with some of them moved."""
    values = [moved_value(word) for word in VALUES]
    if any(plant.startswith("raccoon") for plant in planted):
        values[8] = moved_value("raccoon.coins=-4..1")
    return prepare(
        parse_balance_spec(
            {
                "set": list(planted),
                "values": values,
                "strategies": ["greedy"],
                "search_games": games,
                "seed": seed,
                "cost": 0.0,
            },
            "benchmark",
        )
    )


def validated(
    prepared: Prepared, points: list[Point], seed: int
) -> list[tuple[float, float, float]]:
    """The spread of points on the same fresh deals, in percentage points, with its interval."""
    evaluations = evaluations_of(prepared, Threads(1))
    evaluations.seed, evaluations.clan_sets = 10_000_000 + seed, 12
    different = list(dict.fromkeys(points))
    found = {}
    played = evaluations.play(0, different, [range(FRESH_ROUNDS)] * len(different))
    for point, measured in zip(different, played, strict=True):
        square = prepared.goals.measured(measured)
        value = float(square.center[0])
        low, high = (value + float(end[0] - square.value[0]) for end in square.interval())
        found[point] = (0.5 * root(value), 0.5 * root(low), 0.5 * root(high))
    return [found[point] for point in points]


def own_search(prepared: Prepared) -> tuple[Point, int]:
    """What this program's search recommends, and its games."""
    found = search_of(prepared).run(evaluations_of(prepared, Threads(1)))
    return found.best, found.games


class Objective:
    """The unbiased square of the spread of an evaluation, for optimizers that know nothing else."""

    def __init__(self, prepared: Prepared) -> None:
        """Lay the tables of evaluations, of which there are rounds for TRIALS."""
        self.prepared = prepared
        self.evaluations = evaluations_of(prepared, Threads(1))
        self.games = self.number = 0
        trial = prepared.spec.search_games // TRIALS
        self.rounds = range(max(2, trial // self.evaluations.games_per_round))

    def value(self, point: Point, rounds: range, number: int | None = None) -> float:
        """The objective of a point; evaluations of one number and equal rounds are common deals."""
        if self.prepared.space.rules(point) is None:
            return WORST
        if number is None:
            self.number += 1
            number = self.number
        (measured,) = self.evaluations.play(number, [point], [rounds])
        self.games += len(rounds) * self.evaluations.games_per_round
        return float(self.prepared.goals.measured(measured).center[0])


def by_tpe(prepared: Prepared) -> tuple[Point, int]:
    """Optuna's TPE with its usual settings."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    objective = Objective(prepared)
    factors = prepared.space.factors

    def trial_value(trial: optuna.Trial) -> float:
        point = (trial.suggest_int(each.label, 0, len(each.levels) - 1) for each in factors)
        return objective.value(tuple(point), objective.rounds)

    sampler = optuna.samplers.TPESampler(seed=prepared.spec.seed)
    study = optuna.create_study(sampler=sampler)
    labels = [factor.label for factor in factors]
    study.enqueue_trial(dict(zip(labels, prepared.space.start, strict=True)))
    while objective.games < prepared.spec.search_games:
        study.optimize(trial_value, n_trials=1)
    return tuple(study.best_params[label] for label in labels), objective.games


def by_smac(prepared: Prepared) -> tuple[Point, int]:
    """SMAC3's random forest with racing over seeds, each an evaluation of common deals."""
    import logging

    from ConfigSpace import ConfigurationSpace, Integer
    from smac import HyperparameterOptimizationFacade, Scenario

    logging.disable(logging.WARNING)
    objective = Objective(prepared)
    factors = prepared.space.factors
    space = ConfigurationSpace(seed=prepared.spec.seed)
    for factor in factors:
        space.add(Integer(factor.label, (0, len(factor.levels) - 1), default=factor.start))

    def point_of(configuration: object) -> Point:
        chosen = dict(configuration)  # type: ignore[call-overload]
        return tuple(int(chosen[factor.label]) for factor in factors)

    def trial_value(config: object, seed: int = 0) -> float:
        return objective.value(point_of(config), objective.rounds, number=seed % 2**20)

    of_trial = len(objective.rounds) * objective.evaluations.games_per_round
    trials = prepared.spec.search_games // of_trial
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            space, n_trials=trials, seed=prepared.spec.seed, output_directory=Path(folder)
        )
        found = HyperparameterOptimizationFacade(
            scenario, trial_value, overwrite=True, logging_level=False
        ).optimize()
    best = found[0] if isinstance(found, list) else found
    return point_of(best), objective.games


def by_ntbea(prepared: Prepared) -> tuple[Point, int]:
    """The N-tuple bandit evolutionary algorithm (arXiv 1802.05991)."""
    rng = np.random.default_rng([prepared.spec.seed, 9])
    objective = Objective(prepared)
    space = prepared.space
    count = len(space.factors)
    tuples: list[tuple[int, ...]] = [(one,) for one in range(count)]
    tuples += [(one, other) for one in range(count) for other in range(one)]
    tuples += [tuple(range(count))]
    seen: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}
    played = 0
    scale = 1.0

    def bound(point: Point, explore: float) -> float:
        total = 0.0
        for places in tuples:
            times, value = seen.get((places, tuple(point[at] for at in places)), (0, 0.0))
            mean = value / times if times else 0.0
            total += mean + explore * np.sqrt(np.log(played + 1) / (times + 0.5))
        return total / len(tuples)

    at = space.start
    visited: dict[Point, None] = {}
    while objective.games < prepared.spec.search_games:
        value = -np.sqrt(max(objective.value(at, range(1 + played // 10**9)), 0.0))
        scale = -value if not played and value else scale
        visited[at] = None
        for places in tuples:
            entry = seen.setdefault((places, tuple(at[place] for place in places)), [0, 0.0])
            entry[0] += 1
            entry[1] += value / scale
        played += 1
        around = [_mutated(space, at, rng) for _ in range(PUBLISHED_NEIGHBORS)]
        at = max(around, key=lambda point: bound(point, 1.0))
    return max(visited, key=lambda point: bound(point, 0.0)), objective.games


def _mutated(space: Space, point: Point, rng: np.random.Generator) -> Point:
    """A point with each level changed by a chance of one in their number, and one for certain."""
    factors = space.factors
    while True:
        change = rng.random(len(point)) < 1 / len(point)
        change[rng.integers(len(point))] = True
        found = tuple(
            int(rng.integers(len(factor.levels))) if changes else place
            for factor, place, changes in zip(factors, point, change, strict=True)
        )
        if space.rules(found) is not None:
            return found


def planted_for(seed: int, count: int) -> tuple[str, ...]:
    """Which values are planted in a seed."""
    chosen = np.random.default_rng([seed, count]).choice(len(PLANTS), count, replace=False)
    return tuple(PLANTS[place] for place in sorted(chosen))


Tell = Callable[[dict[str, object]], None]


def run_planted(seeds: range, games: int, tell: Tell) -> None:
    """Plant and search."""
    for seed in seeds:
        for count in (1, 2, 4):
            prepared = problem(planted_for(seed, count), games, seed)
            best, played = own_search(prepared)
            before, after = validated(prepared, [prepared.space.start, best], seed)
            untouched = problem((), games, seed)
            (own,) = validated(untouched, [untouched.space.start], seed)
            tell(
                {
                    "planted": count,
                    "seed": seed,
                    "games": played,
                    "found": prepared.space.text(best),
                    "before": before,
                    "after": after,
                    "untouched": own,
                    "restored": after[0] <= own[2],
                }
            )


METHODS = {"tpe": by_tpe, "smac": by_smac, "ntbea": by_ntbea, "own": own_search}
PROBLEMS = {"printed": 0, "planted 2": 2, "planted 4": 4}


def run_peers(seeds: range, games: int, tell: Tell, methods: Sequence[str]) -> None:
    """Let optimizers search the same problems."""
    for seed in seeds:
        for name, count in PROBLEMS.items():
            plants = planted_for(seed, count)
            for word in methods:
                method, _, own_games = word.partition(":")
                prepared = problem(plants, int(own_games or games), seed)
                began = time.process_time()
                point, played = METHODS[method](prepared)
                took = time.process_time() - began
                start, spread = validated(prepared, [prepared.space.start, point], seed)
                tell(
                    {
                        "problem": name,
                        "seed": seed,
                        "method": word,
                        "games": played,
                        "found": prepared.space.text(point),
                        "start": start,
                        "spread": spread,
                        "search_seconds": round(took, 1),
                    }
                )


@dataclass(frozen=True)
class Nothing:
    """Plays the printed rules whatever is asked for, each point on deals of its own."""

    evaluations: Evaluations

    @property
    def games_per_round(self) -> int:
        """The fewest games that a rule set can play."""
        return self.evaluations.games_per_round

    def play(
        self, number: int, points: Sequence[Point], rounds: Sequence[range]
    ) -> list[Estimates]:
        """Play the printed rules on rounds of deals that no other point has."""
        start = self.evaluations.space.start
        longest = max(own.stop for own in rounds)
        # Whole numbers of blocks apart, so that blocks of deals stay the same ones.
        apart = -(-longest // BLOCKS) * BLOCKS
        own = [range(n * apart + r.start, n * apart + r.stop) for n, r in enumerate(rounds)]
        # The printed rules are one rule set, which a plan has once.
        return [self.evaluations.play(number, [start], [each])[0] for each in own]


def run_nulls(seeds: range, games: int, tell: Tell) -> None:
    """Search and screen where nothing is."""
    for seed in seeds:
        prepared = problem((), games, seed)
        start = prepared.space.start
        player = Nothing(evaluations_of(prepared, Threads(1)))
        found = search_of(prepared).run(player)
        points = list(dict.fromkeys([start, found.single, found.best, *found.front]))
        rows = player.play(10_000_000, points, [range(BLOCKS)] * len(points))
        numbers = dict(zip(points, rows, strict=True))
        games = len(points) * BLOCKS * player.games_per_round
        validation = Validation("fresh", "greedy", numbers, games)
        outcome = outcome_of(prepared.space, prepared.goals, found.best, found.single, [validation])
        targets, screened_numbers = screened(
            USUAL_SCREENED, prepared.space.base, 4, prepared.spec.strategies
        )
        evaluations = screening_evaluations(replace(prepared, numbers=screened_numbers), Threads(1))
        effects = screen(prepared, targets, Nothing(evaluations))
        tell(
            {
                "seed": seed,
                "recommended": outcome.word != NONE,
                "any_better": BETTER in outcome.numbers["word"],
                "effects": sum(p < SURE for p in effects.numbers["p_holm"]),
                "games": found.games + validation.games + effects.games,
            }
        )


def main() -> None:
    """Run one of the benchmarks and print a line for every search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["peers", "planted", "nulls"])
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--games", type=int)
    parser.add_argument("--methods", default="own,own:20000,tpe,smac,ntbea")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    started = time.process_time()

    def tell(record: dict[str, object]) -> None:
        record["seconds"] = round(time.process_time() - started, 1)
        line = json.dumps(record)
        print(line, flush=True)
        if given.out:
            with given.out.open("a") as file:
                file.write(line + "\n")

    usual = 100 if given.what == "nulls" else 20
    seeds = range(given.first_seed, given.first_seed + (given.seeds or usual))
    if given.what == "planted":
        run_planted(seeds, given.games or 60_000, tell)
    elif given.what == "nulls":
        run_nulls(seeds, given.games or 12_000, tell)
    else:
        run_peers(seeds, given.games or 60_000, tell, given.methods.split(","))


if __name__ == "__main__":
    main()
