"""Test `ethnos-sim balance`: against other optimizers, on planted imbalances, and on fair rules.

    python benchmarks/balancing.py peers [--seeds 20] [--games 60000] [--methods own,tpe,...]
    python benchmarks/balancing.py planted [--seeds 20] [--games 60000]
    python benchmarks/balancing.py nulls [--seeds 100] [--games 12000]

All take `--first-seed` and `--out FILE`, to which each search adds a line of JSON. A search moves
twelve values of the 2nd edition; greedy plays all four seats.

`peers`: this program's search (`own`), optuna's TPE (`tpe`) and SMAC3 (`smac`) minimize the same
objective: the square of the spread, without the bias of noise. TPE has 100 trials of equal size.
SMAC3 takes evaluations as instances, so that configurations race on common deals. `own:20000` gives
a method its own number of games. All methods' results for a seed are compared on the same fresh
deals. Needs `pip install optuna smac`.

`planted`: one, two or four values are moved, and a search begins at these rules, with ranges around
the original values. Balance counts as restored if the spread of the recommended rules, on fresh
deals, is at most the upper end of the interval for the original rules.

`nulls`: whichever rule set a search asks for, the printed rules are played, each time on different
deals. The result is the number of runs that report a better rule set.
"""

from __future__ import annotations

import json
import tempfile
import time
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
TRIALS = 100
WORST = 1e4
"""The objective of points whose rules are invalid."""

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


class Objective:
    """The objective of other optimizers: the square of the spread, without the bias of noise."""

    def __init__(self, prepared: PreparedSearch) -> None:
        """Divide the games into TRIALS evaluations."""
        self.prepared = prepared
        self.evaluations = evaluations_of(prepared, Threads(1))
        self.played = 0
        games = self.evaluations.games_per_round
        self.rounds = max(2, prepared.spec.search_games // TRIALS // games)
        self.games_of_trial = self.rounds * games

    @property
    def games(self) -> int:
        """The games played so far."""
        return self.played * self.games_of_trial

    def value(self, point: Point, number: int) -> float:
        """The objective of a point; evaluations with the same number use the same deals."""
        if self.prepared.space.rules(point) is None:
            return WORST
        (measured,) = self.evaluations.play(number, [point], self.rounds)
        self.played += 1
        return float(self.prepared.goals.measured(measured).center[0])


def by_tpe(prepared: PreparedSearch) -> tuple[Point, int]:
    """Optuna's TPE with its usual settings."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    objective = Objective(prepared)
    factors = prepared.space.factors

    def trial_value(trial: optuna.Trial) -> float:
        point = (trial.suggest_int(factor.label, 0, len(factor.levels) - 1) for factor in factors)
        return objective.value(tuple(point), trial.number)

    sampler = optuna.samplers.TPESampler(seed=prepared.spec.seed)
    study = optuna.create_study(sampler=sampler)
    labels = [factor.label for factor in factors]
    study.enqueue_trial(dict(zip(labels, prepared.space.start, strict=True)))
    while objective.games < prepared.spec.search_games:
        study.optimize(trial_value, n_trials=1)
    return tuple(study.best_params[label] for label in labels), objective.games


def by_smac(prepared: PreparedSearch) -> tuple[Point, int]:
    """SMAC3's random forest with racing over seeds; each seed is an evaluation on common deals."""
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
        return objective.value(point_of(config), number=seed % 2**20)

    trials = prepared.spec.search_games // objective.games_of_trial
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            space, n_trials=trials, seed=prepared.spec.seed, output_directory=Path(folder)
        )
        facade = HyperparameterOptimizationFacade(
            scenario, trial_value, overwrite=True, logging_level=False
        ).optimize()
    best = facade[0] if isinstance(facade, list) else facade
    return point_of(best), objective.games


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


METHODS = {"tpe": by_tpe, "smac": by_smac, "own": own_search}
PROBLEMS = {"printed": 0, "planted 2": 2, "planted 4": 4}


def run_peers(seed: int, games: int, methods: Sequence[str]) -> Iterator[Record]:
    """Let optimizers search the same problems."""
    for name, count in PROBLEMS.items():
        for word in methods:
            method, _, own_games = word.partition(":")
            prepared = problem(planted_for(seed, count), int(own_games or games), seed)
            began = time.process_time()
            point, played = METHODS[method](prepared)
            took = time.process_time() - began
            start, spread = validated(prepared, [prepared.space.start, point], seed)
            yield {
                "problem": name,
                "method": word,
                "games": played,
                "found": prepared.space.text(point),
                "start": start,
                "spread": spread,
                "search_seconds": round(took, 1),
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
    what: Literal["peers", "planted", "nulls"],
    *,
    seeds: int | None = None,
    first_seed: int = 1,
    games: int | None = None,
    methods: str = "own,own:20000,tpe,smac",
    out: Path | None = None,
) -> None:
    """Run one of the benchmarks and print a line for every search."""
    usual_seeds, usual_games = (100, 12_000) if what == "nulls" else (20, 60_000)
    games = games or usual_games
    for seed in range(first_seed, first_seed + (seeds or usual_seeds)):
        if what == "planted":
            records = run_planted(seed, games)
        elif what == "nulls":
            records = run_nulls(seed, games)
        else:
            records = run_peers(seed, games, methods.split(","))
        for record in records:
            line = json.dumps({"seed": seed, **record})
            print(line, flush=True)
            if out:
                with out.open("a") as file:
                    file.write(line + "\n")


if __name__ == "__main__":
    run(search)
