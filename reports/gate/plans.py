"""Plans of fresh games for the gate.

In a sweep all cells play the same deals, which pairs them. The gate compares with stored numbers
from other deals, so shared luck would only widen its intervals. Each line-up therefore has its own
plan and its own seed. The games of a spec are the gate's whole budget.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Situation, population_of
from ethnos_sim.experiments.execution.calibration import needs_of, sample_kinds
from ethnos_sim.experiments.execution.playing import prepare_tables
from ethnos_sim.experiments.execution.progress import in_words
from ethnos_sim.experiments.plans.plan import Partition, Plan, make_plan
from ethnos_sim.experiments.specs.checks import makes_game
from ethnos_sim.experiments.specs.spec import Changes, Spec, parse_spec, with_files
from ethnos_sim.simulator.game.records import ORDINARY
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_toml

BUNDLED_PLAYS = Path(__file__).parent / "plays.toml"
"""The specs of the bundled baseline."""

_SEEDS = 10_000
"""The number of plan seeds that are reserved for one seed of the gate."""

MOST_SEED = 2**63 // _SEEDS - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """Changes to a baseline's specs, to see whether the gate notices.

    Attributes:
        settings: rule values as NAME=VALUE, on top of the specs' rule values.
        variants: variants that replace the specs' variants; no change if empty.
        mode: the mode that replaces the standard mode, or None.
    """

    settings: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    mode: str | None = None

    @property
    def modes(self) -> dict[str, str]:
        """The baseline's name of each mode that is played."""
        return {} if self.mode is None else {self.mode: STANDARD}


NOTHING = Substitution()


def read_plays(path: Path) -> tuple[dict[str, Any], ...]:
    """Read the specs in a file: its tables `[[plays]]`, or the whole file if it is a spec.

    Raises:
        WrongInput: the file cannot be read, is no TOML, or its plays are no tables.
    """
    content = read_toml(path, "spec")
    plays = content.get("plays", [{"name": path.stem, **content}])
    if not isinstance(plays, list) or not all(isinstance(play, dict) for play in plays):
        raise WrongInput(f"the 'plays' in '{path}' have to be tables [[plays]]")
    return tuple(plays)


def with_relative_files(
    plays: Sequence[Mapping[str, Any]], folder: Path, to: Path
) -> tuple[dict[str, Any], ...]:
    """Rewrite the relative paths in specs of one folder for use in another folder."""
    if folder.resolve() == to.resolve():
        return tuple(dict(play) for play in plays)

    def path_there(path: str) -> str:
        return Path(os.path.relpath(path, to)).as_posix() if Path(path).is_file() else path

    return tuple(with_files(play, folder, path_there) for play in plays)


def rules_by_partition(
    plays: Sequence[Mapping[str, Any]], folder: Path, substitution: Substitution
) -> dict[Partition, Rules]:
    """The rules of each edition, mode and player count in `plays`: the first rule set's rules."""
    rules_of: dict[Partition, Rules] = {}
    for play in plays:
        spec = _spec(with_files(play, folder), substitution)
        rules = next(iter(spec.rule_sets().values()))
        for edition, mode, players in product(spec.editions, spec.modes, spec.players):
            if makes_game(edition, mode, players):
                rules_of.setdefault(Partition(edition, players, mode), rules[edition])
    return rules_of


def gate_plans(
    plays: Sequence[Mapping[str, Any]],
    *,
    folder: Path,
    seed: int,
    share: float = 1.0,
    substitution: Substitution = NOTHING,
) -> tuple[Plan, ...]:
    """The plans of a run of the gate, with the rounds of its whole budget.

    Args:
        plays: specs as tables, from `read_plays`.
        folder: the folder of their variants and populations.
        seed: the gate's seed, 0 to MOST_SEED.
        share: the budget as a multiple of the specs' games. Games in which clans are given up are
            never fewer than the specs': these tell of many clans, and numbers of few games find
            nothing.
        substitution: changes to the specs.

    Raises:
        SpecError: a spec is wrong.
        WrongInput: no spec plays anything.
    """
    if not 0 <= seed <= MOST_SEED:
        raise WrongInput(f"seed {seed} is outside 0 to {MOST_SEED} for the gate")
    plans: list[Plan] = []
    for play in plays:
        raw = with_files(play, folder)
        if substitution.mode is not None:
            if STANDARD not in raw.get("modes", [STANDARD]):
                continue
            raw["modes"] = [substitution.mode]
        whole = make_plan(_spec(raw, substitution))
        for one_line_up in _one_line_up_each(raw):
            plan_seed = seed * _SEEDS + len(plans)
            plan = make_plan(
                _spec(one_line_up, substitution).model_copy(update={"seed": plan_seed})
            )
            given_up = any(cell.kind != ORDINARY for cell in plan.cells)
            times = max(share, 1.0) if given_up else share
            rounds = {part: max(1, round(whole.rounds[part] * times)) for part in plan.rounds}
            plans.append(replace(plan, rounds=rounds))
    if not plans:
        raise WrongInput("with these changes none of the baseline's games are played")
    return tuple(plans)


def _one_line_up_each(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Split a spec into one spec per line-up; solo strategies stay together, on the same deals."""
    if any(mode in SOLO for mode in raw.get("modes", [])):
        return [dict(raw)]
    specs = []
    for line_up in _line_ups(raw):
        allowed = line_up.get("players", raw["players"])
        players = [count for count in raw["players"] if count in allowed]
        specs.append({**raw, "players": players, "line_ups": [line_up]})
    return specs


def _line_ups(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The line-ups of a spec, each as a table."""
    return [
        dict(line_up) if isinstance(line_up, Mapping) else {"strategies": line_up}
        for line_up in raw["line_ups"]
    ]


def _spec(raw: Mapping[str, Any], substitution: Substitution) -> Spec:
    """Parse a spec with substituted rules."""
    changes = Changes(settings=substitution.settings, variants=substitution.variants)
    return parse_spec(raw, str(raw.get("name", "play")), changes)


def situations_in(plan: Plan, partition: Partition, substitution: Substitution) -> set[Situation]:
    """The situations of a partition by the baseline's names, all under the reference rules."""
    mode = substitution.modes.get(partition.mode, partition.mode)
    populations = set()
    for cell in plan.cells_of[partition]:
        populations.add(
            SOLO_POPULATION if partition.solo else population_of(cell.line_up, cell.population)
        )
    about = partition.edition, mode, "", partition.players
    return {Situation(*about, name) for name in populations}


MOST_KINDS = 8
"""The most kinds of games that are timed before a run; timing more would take long."""


def cost_of(plans: Sequence[Plan], jobs: int) -> str:
    """A sentence on the games and the time that plans take at most.

    It names no time if timing every kind of games would take too long.

    Raises:
        WrongInput: a plan cannot be played.
    """
    games = f"At most {sum(plan.games for plan in plans):,} games"
    if sum(len({cell.partition for cell in plan.cells}) for plan in plans) > MOST_KINDS:
        return f"{games}."
    seconds = 0.0
    for plan in plans:
        samples = sample_kinds(plan, prepare_tables(plan), jobs)
        seconds += needs_of(plan, samples, jobs).seconds
    threads = "1 thread" if jobs == 1 else f"{jobs} threads"
    return f"{games}, about {in_words(seconds)} with {threads} of this machine."
