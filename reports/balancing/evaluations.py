"""Play evaluations: many rule sets at tables where every seat gives up a clan.

Evaluations only choose rule sets; the numbers that are reported of finalists come from fresh deals
(`validations`).

A search depends only on its spec and on what was measured. So a search that is started again in its
folder reads the stored evaluations, and goes on with the first that is missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.balancing.search import Player
from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.balancing.spec import BalanceSpec
from ethnos_sim.experiments.designs.clan_sets import sets_up_to
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.plans.sources import kernel_source, strategy_sources
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import of_blocks
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.storage.tables import parquet
from ethnos_sim.reports.balancing.numbers import PreparedSearch
from ethnos_sim.reports.study import play_evidence
from ethnos_sim.simulator.rules import value_text
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput
from ethnos_sim.simulator.utilities.reading import read_file

CLAN_SETS = {400_000: 12, 100_000: 6, 0: 2}
"""The number of clan sets in an evaluation, by the least budget that uses this number; each clan is
in half of the sets. Preparing tables takes time, so small budgets use few sets."""


def clan_sets_of(budget: int) -> int:
    """The number of clan sets in each evaluation, for a search of `budget` games."""
    return next(sets for least, sets in CLAN_SETS.items() if budget >= least)


def plan_of(prepared: PreparedSearch, points: Sequence[Point], keys: Mapping[str, object]) -> Plan:
    """The plan of one round: each point is a rule set, and all rule sets play at the same tables.

    Args:
        prepared: the prepared search.
        points: the rule sets to play.
        keys: further keys of the sweep's spec: its name, seed, clan sets and line-ups.
    """
    spec = prepared.spec
    changes = ([*spec.settings, *_settings(prepared.space, point)] for point in points)
    rules = [
        {"name": f"rules-{place}", "variant": spec.variants, "set": settings}
        for place, settings in enumerate(changes)
    ]
    table = {"editions": [spec.edition], "modes": [spec.mode], "players": [spec.players]}
    return make_plan(parse_spec({"games": 1, "rules": rules, **table, **keys}, spec.name))


def _settings(space: Space, point: Point) -> list[str]:
    return [f"{name}={value_text(value)}" for name, value in space.changes(point).items()]


@dataclass(frozen=True)
class Evaluations:
    """A `search.Player` that plays evaluations at the points of a space.

    Attributes:
        prepared: the prepared search.
        engine: what plays; the numbers do not depend on it.
        clan_sets: the number of clan sets of an evaluation.
    """

    prepared: PreparedSearch
    engine: Engine
    clan_sets: int

    @cached_property
    def games_per_round(self) -> int:
        """The number of games that each rule set plays in one round of deals."""
        return self.plan(0, [self.prepared.space.start], 1).games

    def play(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play rounds of deals at each point (see `search.Player`)."""
        plan, numbers = self.plan(number, points, rounds), self.prepared.numbers
        return numbers.rows(play_evidence(plan, engine=self.engine, apart=not numbers.others))

    def plan(self, number: int, points: Sequence[Point], rounds: int) -> Plan:
        """The plan of an evaluation at several points."""
        spec = self.prepared.spec
        sample = sets_up_to(self.clan_sets, self.prepared.space.base, spec.players)
        # Every evaluation plays other deals, and the validation plays others again.
        seed = np.random.SeedSequence([spec.seed, 3, number]).generate_state(1, np.uint64)[0] >> 1
        keys = {
            "name": f"evaluation {number}",
            "seed": int(seed),
            "clan_sets": {"sample": sample, "seed": number + 1},
            "line_ups": [{"strategies": spec.strategies, "gives_up": True}],
        }
        plan = plan_of(self.prepared, points, keys)
        return replace(plan, rounds=dict.fromkeys(plan.cells_of, rounds))


SPEC_FILE = "balance.json"


def open_folder(folder: Path, spec: BalanceSpec, space: Space) -> None:
    """Begin a search in a folder, or continue the search that it holds.

    Raises:
        WrongInput: the folder holds another search, or something else.
        Failed: the folder cannot be written.
    """
    strategies = sorted({*spec.strategies, *spec.validators})
    identity = {
        "values": [factor.label for factor in space.factors],
        "spec": spec.model_dump(mode="json", by_alias=True),
        "rules": space.base.rules_id,
        "kernel": kernel_source(),
        "strategies": strategy_sources(strategies),
    }
    stored = stored_identity(folder)
    if stored is None:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongInput(f"'{folder}' holds something else; choose another folder with --out")
        text = json.dumps(identity, indent=1, sort_keys=True)
        write_whole(folder / SPEC_FILE, text.encode())
    elif stored != identity:
        raise WrongInput(
            f"'{folder}' holds a search that differs in {_differences(stored, identity)}; choose "
            "another folder with --out, or ask for the same"
        )


def stored_identity(folder: Path) -> dict[str, Any] | None:
    """The identity of a folder's search, as written when it began; None without a search."""
    try:
        identity = json.loads(read_file(folder / SPEC_FILE))
    except OSError:
        return None
    except ValueError as error:
        raise WrongInput(f"'{folder / SPEC_FILE}' cannot be read: {error}") from error
    if not isinstance(identity, dict) or not isinstance(identity.get("spec"), dict):
        raise WrongInput(f"'{folder / SPEC_FILE}' is of no search")
    return identity


def _differences(stored: dict[str, Any], requested: dict[str, Any]) -> str:
    """The differences between two searches, in words."""
    spec = [key for key, value in requested["spec"].items() if stored["spec"].get(key) != value]
    other = [key for key, value in requested.items() if key != "spec" and stored.get(key) != value]
    return ", ".join([*spec, *other]) or "nothing that this version knows"


@dataclass(frozen=True)
class Journal:
    """A player that stores evaluations in a folder, and plays none twice."""

    folder: Path
    player: Player
    labels: Sequence[str]

    @property
    def games_per_round(self) -> int:
        """The number of games that each rule set plays in one round of deals."""
        return self.player.games_per_round

    def play(self, number: int, points: Sequence[Point], rounds: int) -> list[Estimates]:
        """Play an evaluation, or read the stored one; Failed if its file is broken."""
        path = self.folder / "evaluations" / f"{number:04d}.parquet"
        if path.exists():
            return _read(path, points)
        measured = self.player.play(number, points, rounds)
        rows = [
            {
                "evaluation": number,
                "point": list(point),
                "games": rounds * self.games_per_round,
                "number": label,
                "value": float(numbers.value[place]),
                "standard_error": float(numbers.standard_error[place]),
                "pseudo_values": numbers.pseudo[:, place].tolist(),
                "leverage": numbers.leverage[:, place].tolist(),
            }
            for point, numbers in zip(points, measured, strict=True)
            for place, label in enumerate(self.labels)
        ]
        write_whole(path, parquet(pl.DataFrame(rows)))
        return measured


def _read(path: Path, points: Sequence[Point]) -> list[Estimates]:
    """Read the numbers of a stored evaluation."""
    try:
        parts = pl.read_parquet(path).partition_by("point", maintain_order=True)
        if [tuple(part["point"][0]) for part in parts] != list(points):
            raise Failed(f"'{path}' is of another search; remove it and go on")
        return [_numbers_of(part) for part in parts]
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Failed(f"'{path}' cannot be read; remove it and go on: {error}") from error


def _numbers_of(part: pl.DataFrame) -> Estimates:
    pseudo = np.asarray(part["pseudo_values"].to_list()).T
    leverage = np.asarray(part["leverage"].to_list()).T
    return of_blocks(part["value"].to_numpy(), pseudo, leverage, unit="", games=MIN_EVENTS)
