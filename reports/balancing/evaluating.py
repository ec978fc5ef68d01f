"""Playing evaluations: many rule sets at tables where every seat gives up a clan of its own.

Restricted play of one seat tells of one clan a game; here every game tells of as many clans as
there are seats, and the seats' luck, who sits where being rotated, cancels between them
(`intervention_sums.alone`). What is measured in evaluations chooses; what is reported of finalists
is restricted play of one seat (`validated`).

A search is a function of its spec and of what was measured, so whoever begins it again in its
folder is handed the evaluations that are there, and plays on from the first that is not.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.balancing.search import Player
from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.balancing.spec import BalanceSpec
from ethnos_sim.experiments.designs.clan_sets import ClanSet, balanced_sample
from ethnos_sim.experiments.designs.interventions import (
    RESTRICTED,
    every_seat_line_ups,
    intervention_of,
)
from ethnos_sim.experiments.execution.engines import Engine, play_now
from ethnos_sim.experiments.execution.playing import Tables, prepare_tables
from ethnos_sim.experiments.plans.cells import Cell, Partition
from ethnos_sim.experiments.plans.plan import EditionRules, Plan
from ethnos_sim.experiments.plans.sources import kernel_source, package_version, strategy_sources
from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import of_blocks
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.reports.balancing.numbers import Numbers
from ethnos_sim.reports.estimators.interventions import RESTRICTED_PLAY
from ethnos_sim.reports.evidence.gathering import PlanGatherer
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums, ToldTally
from ethnos_sim.simulator.errors import Failed, WrongInput
from ethnos_sim.simulator.reading import read_file
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import LineUp

POPULATION = "balance"
"""What the line-ups of evaluations are called."""

CLAN_SETS = {400_000: 12, 100_000: 6, 0: 2}
"""Clan sets of an evaluation, by the least budget: each clan is in half of them. Tables take time
to lay, so that few games are played at few tables."""


def clan_sets_of(budget: int) -> int:
    """How many clan sets an evaluation has."""
    return next(sets for least, sets in CLAN_SETS.items() if budget >= least)


@dataclass(eq=False)
class Evaluations:
    """Plays evaluations at the points of a space; a `found.Player`.

    Attributes:
        space: what moves.
        players, mode: the table.
        strategies: who plays, one a seat; a short list repeats.
        numbers: what is measured.
        seed: of all luck.
        engine: what plays; the numbers do not depend on it.
        clan_sets: of an evaluation.
    """

    space: Space
    players: int
    mode: str
    strategies: tuple[str, ...]
    numbers: Numbers
    seed: int
    engine: Engine
    clan_sets: int
    _prepared: bool = field(default=False, init=False)

    @property
    def games_per_round(self) -> int:
        """The games of a rule set in one round of deals."""
        rules = self.space.base
        return sum(len(line_ups) for _, line_ups in self._tables(rules, 0)) * self.players

    def play(
        self, number: int, points: Sequence[Point], rounds: Sequence[range]
    ) -> list[Estimates]:
        """Play each point's rounds of deals (see `found.Player`)."""
        plan = self.plan(number, points)
        ranges = dict(zip(plan.cells_of, rounds, strict=True))
        prepared = Tables(plan) if self._prepared else prepare_tables(plan)
        self._prepared = True
        gatherer = PlanGatherer(plan, apart=False)
        counted = ToldTally(
            {
                cell: (cell.partition, told)
                for cell in plan.cells
                if (told := intervention_of(cell.line_up)) is not None
            },
            self.numbers.clans,
            self.players,
        )

        def take(partition: Partition, games: pl.DataFrame, seats: pl.DataFrame) -> None:
            counted.add(games, seats)
            if self.numbers.others:
                gatherer.add(partition, games, seats)

        play_now(
            replace(plan, rounds={part: own.stop for part, own in ranges.items()}),
            take,
            tables=prepared,
            after={part: own.start for part, own in ranges.items()},
            engine=self.engine,
        )
        measured = self._measured(plan, gatherer, dict(counted.sums()))
        return [measured[part] for part in ranges]

    def plan(self, number: int, points: Sequence[Point]) -> Plan:
        """The plan of an evaluation at several points: a rule set each, all at the same tables."""
        rules = {f"point-{place:03d}": self._rules(point) for place, point in enumerate(points)}
        cells: list[Cell] = []
        for name, own in rules.items():
            part = Partition(own.edition, self.players, self.mode, name)
            for place, (clans, line_ups) in enumerate(self._tables(own, number)):
                for names in line_ups:
                    rotations = LineUp.parse(names, self.players, own).rotations
                    cells.append(Cell(len(cells), part, place, clans, names, rotations, POPULATION))
        strategies = sorted({name for cell in cells for name in cell.line_up})
        return Plan(
            name=f"evaluation {number}",
            # Every evaluation has deals of its own, and so has what validates.
            seed=int(
                np.random.SeedSequence([self.seed, 3, number]).generate_state(1, np.uint64)[0] >> 1
            ),
            version=package_version(),
            kernel=kernel_source(),
            editions=tuple(EditionRules.of(own, name) for name, own in rules.items()),
            strategies=_sources(tuple(strategies)),
            cells=tuple(cells),
            rounds={cell.partition: 1 for cell in cells},
        )

    def _rules(self, point: Point) -> Rules:
        found = self.space.rules(point)
        assert found is not None, "only points that make rules are played"
        return found

    def _tables(self, rules: Rules, number: int) -> list[tuple[ClanSet, list[tuple[str, ...]]]]:
        """Clan sets of an evaluation and line-ups: every strategy is kept from every clan once."""
        size = rules.clans_in_play(self.players)
        clans = sorted(rules.clans, key=rules.power_of)
        line_up = LineUp.parse(self.strategies, self.players, rules)
        found = []
        for place, in_play in enumerate(balanced_sample(clans, size, self.clan_sets, number + 1)):
            drawn_by = self.seed, number, place
            line_ups = every_seat_line_ups([(line_up, 1)], RESTRICTED, drawn_by, in_play, rules)
            found.append((in_play, [told.names for told, _ in line_ups]))
        return found

    def _measured(
        self, plan: Plan, gatherer: PlanGatherer, sums: Mapping[Partition, InterventionSums]
    ) -> dict[Partition, Estimates]:
        others: Mapping[str, Estimates] = {}
        if self.numbers.others:
            evidence = gatherer.evidence()
            others = {
                each.setting.rules or _reference(plan): self.numbers.measured(evidence, each)
                for each in evidence.situations
            }
        return {
            part: self.numbers.row(
                # The power of every clan, as it would be if one seat alone were restricted.
                RESTRICTED_PLAY.of(counted, ", ".join(self.strategies)),
                others.get(part.rules),
            )
            for part, counted in sums.items()
        }


