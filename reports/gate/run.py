"""A run of the gate: fresh games are played and looked at until every situation is decided.

In a sweep all cells play the same deals, which pairs them. The gate compares with stored numbers
that were played on other deals, so shared luck would only widen its intervals: each line-up is a
plan of its own here, with a seed of its own. The games of a spec are the gate's whole budget.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

from ethnos_sim.experiments.designs.interventions import intervention_of
from ethnos_sim.experiments.execution.engines import Threads, play_now
from ethnos_sim.experiments.execution.playing import Tables, prepare_tables
from ethnos_sim.experiments.plans.plan import Partition, Plan, make_plan
from ethnos_sim.experiments.specs.checks import makes_game
from ethnos_sim.experiments.specs.spec import Changes, Spec, parse_spec, with_files
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.catalog import HEADLINE
from ethnos_sim.reports.evidence.evidence import SOLO_POPULATION, Situation, population_of
from ethnos_sim.reports.evidence.gathering import PlanGatherer, put_together
from ethnos_sim.reports.gate.baseline import QUICK_SHARE, Baseline
from ethnos_sim.reports.gate.decision import OPEN, SITUATION, Decision, margins_of, worst
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.modes import SOLO, STANDARD
from ethnos_sim.simulator.reading import read_toml
from ethnos_sim.simulator.rules import Rules

BUNDLED_PLAYS = Path(__file__).parent / "plays.toml"
"""What the bundled baseline is about."""

_SEEDS = 10_000
"""Seeds kept apart for the plans of one seed of the gate."""

MOST_SEED = 2**63 // _SEEDS - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Instead:
    """What is played in place of what a baseline is about, to see whether the gate notices.

    Attributes:
        settings: rule values as NAME=VALUE, on top of the specs' own.
        variants: variants in place of the specs' own, if any.
        mode: the mode that stands in for the standard mode, or None.
        strategies: strategies with settings that stand in for others, by the other's name.
    """

    settings: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    mode: str | None = None
    strategies: Mapping[str, str]

    @property
    def other_players(self) -> bool:
        """Whether something else than rule values differs, which signatures are not about."""
        return self.mode is not None or bool(self.strategies)

    @property
    def modes(self) -> dict[str, str]:
        """What a baseline calls the modes that are played."""
        return {} if self.mode is None else {self.mode: STANDARD}

    @property
    def names(self) -> dict[str, str]:
        """What a baseline calls the strategies that play."""
        return {played: name for name, played in self.strategies.items()}


NOTHING = Instead(strategies={})


def read_plays(path: Path) -> tuple[dict[str, Any], ...]:
    """The specs in a file: its tables `[[plays]]`, or the file itself where it is a spec.

    Raises:
        WrongInput: it cannot be read or is no TOML.
    """
    content = read_toml(path, "spec")
    plays = content.get("plays", [{"name": path.stem, **content}])
    if not isinstance(plays, list) or not all(isinstance(play, dict) for play in plays):
        raise WrongInput(f"the 'plays' in '{path}' have to be tables [[plays]]")
    return tuple(plays)


def brought(
    plays: Sequence[Mapping[str, Any]], folder: Path, to: Path
) -> tuple[dict[str, Any], ...]:
    """Specs of one folder as they are written in another: their files by relative paths."""
    if folder.resolve() == to.resolve():
        return tuple(dict(play) for play in plays)

    def path_there(path: str) -> str:
        return Path(os.path.relpath(path, to)).as_posix() if Path(path).is_file() else path

    return tuple(with_files(play, folder, path_there) for play in plays)


def subjects(
    plays: Sequence[Mapping[str, Any]], folder: Path, instead: Instead
) -> dict[Partition, Rules]:
    """The editions, modes and player counts of specs, with the rules of the first rule set."""
    found: dict[Partition, Rules] = {}
    for play in plays:
        spec = _spec(with_files(play, folder), instead)
        rules = next(iter(spec.rule_sets().values()))
        for edition, mode, players in product(spec.editions, spec.modes, spec.players):
            if makes_game(edition, mode, players):
                found.setdefault(Partition(edition, players, mode), rules[edition])
    return found


def gate_plans(
    plays: Sequence[Mapping[str, Any]],
    *,
    folder: Path,
    seed: int,
    share: float = 1.0,
    instead: Instead = NOTHING,
) -> tuple[Plan, ...]:
    """The plans of a gate's run, with the rounds of its whole budget.

    Args:
        plays: specs as tables, from `read_plays`.
        folder: where their files of variants and populations are.
        seed: of all luck, 0 to MOST_SEED.
        share: how many times the specs' games the budget has.
        instead: what to play instead of what the specs say.

    Raises:
        SpecError: a spec is wrong.
        WrongInput: a spec plays nothing here, or has a target in place of games, or a strategy
            that should be replaced does not play.
    """
    if not 0 <= seed <= MOST_SEED:
        raise WrongInput(f"seed {seed} is outside 0 to {MOST_SEED} for the gate")
    specs = [_spec(with_files(play, folder), NOTHING) for play in plays]
    seated = [name for spec in specs for each in spec.line_ups for name in each.strategies]
    for name in instead.strategies:
        if name not in seated:
            raise WrongInput(f"no '{name}' plays there{nearest(name, seated)}")
    plans: list[Plan] = []
    for play in plays:
        raw = with_files(play, folder)
        if instead.mode is not None:
            if STANDARD not in raw.get("modes", [STANDARD]):
                continue
            raw["modes"] = [instead.mode]
        whole = make_plan(_spec(raw, instead))
        if whole.schedule is not None:
            raise WrongInput(f"'{whole.name}' has a target; the gate needs a number of games")
        rounds = {part: max(1, round(count * share)) for part, count in whole.rounds.items()}
        for alone in _apart(raw):
            own = seed * _SEEDS + len(plans)
            plan = make_plan(_spec(alone, instead).model_copy(update={"seed": own}))
            plans.append(replace(plan, rounds={part: rounds[part] for part in plan.rounds}))
    if not plans:
        raise WrongInput("nothing of what the baseline is about is played")
    return tuple(plans)


def _apart(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A spec as specs of one line-up each; solo strategies stay together, on the same deals."""
    if any(mode in SOLO for mode in raw.get("modes", [])):
        return [dict(raw)]
    found = []
    for line_up in _line_ups(raw):
        only = line_up.get("players", raw["players"])
        players = [n for n in raw["players"] if n in only]
        found.append({**raw, "players": players, "line_ups": [line_up]})
    return found


