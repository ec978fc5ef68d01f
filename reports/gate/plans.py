"""What a baseline is about, as plans of fresh games.

In a sweep all cells play the same deals, which pairs them. The gate compares with stored numbers
that were played on other deals, so shared luck would only widen its intervals: each line-up is a
plan of its own here, with a seed of its own. The games of a spec are the gate's whole budget.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.designs.interventions import intervention_of
from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Situation, population_of
from ethnos_sim.experiments.execution.calibration import needs_of, sample_kinds
from ethnos_sim.experiments.execution.playing import prepare_tables
from ethnos_sim.experiments.execution.progress import in_words
from ethnos_sim.experiments.plans.plan import Partition, Plan, make_plan
from ethnos_sim.experiments.specs.checks import makes_game
from ethnos_sim.experiments.specs.spec import Changes, Spec, parse_spec, with_files
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest
from ethnos_sim.simulator.utilities.reading import read_toml

BUNDLED_PLAYS = Path(__file__).parent / "plays.toml"
"""What the bundled baseline is about."""

_SEEDS = 10_000
"""Seeds kept apart for the plans of one seed of the gate."""

MOST_SEED = 2**63 // _SEEDS - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
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


NOTHING = Substitution(strategies={})


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
    plays: Sequence[Mapping[str, Any]], folder: Path, substitution: Substitution
) -> dict[Partition, Rules]:
    """The editions, modes and player counts of specs, with the rules of the first rule set."""
    found: dict[Partition, Rules] = {}
    for play in plays:
        spec = _spec(with_files(play, folder), substitution)
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
    substitution: Substitution = NOTHING,
) -> tuple[Plan, ...]:
    """The plans of a gate's run, with the rounds of its whole budget.

    Args:
        plays: specs as tables, from `read_plays`.
        folder: where their files of variants and populations are.
        seed: of all luck, 0 to MOST_SEED.
        share: how many times the specs' games the budget has.
        substitution: what to play instead of what the specs say.

    Raises:
        SpecError: a spec is wrong.
        WrongInput: a spec plays nothing here, or has a target in place of games, or a strategy
            that should be replaced does not play.
    """
    if not 0 <= seed <= MOST_SEED:
        raise WrongInput(f"seed {seed} is outside 0 to {MOST_SEED} for the gate")
    specs = [_spec(with_files(play, folder), NOTHING) for play in plays]
    seated = [name for spec in specs for each in spec.line_ups for name in each.strategies]
    for name in substitution.strategies:
        if name not in seated:
            raise WrongInput(f"no '{name}' plays there{nearest(name, seated)}")
    plans: list[Plan] = []
    for play in plays:
        raw = with_files(play, folder)
        if substitution.mode is not None:
            if STANDARD not in raw.get("modes", [STANDARD]):
                continue
            raw["modes"] = [substitution.mode]
        whole = make_plan(_spec(raw, substitution))
        if whole.schedule is not None:
            raise WrongInput(f"'{whole.name}' has a target; the gate needs a number of games")
        rounds = {part: max(1, round(count * share)) for part, count in whole.rounds.items()}
        for alone in _apart(raw):
            own = seed * _SEEDS + len(plans)
            plan = make_plan(_spec(alone, substitution).model_copy(update={"seed": own}))
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


def _spec(raw: Mapping[str, Any], substitution: Substitution) -> Spec:
    """A spec by other rules, and with other strategies in their places."""
    changed = dict(raw)
    if substitution.strategies:
        changed["line_ups"] = _line_ups(raw)
        for each in changed["line_ups"]:
            if "strategies" in each:
                names = each["strategies"]
                each["strategies"] = [substitution.strategies.get(name, name) for name in names]
    changes = Changes(settings=substitution.settings, variants=substitution.variants)
    return parse_spec(changed, str(raw.get("name", "play")), changes)


def situations_in(plan: Plan, partition: Partition, substitution: Substitution) -> set[Situation]:
    """What a baseline calls the situations of a partition, whatever the rule set."""
    mode = substitution.modes.get(partition.mode, partition.mode)
    populations = set()
    for cell in plan.cells_of[partition]:
        restricted = intervention_of(cell.line_up)
        line_up = cell.line_up if restricted is None else restricted.line_up
        called = tuple(substitution.names.get(name, name) for name in line_up)
        populations.add(
            SOLO_POPULATION if partition.solo else population_of(called, cell.population)
        )
    about = partition.edition, mode, "", partition.players
    return {Situation(*about, name) for name in populations}


MOST_KINDS = 8
"""Of so many kinds of games it is measured how long they take; more would take long themselves."""


def cost_of(plans: Sequence[Plan], jobs: int) -> str:
    """What plans take at most, in a sentence; how long only where they have few kinds of games.

    Raises:
        WrongInput: something cannot be played.
    """
    games = f"At most {sum(plan.games for plan in plans):,} games"
    if sum(len({cell.partition for cell in plan.cells}) for plan in plans) > MOST_KINDS:
        return f"{games}."
    seconds = 0.0
    for plan in plans:
        samples = sample_kinds(plan, prepare_tables(plan), jobs)
        seconds += needs_of(plan, plan.rounds, samples, jobs).seconds
    threads = "1 thread" if jobs == 1 else f"{jobs} threads"
    return f"{games}, about {in_words(seconds)} with {threads} of this machine."