@lru_cache(4)
def _sources(strategies: tuple[str, ...]) -> Mapping[str, str]:
    """What decides how strategies play; every evaluation has the same."""
    return strategy_sources(strategies)


def _reference(plan: Plan) -> str:
    """The rule set of a plan that evidence calls nothing: the printed rules, or else the first."""
    from ethnos_sim.reports.evidence.evidence import setting_name

    return next(about.name for about in plan.editions if setting_name(about, plan) == "")


SPEC_FILE = "balance.json"


def open_folder(folder: Path, spec: BalanceSpec, space: Space, kind: str = "search") -> None:
    """Begin a search in a folder, or go on with the one that is there.

    Raises:
        WrongInput: the folder holds another search, or something else.
        Failed: it cannot be written.
    """
    strategies = sorted({*spec.strategies, *spec.validators})
    identity = {
        "kind": kind,
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
            f"'{folder}' holds a search that differs in {_differing(stored, identity)}; choose "
            "another folder with --out, or ask for the same"
        )


def stored_identity(folder: Path) -> dict[str, Any] | None:
    """What a folder's search is, as written when it began; None where there is none."""
    try:
        found = json.loads(read_file(folder / SPEC_FILE))
    except OSError:
        return None
    except ValueError as error:
        raise WrongInput(f"'{folder / SPEC_FILE}' cannot be read: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        raise WrongInput(f"'{folder / SPEC_FILE}' is of no search")
    return found


def _differing(stored: dict[str, Any], asked: dict[str, Any]) -> str:
    """In what two searches differ, in words."""
    spec = [key for key, value in asked["spec"].items() if stored["spec"].get(key) != value]
    other = [key for key, value in asked.items() if key != "spec" and stored.get(key) != value]
    return ", ".join([*spec, *other]) or "nothing that this version knows"


@dataclass(frozen=True)
class Journal:
    """A player that keeps what it played in a folder, and plays nothing twice."""

    folder: Path
    player: Player
    numbers: Numbers

    @property
    def games_per_round(self) -> int:
        """The games of a rule set in one round of deals."""
        return self.player.games_per_round

    def play(
        self, number: int, points: Sequence[Point], rounds: Sequence[range]
    ) -> list[Estimates]:
        """Play an evaluation, or read it where it was played; Failed where its file is broken."""
        path = self.folder / "evaluations" / f"{number:04d}.parquet"
        if path.exists():
            return self._read(path, points, rounds)
        played = self.player.play(number, points, rounds)
        rows = [
            {
                "evaluation": number,
                "point": list(point),
                "first_round": own.start,
                "rounds": len(own),
                "games": len(own) * self.games_per_round,
                "number": label,
                "value": float(numbers.value[place]),
                "standard_error": float(numbers.standard_error[place]),
                "pseudo_values": numbers.pseudo[:, place].tolist(),
                "leverage": numbers.leverage[:, place].tolist(),
            }
            for point, own, numbers in zip(points, rounds, played, strict=True)
            for place, label in enumerate(self.numbers.labels)
        ]
        opened = io.BytesIO()
        pl.DataFrame(rows).write_parquet(opened)
        write_whole(path, opened.getvalue())
        return played

    def _read(
        self, path: Path, points: Sequence[Point], rounds: Sequence[range]
    ) -> list[Estimates]:
        try:
            frame = pl.read_parquet(path)
            parts = frame.partition_by("point", "first_round", maintain_order=True)
            told = [(tuple(each["point"][0]), each["first_round"][0]) for each in parts]
            asked = [(point, own.start) for point, own in zip(points, rounds, strict=True)]
            if told != asked:
                raise Failed(f"'{path}' is of another search; remove it and go on")
            return [_numbers_of(part) for part in parts]
        except (pl.exceptions.PolarsError, OSError) as error:
            raise Failed(f"'{path}' cannot be read; remove it and go on: {error}") from error


def _numbers_of(part: pl.DataFrame) -> Estimates:
    pseudo = np.asarray(part["pseudo_values"].to_list()).T
    leverage = np.asarray(part["leverage"][0].to_list())
    value = part["value"].to_numpy()
    return of_blocks(value, pseudo, leverage[:, None], unit="", games=MIN_EVENTS)
