"""Play the games of a search: evaluations, and validations on fresh deals.

The numbers of evaluations flatter the rule set that the search chose, because it was chosen for
them. So finalists are played again on deals that no evaluation used, by the players of the search
and by other players.

Each round of evaluations and each validation is a sweep in its own folder. A search depends only on
its request and on the measured numbers, so a continued search plays only what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.designs.clan_sets import capped_set_count
from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import gather_evidence
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.execution.sweep import sweep
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.balancing.request import Request
from ethnos_sim.reports.comparison.comparison_study import CLAN_SETS
from ethnos_sim.reports.study import play_evidence
from ethnos_sim.simulator.rules import value_text

CLAN_SETS_BY_GAMES = {400_000: 12, 100_000: 6, 0: 2}
"""The number of clan sets of an evaluation, by the least number of games of the search. A clan is
in half of these sets. Preparing tables takes time, so small searches use few sets."""


def round_plan(
    request: Request,
    points: Sequence[Point],
    strategies: Sequence[str],
    *,
    gives_up: Sequence[bool],
    **keys: object,
) -> Plan:
    """The plan of a sweep that plays points on the same deals; it has one round of deals.

    Args:
        request: the request.
        points: the points to play.
        strategies: the line-up.
        gives_up: for each kind of games to play, whether every seat gives up a clan.
        keys: further keys of the spec.
    """
    rule_set, line_up = request.rule_set, {"strategies": list(strategies)}
    changes = (request.space.changes(point).items() for point in points)
    settings = ([f"{name}={value_text(value)}" for name, value in change] for change in changes)
    rules = [
        {
            "name": f"rules-{place}",
            "variant": list(rule_set.variants),
            "set": [*rule_set.values, *changed],
        }
        for place, changed in enumerate(settings)
    ]
    spec: dict[str, object] = {
        "games": 1,
        "rules": rules,
        "editions": [rule_set.edition],
        "modes": [rule_set.mode],
        "players": [request.players],
        "line_ups": [line_up | ({"gives_up": True} if apart else {}) for apart in gives_up],
    }
    return make_plan(parse_spec(spec | keys, "balance"))


@dataclass(frozen=True)
class Evaluations:
    """The `search.Evaluator` of a request.

    Attributes:
        request: the request.
        engine: the engine that plays; the numbers do not depend on it.
        games: the games of the search, which decide the number of clan sets of an evaluation.
        folder: the folder of the evaluations; None to play them in memory.
    """

    request: Request
    engine: Engine
    games: int
    folder: Path | None = None

    @cached_property
    def games_per_round(self) -> int:
        """The number of games that each point plays in one round of deals."""
        return self.plan(0, [self.request.space.baseline], 1).games

    def evaluate(self, round_number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play each point, and measure its numbers (see `search.Evaluator`)."""
        plan = self.plan(round_number, points, rounds)
        return self.request.aim.estimates(self._evidence(round_number, plan))

    def _evidence(self, round_number: int, plan: Plan) -> Evidence:
        """Play the plan of a round, or what its folder lacks; return the evidence."""
        if self.folder is None:
            return play_evidence(plan, engine=self.engine)
        folder = self.folder / f"{round_number:04d}"
        sweep(plan, folder, engine=self.engine, quiet=True)
        return gather_evidence(folder)

    def plan(self, round_number: int, points: Sequence[Point], rounds: int) -> Plan:
        """The plan of a round of evaluations."""
        request = self.request
        sets = next(sets for least, sets in CLAN_SETS_BY_GAMES.items() if self.games >= least)
        sample = capped_set_count(sets, request.space.base_rules, request.players)
        # Each round plays other deals; the seed of validations differs too.
        stream = np.random.SeedSequence([request.seed, 3, round_number])
        plan = round_plan(
            request,
            points,
            request.strategies,
            gives_up=[request.aim.is_worth],
            name=f"evaluation {round_number}",
            seed=int(stream.generate_state(1, np.uint64)[0] >> 1),
            clan_sets={"sample": sample, "seed": round_number + 1},
        )
        return replace(plan, rounds=dict.fromkeys(plan.cells_of, rounds))


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """The numbers of finalists in games of one population.

    Attributes:
        population: its strategies, separated by commas.
        numbers: the estimates of each finalist by point, over the same blocks of deals.
        games: the number of games of all finalists together.
    """

    population: str
    numbers: Mapping[Point, Estimates]
    games: int


def validate(
    request: Request,
    points: Sequence[Point],
    strategies: Sequence[str],
    games: int,
    folder: Path,
    *,
    engine: Engine,
    quiet: bool,
) -> Validation:
    """Play points on fresh deals with a line-up, about `games` games in all.

    The games are stored in a folder that `report` and `compare` can read.
    """
    plan = validation_plan(request, points, strategies)
    blocks = max(1, round(games / plan.games / BLOCKS))
    plan = replace(plan, rounds=dict.fromkeys(plan.cells_of, blocks * BLOCKS))
    sweep(plan, folder, engine=engine, quiet=quiet)
    evidence = gather_evidence(folder)
    numbers = dict(zip(points, request.aim.estimates(evidence), strict=True))
    return Validation(", ".join(dict.fromkeys(strategies)), numbers, evidence.games)


def validation_plan(request: Request, points: Sequence[Point], strategies: Sequence[str]) -> Plan:
    """The plan of a validation with one round of deals: games with and without clans given up."""
    sample = capped_set_count(CLAN_SETS, request.space.base_rules, request.players)
    return round_plan(
        request,
        points,
        strategies,
        gives_up=[False, True],
        name="finalists",
        seed=2 * request.seed + 1,
        clan_sets={"sample": sample},
    )
