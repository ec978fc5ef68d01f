"""Plans of fresh games for the gate.

In a sweep all cells play the same deals, which pairs them. The gate compares with stored numbers
from other deals, so shared luck would only widen its intervals. Therefore each line-up has a plan
and a seed of its own. A spec says how many games one run of the gate plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.plans.plan import Partition, Plan, make_plan
from ethnos_sim.experiments.specs.checks import is_playable
from ethnos_sim.experiments.specs.spec import NO_CHANGES, Spec, SpecChanges, parse_spec, with_paths
from ethnos_sim.simulator.game.records import ORDINARY
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_toml

BUNDLED_PLAYS = Path(__file__).parent / "plays.toml"
"""The specs of the bundled baseline."""

BASELINE_SEED = 1
"""The seed of the games behind a baseline."""

FRESH_SEED = 2
"""The seed of the games that are compared with a baseline."""

_SEEDS_PER_RUN = 10_000
"""How many seeds of plans are reserved for one seed of the gate."""


def read_plays(path: Path) -> tuple[dict[str, Any], ...]:
    """Read the specs in a file: its tables `[[plays]]`, or the whole file if it is a spec.

    Raises:
        WrongInput: the file cannot be read, is not TOML, or its `plays` are not tables.
    """
    content = read_toml(path, "spec")
    plays = content.get("plays", [{"name": path.stem, **content}])
    if not isinstance(plays, list) or not all(isinstance(play, dict) for play in plays):
        raise WrongInput(f"the 'plays' in '{path}' have to be tables [[plays]]")
    return tuple(plays)


def rules_by_partition(
    plays: Sequence[Mapping[str, Any]], folder: Path, changes: SpecChanges
) -> dict[Partition, Rules]:
    """The rules of each partition, by the first rule set of the first spec that plays it."""
    rules_of: dict[Partition, Rules] = {}
    for play in plays:
        spec = _parsed_spec(with_paths(play, folder), changes)
        rules = next(iter(spec.rule_sets().values()))
        for edition, mode, players in product(spec.editions, spec.modes, spec.players):
            if is_playable(edition, mode, players):
                rules_of.setdefault(Partition(edition, players, mode), rules[edition])
    return rules_of


def gate_plans(
    plays: Sequence[Mapping[str, Any]],
    *,
    folder: Path,
    seed: int,
    share: float = 1.0,
    changes: SpecChanges = NO_CHANGES,
) -> tuple[Plan, ...]:
    """The plans of a run of the gate.

    Args:
        plays: the specs as tables, from `read_plays`.
        folder: the folder of the files that the specs name: variants and populations.
        seed: BASELINE_SEED or FRESH_SEED.
        share: the share of the specs' games to play. It is at least 1 where clans are given up,
            because fewer games would leave the worth of clans open.
        changes: changes to the specs.

    Raises:
        SpecError: a spec is wrong.
    """
    plans: list[Plan] = []
    for play in plays:
        spec_table = with_paths(play, folder)
        whole = make_plan(_parsed_spec(spec_table, changes))
        for one_line_up in _split_by_line_up(spec_table):
            plan_seed = seed * _SEEDS_PER_RUN + len(plans)
            plan = make_plan(_parsed_spec(one_line_up, replace(changes, seed=plan_seed)))
            given_up = any(cell.kind != ORDINARY for cell in plan.cells)
            times = max(share, 1.0) if given_up else share
            rounds = {part: max(1, round(whole.rounds[part] * times)) for part in plan.rounds}
            plans.append(replace(plan, rounds=rounds))
    return tuple(plans)


def _split_by_line_up(spec_table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One spec for each line-up of a spec. A solo spec stays whole: its strategies share deals."""
    if any(mode in SOLO for mode in spec_table.get("modes", [])):
        return [dict(spec_table)]
    specs = []
    for line_up in spec_table["line_ups"]:
        allowed = line_up.get("players") if isinstance(line_up, Mapping) else None
        players = [count for count in spec_table["players"] if allowed is None or count in allowed]
        specs.append({**spec_table, "players": players, "line_ups": [line_up]})
    return specs


def _parsed_spec(spec_table: Mapping[str, Any], changes: SpecChanges) -> Spec:
    """The spec in a TOML table, with `changes` to its rules or seed."""
    return parse_spec(spec_table, str(spec_table.get("name", "play")), changes)
