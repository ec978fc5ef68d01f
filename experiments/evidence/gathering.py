"""From folders of sweeps to evidence: the stored sums of all shards are read and added up.

Rows are not read, so neither memory nor time grows with the games of a shard. If a shard has no
stored sums, its rows are added up and the sums are stored. Sweeps of several folders are joined if
they play the same rules. In every folder a deal's number decides its block, so games that share
luck share a block.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.evidence.evidence import (
    SOLO_POPULATION,
    SUM_FIELDS,
    Evidence,
    RuleSetName,
    Situation,
    population_of,
    rule_set_name,
    rule_sets,
)
from ethnos_sim.experiments.evidence.game_numbers import (
    TURN_BINS,
    expected_game_draws,
    game_numbers,
    solo_numbers,
    turn_counts,
)
from ethnos_sim.experiments.evidence.given_up_clans import GIVEN_UP_KINDS, given_up_numbers
from ethnos_sim.experiments.evidence.sums import LINE_UP_SUMS, Sums, Tally, luck_sums
from ethnos_sim.experiments.plans.plan import Partition, Plan
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.storage.manifest import TABLES, ShardRecord
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.experiments.storage.sums import read_sums, write_sums
from ethnos_sim.simulator.compiler.identity import code_of_module
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput

GAMES_AT_ONCE = 20_000
"""The most games whose numbers are in memory at once, a few kilobytes each; more is slower."""

SEPARATE_KINDS = (*GIVEN_UP_KINDS, SOLO_POPULATION)
"""The kinds of games that have their own sums, which only say who won."""


class PlanGatherer:
    """Adds up the rows of a plan to evidence, in batches of whole games."""

    def __init__(self, plan: Plan) -> None:
        """Start without games."""
        self.plan = plan
        self._names = {(a.edition, a.name): rule_set_name(a, plan) for a in plan.editions}
        self._gathered: dict[Partition, _PartitionSums] = {}

    def add(self, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add games of a partition and all rows of their seats, in the same order."""
        self.sums_of(partition).add(games, seats)

    def sums_of(self, partition: Partition) -> _PartitionSums:
        """The sums of a partition, which are created at first use."""
        if partition not in self._gathered:
            name = self._names[partition.edition, partition.rules]
            rule_set = RuleSetName(partition.edition, partition.mode, name)
            self._gathered[partition] = _PartitionSums(self.plan, partition, rule_set)
        return self._gathered[partition]

    def evidence(self) -> Evidence:
        """The evidence of all batches so far."""
        played = [self._gathered[part] for part in self.plan.cells_of if part in self._gathered]
        return Evidence((self.plan,), **_added_fields([tally.evidence() for tally in played]))