def _line_ups(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The line-ups of a spec, each as a table."""
    return [
        dict(each) if isinstance(each, Mapping) else {"strategies": each}
        for each in raw["line_ups"]
    ]


def _spec(raw: Mapping[str, Any], instead: Instead) -> Spec:
    """A spec by other rules, and with other strategies in their places."""
    changed = dict(raw)
    if instead.strategies:
        changed["line_ups"] = _line_ups(raw)
        for each in changed["line_ups"]:
            if "strategies" in each:
                names = each["strategies"]
                each["strategies"] = [instead.strategies.get(name, name) for name in names]
    changes = Changes(settings=instead.settings, variants=instead.variants)
    return parse_spec(changed, str(raw.get("name", "play")), changes)


@dataclass(frozen=True, slots=True)
class Size:
    """How thorough a run is.

    Attributes:
        scale: of the margins.
        share: of the baseline's budget of games.
        looks: shares of that at which the gate looks.
    """

    scale: float
    share: float
    looks: tuple[float, ...]


FULL = Size(1.0, 1.0, (1 / 8, 1 / 4, 1 / 2, 1.0))
QUICK = Size(3.0, QUICK_SHARE, (1 / 2, 1.0))
"""Three times the margins need a ninth of the games."""


@dataclass(frozen=True, slots=True, eq=False)
class GateResult:
    """A finished run: every number, and what was played.

    Attributes:
        lines: what became of every number: `Decision.told` as a frame.
        seed: of the fresh games.
        size: how thorough it was.
        looks: how many there were.
        games: played.
        budget: games that it might have played.
        left_out: the numbers that are not guarded.
    """

    lines: pl.DataFrame
    seed: int
    size: Size
    looks: int
    games: int
    budget: int
    left_out: pl.DataFrame

    @property
    def outcome(self) -> str:
        """FAIL, OPEN or PASS."""
        return worst(self.lines["word"].to_list())


class _Games:
    """The plans of a run with what was played of them."""

    def __init__(self, plans: tuple[Plan, ...], jobs: int, on_games: Callable[[int], None]) -> None:
        self.plans = plans
        self._tables: list[Tables] = [prepare_tables(plan) for plan in plans]
        self._gatherers = [PlanGatherer(plan) for plan in plans]
        self._played: list[dict[Partition, int]] = [{} for _ in plans]
        self._jobs = jobs
        self._on_games = on_games

    def play_up_to(
        self,
        share: float,
        running: Collection[Situation] | None,
        instead: Instead = NOTHING,
    ) -> None:
        """Play a share of the rounds in some situations, whatever the rule set; in all for None."""
        for number, plan in enumerate(self.plans):
            played = self._played[number]
            now = {
                part: max(1, round(rounds * share))
                if running is None or not _situations(plan, part, instead).isdisjoint(running)
                else played.get(part, 0)
                for part, rounds in plan.rounds.items()
            }
            if any(count > played.get(part, 0) for part, count in now.items()):
                play_now(
                    replace(plan, rounds={part: count for part, count in now.items() if count}),
                    self._gatherers[number].add,
                    tables=self._tables[number],
                    after=played,
                    engine=Threads(self._jobs),
                    on_games=self._on_games,
                )
            self._played[number] = now

    @property
    def games(self) -> int:
        """How many games were played so far."""
        return sum(
            rounds * plan.games_per_round(part)
            for plan, played in zip(self.plans, self._played, strict=True)
            for part, rounds in played.items()
        )

    def numbers(self) -> Estimates:
        """Every headline number of the games so far."""
        evidence = put_together([gatherer.evidence() for gatherer in self._gatherers])
        return numbers(evidence, *(estimand.name for estimand in HEADLINE))


def run_gate(
    baseline: Baseline,
    plans: tuple[Plan, ...],
    *,
    seed: int,
    size: Size,
    instead: Instead,
    jobs: int,
    on_games: Callable[[int], None],
) -> GateResult:
    """Play fresh games and test every guarded number.

    The run ends with the look that finds the first failures, or when all situations have passed,
    or with its budget.

    Args:
        baseline: what to compare with.
        plans: from `gate_plans` of the baseline's plays, with all that follows.
        seed: of the fresh games; not the baseline's.
        size: how thorough to be.
        instead: what to play instead of what the baseline is about.
        jobs: threads to play with; the result does not depend on it.
        on_games: called from any thread with a number of games just played.

    Raises:
        WrongInput: the seed is the baseline's, or something cannot be played.
    """
    if seed == baseline.seed:
        raise WrongInput(f"seed {seed} is the baseline's own; the gate needs fresh games")
    played = {
        about
        for plan in plans
        for part in plan.rounds
        for about in _situations(plan, part, instead)
    }
    stored = baseline.numbers
    of = map(Situation._make, stored.keys(SITUATION))
    stored = stored.at([each.by_reference in played for each in of])
    if not len(stored):
        raise WrongInput("nothing of what the baseline is about is played")
    decision = Decision(stored, size.scale * margins_of(stored), size.looks)
    games = _Games(plans, jobs, on_games)
    for share in size.looks:
        running = {each.by_reference for each in decision.open_situations}
        games.play_up_to(share, running, instead)
        found = games.numbers().renamed(instead.modes, "mode")
        decision.look(found.renamed(instead.names, "population", "name"))
        if decision.outcome != OPEN:
            break
    left_out = baseline.left_out.select(SITUATION).iter_rows()
    return GateResult(
        lines=decision.told().frame(),
        seed=seed,
        size=size,
        looks=decision.looked,
        games=games.games,
        budget=sum(plan.games for plan in plans),
        left_out=baseline.left_out.filter(
            pl.Series([row in decision.situations for row in left_out], dtype=pl.Boolean)
        ),
    )


def play_numbers(
    plans: tuple[Plan, ...], *, jobs: int, on_games: Callable[[int], None]
) -> Estimates:
    """Every number of some plans, all of whose rounds are played: what a baseline is made of."""
    games = _Games(plans, jobs, on_games)
    games.play_up_to(1.0, None)
    return games.numbers()


def _situations(plan: Plan, partition: Partition, instead: Instead) -> set[Situation]:
    """What a baseline calls the situations of a partition, whatever the rule set."""
    mode = instead.modes.get(partition.mode, partition.mode)
    populations = set()
    for cell in plan.cells_of[partition]:
        restricted = intervention_of(cell.line_up)
        line_up = cell.line_up if restricted is None else restricted.line_up
        called = tuple(instead.names.get(name, name) for name in line_up)
        populations.add(
            SOLO_POPULATION if partition.solo else population_of(called, cell.population)
        )
    about = partition.edition, mode, "", partition.players
    return {Situation(*about, name) for name in populations}
