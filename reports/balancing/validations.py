"""Validate finalists on fresh deals, by several populations.

The search's own numbers flatter the rule set that it chose, because it was chosen for them. So
finalists are played again on deals that no evaluation used: by the players of the search, by other
players (each a population), and by players tuned for each rule set, since players of the old rules
misjudge new ones. Each population is a sweep in its own folder, which `report` and `compare` can
read.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.balancing.spec import BalanceSpec
from ethnos_sim.experiments.designs.clan_sets import sets_up_to
from ethnos_sim.experiments.evidence.gathering import gather
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.execution.sweep import sweep
from ethnos_sim.experiments.matches.tuning import prepare_tuning, search
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.reports.balancing.evaluations import plan_of
from ethnos_sim.reports.balancing.numbers import PreparedSearch
from ethnos_sim.reports.comparison.two_rule_sets import CLAN_SETS, with_worth
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.simulator.utilities.reading import read_file
from ethnos_sim.strategies import ClanParameter
from ethnos_sim.strategies.line_up import parse_entry

TUNED = "tuned"


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """The numbers of the finalists, as one population played them.

    Attributes:
        name: the name of its folder.
        players: the players in words.
        numbers: the numbers of each point, over the same blocks of deals.
        games: the games of all points together.
    """

    name: str
    players: str
    numbers: Mapping[Point, Estimates]
    games: int


@dataclass(frozen=True)
class Validator:
    """Plays the finalists of a search, and stores the games in its folder."""

    folder: Path
    prepared: PreparedSearch
    engine: Engine
    jobs: int
    quiet: bool

    def by(self, name: str, strategies: Sequence[str], points: Sequence[Point]) -> Validation:
        """The validation of one line-up."""
        numbers, games = self._play(name, strategies, points, len(points))
        return Validation(name, ", ".join(dict.fromkeys(strategies)), numbers, games)

    def _play(
        self, name: str, strategies: Sequence[str], points: Sequence[Point], sharing: int
    ) -> tuple[dict[Point, Estimates], int]:
        """Play points with a line-up; return the numbers of each point, and the number of games.

        `sharing` is the number of rule sets that share the games of a validation.
        """
        plan = validation_plan(self.prepared, strategies, points, sharing)
        folder = self.folder / "validation" / name
        sweep(plan, folder, engine=self.engine, quiet=self.quiet)
        evidence = gather(folder)
        rows = self.prepared.numbers.rows(evidence)
        return dict(zip(points, rows, strict=True)), evidence.games

    def by_tuned(
        self, points: Sequence[Point], on_tuned: Callable[[str], None]
    ) -> Validation | None:
        """Validate with the search's line-up tuned for each point; None if nothing can be tuned."""
        numbers: dict[Point, Estimates] = {}
        games, names = 0, ""
        for place, point in enumerate(points):
            tuned = self._tuned(place, point, on_tuned)
            if tuned is None:
                return None
            point_numbers, point_games = self._play(f"{TUNED}-{place}", tuned, [point], len(points))
            numbers |= point_numbers
            games += point_games
            names = ", ".join(dict.fromkeys(name.partition(":")[0] for name in tuned))
        return Validation(TUNED, f"{names}, tuned for each rule set", numbers, games)

    def _tuned(self, place: int, point: Point, on_tuned: Callable[[str], None]) -> list[str] | None:
        """Tune each strategy of the line-up for a point's rules; None if nothing can be tuned."""
        path = self.folder / "validation" / f"{TUNED}-{place}.json"
        if path.exists():
            stored: list[str] = json.loads(read_file(path))
            return stored
        spec, rules = self.prepared.spec, self.prepared.space.rules(point)
        assert rules is not None, "only points that make rules are validated"
        names = list(spec.strategies)
        seated = (names * spec.players)[: spec.players]
        for name in dict.fromkeys(spec.strategies):
            rivals = seated.copy()
            rivals.remove(name)
            with contextlib.suppress(StrategyError):  # The strategy has nothing to tune.
                tuning = prepare_tuning(
                    rules,
                    name,
                    rivals,
                    players=spec.players,
                    budget=max(1, spec.tuning_games // len(set(spec.strategies))),
                    seed=2 * spec.seed + 1,
                    mode=spec.mode,
                )
                on_tuned(name)
                best = tuning.text(search(tuning, threads=self.jobs))
                names = [best if strategy == name else strategy for strategy in names]
        if names == spec.strategies:
            return None
        write_whole(path, json.dumps(names).encode())
        return names


def validation_plan(
    prepared: PreparedSearch, strategies: Sequence[str], points: Sequence[Point], sharing: int
) -> Plan:
    """The plan of a population: every point's rules on the same deals.

    Args:
        prepared: the prepared search.
        strategies: the line-up.
        points: the rule sets.
        sharing: how many rule sets share the games of a validation, in this plan and others.
    """
    spec = prepared.spec
    keys: dict[str, object] = {
        "name": f"{spec.name}: finalists"[:200],
        "seed": 2 * spec.seed + 1,
        "clan_sets": {"sample": sets_up_to(CLAN_SETS, prepared.space.base, spec.players)},
    }
    plan = with_worth(keys, strategies, lambda keys: plan_of(prepared, points, keys))
    blocks = round(spec.fresh_games * len(points) / sharing / plan.games / BLOCKS)
    return replace(plan, rounds=dict.fromkeys(plan.cells_of, max(1, blocks) * BLOCKS))


def can_be_tuned(spec: BalanceSpec) -> bool:
    """Whether a strategy of the search has parameters that can be tuned for a rule set."""
    return any(
        not isinstance(parameter, ClanParameter)
        for name in spec.strategies
        for parameter in parse_entry(name, spec.players, spec.rules()).strategy.parameters
    )