class _PartitionSums:
    """The sums of a partition: of ordinary games, and of the SEPARATE_KINDS."""

    def __init__(self, plan: Plan, partition: Partition, rule_set: RuleSetName) -> None:
        """Give each cell its situation, clan set and line-up.

        Solo games count only under the reference rule set.
        """
        self.players, self.sides = partition.players, partition.sides
        self.rules = plan.rules_of(partition)
        sets: dict[int, tuple[Situation, ClanSet]] = {}
        line_ups: dict[int, tuple[Situation, tuple[str, ...]]] = {}
        apart = {kind: dict[int, tuple[Situation, tuple[()]]]() for kind in SEPARATE_KINDS}
        cells = plan.cells_of[partition]
        for cell in cells if not (partition.solo and rule_set.rules) else ():
            population = population_of(cell.line_up, "" if partition.solo else cell.population)
            situation = Situation(*rule_set, partition.players, population)
            kind = SOLO_POPULATION if partition.solo else cell.kind
            if kind in apart:
                apart[kind][cell.number] = situation, ()
            else:
                sets[cell.number] = situation, cell.clans
                line_ups[cell.number] = situation, cell.line_up
        self._sets, self._line_ups = Tally(sets), Tally(line_ups)
        self._apart = {kind: Tally(cells) for kind, cells in apart.items()}
        self._situations = tuple(dict.fromkeys(situation for situation, _ in sets.values()))
        of_sets = [self._situations.index(situation) for situation, _ in self._sets.tables]
        self._situation = np.asarray(of_sets, np.intp)
        self._turns = np.zeros((len(self._situations), TURN_BINS), np.int64)

    def add(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add games and all rows of their seats, in the same order."""
        for part in self._batches_of(self._sets, games, seats):
            self._add_ordinary(*part)
        for kind, tally in self._apart.items():
            for part in self._batches_of(tally, games, seats):
                tally.add(part[0], self._separate_numbers(kind, *part))

    def _separate_numbers(
        self, kind: str, games: pl.DataFrame, seats: pl.DataFrame
    ) -> dict[str, IntArray]:
        """The numbers of games of one of the SEPARATE_KINDS."""
        if kind == SOLO_POPULATION:
            return solo_numbers(games, seats)
        return given_up_numbers(kind, games, seats, self.rules.clans)

    def _batches_of(
        self, tally: Tally[Any], games: pl.DataFrame, seats: pl.DataFrame
    ) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """The games that a tally counts and their seats, GAMES_AT_ONCE games at a time."""
        counted = tally.table_indices(games) >= 0
        games, seats = games.filter(counted), seats.filter(counted.repeat(self.sides))
        for first in range(0, len(games), GAMES_AT_ONCE):
            of_seats = self.sides * first, self.sides * GAMES_AT_ONCE
            yield games.slice(first, GAMES_AT_ONCE), seats.slice(*of_seats)

    @property
    def _tallies(self) -> dict[str, Tally[Any]]:
        """The tallies, by the prefix that stored sums have in their names."""
        return {"sets": self._sets, "line_ups": self._line_ups, **self._apart}

    def arrays(self) -> dict[str, IntArray]:
        """All sums so far by name, as they are stored."""
        of_tallies = {
            f"{kind} {name}": array
            for kind, tally in self._tallies.items()
            for name, array in tally.arrays.items()
        }
        return {**of_tallies, "turns": self._turns}

    def add_arrays(self, arrays: Mapping[str, IntArray]) -> None:
        """Add the `arrays` of other games of this partition."""
        self._turns += arrays["turns"]
        for kind, tally in self._tallies.items():
            names = [name for name in arrays if name.startswith(f"{kind} ")]
            tally.add_arrays({name.partition(" ")[2]: arrays[name] for name in names})

    def _add_ordinary(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add ordinary games, in which nobody gives up a clan."""
        situation = self._situation[self._sets.table_indices(games)]
        self._turns += turn_counts(games, situation, len(self._turns))
        numbers = game_numbers(games, seats, self.rules.clans)
        self._sets.add(games, numbers)
        self._line_ups.add(games, {name: numbers[name] for name in LINE_UP_SUMS})

    def evidence(self) -> Evidence:
        """The evidence of this partition's batches so far."""
        turns = zip(self._situations, self._turns, strict=True)
        apart = {
            (situation, kind): Sums(
                self.rules.clans,
                self.players,
                {name: array[:, 0] for name, array in arrays.items()},
            )
            for kind, tally in self._apart.items()
            for situation, _, arrays in tally.sums()
        }
        return Evidence(
            (),
            clan_set_sums=dict(self._clan_set_sums()),
            line_up_sums={
                situation: Sums(self.rules.clans, self.players, arrays, line_ups)
                for situation, line_ups, arrays in self._line_ups.sums()
            },
            turn_counts={situation: held.copy() for situation, held in turns if held.any()},
            given_up_sums={key: sums for key, sums in apart.items() if key[1] in GIVEN_UP_KINDS},
            solo_sums={at: sums for (at, kind), sums in apart.items() if kind == SOLO_POPULATION},
        )

    def _clan_set_sums(self) -> Iterator[tuple[Situation, Sums]]:
        """Each situation with games, and its sums by clan set, which include `luck_sums`."""
        for situation, sets, arrays in self._sets.sums():
            draws = [expected_game_draws(clans, self.rules, self.players) for clans in sets]
            mean_draws = [draw for draw in draws if draw is not None]
            all_arrays = arrays | luck_sums(arrays, mean_draws or None)
            yield situation, Sums(self.rules.clans, self.players, all_arrays, sets)


@functools.cache
def summing_identity() -> str:
    """The identity of the code that adds up rows, sixteen hexadecimal digits."""
    package = __name__.rpartition(".")[0]
    modules = ("evidence", "game_numbers", "gathering", "given_up_clans", "sums")
    codes = "\n".join(code_of_module(f"{package}.{module}") for module in modules)
    return sha256(f"{BLOCKS}\n{codes}".encode()).hexdigest()[:16]


def sums_of_shard(
    plan: Plan, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame
) -> dict[str, IntArray]:
    """The sums of a shard's rows, as they are stored beside the shard."""
    gathered = PlanGatherer(plan).sums_of(partition)
    gathered.add(games, seats)
    return gathered.arrays()


def gather_evidence(*sweeps: Results | Path) -> Evidence:
    """The evidence of one sweep or several, from their stored sums.

    Args:
        sweeps: the results of each sweep, or its folder.

    Raises:
        WrongInput: a sweep has no finished games, or the sweeps do not fit together.
        Failed: files cannot be read.
    """
    opened = [open_results(sweep) if isinstance(sweep, Path) else sweep for sweep in sweeps]
    for results in opened:
        if not results.records:
            raise WrongInput(f"the sweep in '{results.folder}' has no finished games yet")
    rule_sets(tuple(results.plan for results in opened))
    parts = []
    for results in opened:
        gatherer = PlanGatherer(results.plan)
        for record in results.records:
            _add_shard(gatherer, results, record)
        parts.append(gatherer.evidence())
    return join_evidence(parts)


def join_evidence(parts: Iterable[Evidence]) -> Evidence:
    """Join the evidence of several sweeps.

    Raises:
        WrongInput: two sweeps have different rules with the same name, or both have solo games.
    """
    every = list(parts)
    if len(every) == 1:
        return every[0]
    if sum(bool(part.solo_sums) for part in every) > 1:
        raise WrongInput("two of the sweeps hold solo games; make a page of each")
    plans = tuple(plan for part in every for plan in part.plans)
    rule_sets(plans)
    return Evidence(plans, **_added_fields(every))


def _add_shard(gatherer: PlanGatherer, results: Results, record: ShardRecord) -> None:
    """Add the stored sums of a shard, or compute them if their file is missing or broken."""
    partition, by = record.shard.partition, summing_identity()
    if results.has_other_cells:
        gatherer.add(partition, *_shard_rows(results, record))
        return
    sums = read_sums(results.folder, record, by)
    if sums is None:
        sums = sums_of_shard(results.plan, partition, *_shard_rows(results, record))
        write_sums(results.folder, record, sums, by)
    gatherer.sums_of(partition).add_arrays(sums)


def _shard_rows(results: Results, record: ShardRecord) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of a finished shard; Failed if a file cannot be read."""
    try:
        games, seats = (results.shard_rows([record], table).collect() for table in TABLES)
        return games, seats
    except pl.exceptions.ColumnNotFoundError as error:
        raise Failed(
            f"'{record.shard.path}' lacks a column that this version reads: play the sweep again"
        ) from error
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Failed(
            f"the tables of '{record.shard.path}' cannot be read; "
            f"`ethnos-sim sweep --verify --out {results.folder}` tells which file is broken"
        ) from error


def _added_fields(parts: Sequence[Evidence]) -> dict[str, Any]:
    """The SUM_FIELDS of all parts together; values with the same key are added up."""
    summed: dict[str, dict[Any, Any]] = {name: {} for name in SUM_FIELDS}
    for part in parts:
        for name, total in summed.items():
            for about, kept in getattr(part, name).items():
                total[about] = total[about] + kept if about in total else kept
    return summed
