"""Play rule sets of a search: evaluations, and validations on fresh deals.

Evaluations only choose rule sets. The search's own numbers flatter the rule set that it chose,
because it was chosen for them. So finalists are played again on deals that no evaluation used, by
the players of the search and by other players.

Each evaluation and each validation is a sweep in its own folder. A search depends only on its
request and on what was measured, so a search that is started again plays only what is missing.
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
from ethnos_sim.experiments.evidence.gathering import gather_folders
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.execution.sweep import sweep
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.balancing.request import Request
from ethnos_sim.reports.comparison.two_rule_sets import CLAN_SETS
from ethnos_sim.reports.study import play_evidence
from ethnos_sim.simulator.rules import value_text

SETS_OF_EVALUATION = {400_000: 12, 100_000: 6, 0: 2}
"""The number of clan sets in an evaluation, by the least games of the search that use this number;
each clan is in half of the sets. Preparing tables takes time, so small searches use few sets."""


def plan_of(
    request: Request,
    points: Sequence[Point],
    strategies: Sequence[str],
    *,
    ordinary: bool,
    gives_up: bool,
    **keys: object,
) -> Plan:
    """The plan of one round of deals: every point's rules at the same tables.

    Args:
        request: the request.
        points: the rule sets to play.
        strategies: the line-up.
        ordinary: whether to play ordinary games.
        gives_up: whether to play games in which every seat gives up a clan.
        keys: further keys of the sweep's spec.
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
        "line_ups": [line_up] * ordinary + [line_up | {"gives_up": True}] * gives_up,
    }
    return make_plan(parse_spec(spec | keys, "balance"))


@dataclass(frozen=True)
class Evaluations:
    """A `search.Player` that plays evaluations at the points of a space.

    Attributes:
        request: the request.
        engine: what plays; the numbers do not depend on it.
        games: the games of the search, which decide how many clan sets an evaluation plays.
        folder: the folder of the evaluations; None to keep them in memory.
    """

    request: Request
    engine: Engine
    games: int
    folder: Path | None = None

    @cached_property
    def games_per_round(self) -> int:
        """The number of games that each rule set plays in one round of deals."""
        return self.plan(0, [self.request.space.start], 1).games

    def play(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play rounds of deals at each point (see `search.Player`)."""
        return self.request.aim.rows(self._played(number, self.plan(number, points, rounds)))

    def _played(self, number: int, plan: Plan) -> Evidence:
        if self.folder is None:
            return play_evidence(plan, engine=self.engine)
        folder = self.folder / f"{number:04d}"
        sweep(plan, folder, engine=self.engine, quiet=True)
        return gather_folders(folder)

    def plan(self, number: int, points: Sequence[Point], rounds: int) -> Plan:
        """The plan of an evaluation at several points."""
        request = self.request
        sets = next(sets for least, sets in SETS_OF_EVALUATION.items() if self.games >= least)
        sample = capped_set_count(sets, request.space.base, request.players)
        # Every evaluation plays other deals, and the validation plays others again.
        stream = np.random.SeedSequence([request.seed, 3, number])
        plan = plan_of(
            request,
            points,
            request.strategies,
            ordinary=not request.aim.of_clans,
            gives_up=request.aim.of_clans,
            name=f"evaluation {number}",
            seed=int(stream.generate_state(1, np.uint64)[0] >> 1),
            clan_sets={"sample": sample, "seed": number + 1},
        )
        return replace(plan, rounds=dict.fromkeys(plan.cells_of, rounds))


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """The finalists' numbers in games of one population.

    Attributes:
        players: the strategies of the population, in one text.
        numbers: the estimates of each finalist, over the same blocks of deals.
        games: the number of games of all finalists together.
    """

    players: str
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
    """Play finalists on fresh deals with a line-up, about `games` games in all, and store them.

    `report` and `compare` can read the folder.
    """
    plan = validation_plan(request, points, strategies)
    blocks = max(1, round(games / plan.games / BLOCKS))
    plan = replace(plan, rounds=dict.fromkeys(plan.cells_of, blocks * BLOCKS))
    sweep(plan, folder, engine=engine, quiet=quiet)
    evidence = gather_folders(folder)
    numbers = dict(zip(points, request.aim.rows(evidence), strict=True))
    return Validation(", ".join(dict.fromkeys(strategies)), numbers, evidence.games)


def validation_plan(request: Request, points: Sequence[Point], strategies: Sequence[str]) -> Plan:
    """The plan of a validation, one round of deals: games with and without clans given up."""
    sample = capped_set_count(CLAN_SETS, request.space.base, request.players)
    return plan_of(
        request,
        points,
        strategies,
        ordinary=True,
        gives_up=True,
        name="finalists",
        seed=2 * request.seed + 1,
        clan_sets={"sample": sample},
    )
