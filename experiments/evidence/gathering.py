"""From folders of sweeps to evidence: the stored sums of all shards are read and added up.

Since rows are not read, neither memory nor time grows with the games of a shard. Where a shard has
no stored sums, its rows are added up and the sums are stored. Sweeps of several folders are put
together where they play the same rules. Deals go into blocks by their number in every folder, so
games that share luck share a block whichever folder they are in.
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
    SUMMED,
    Evidence,
    RuleSetName,
    Situation,
    population_of,
    rule_set_name,
    rule_sets,
)
from ethnos_sim.experiments.evidence.game_numbers import (
    BINS,
    age_draws,
    counted_turns,
    deck_of,
    game_numbers,
    solo_numbers,
)
from ethnos_sim.experiments.evidence.given_up import AGES, given_up_numbers
from ethnos_sim.experiments.evidence.sums import OF_LINE_UPS, Sums, Tally, luck
from ethnos_sim.experiments.plans.plan import Partition, Plan
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.storage.manifest import TABLES, ShardRecord
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.experiments.storage.sums import read_sums, write_sums
from ethnos_sim.simulator.compiler.identity import code_of_module
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput

AT_ONCE = 20_000
"""The games whose numbers (a few kilobytes each) are in memory at once; more would be slower."""

APART = (*AGES, SOLO_POPULATION)
"""The kinds of games that are added up apart from ordinary games: of each, only who won."""


class PlanGatherer:
    """Adds up the rows of one plan, in batches of whole games."""

    def __init__(self, plan: Plan) -> None:
        """Start without games."""
        self.plan = plan
        self._names = {(a.edition, a.name): rule_set_name(a, plan) for a in plan.editions}
        self._gathered: dict[Partition, _Gathered] = {}

    def add(self, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a batch of a partition: rows of `games` and all their rows of `seats`, in order."""
        self.of(partition).add(games, seats)

    def of(self, partition: Partition) -> _Gathered:
        """The sums of a partition; create them on first use."""
        if partition not in self._gathered:
            name = self._names[partition.edition, partition.rules]
            rule_set = RuleSetName(partition.edition, partition.mode, name)
            self._gathered[partition] = _Gathered(self.plan, partition, rule_set)
        return self._gathered[partition]

    def evidence(self) -> Evidence:
        """The evidence of the batches so far."""
        played = [self._gathered[part] for part in self.plan.cells_of if part in self._gathered]
        return Evidence((self.plan,), **_summed([tally.evidence() for tally in played]))


class _Gathered:
    """One partition's sums: of ordinary games by clan set and line-up, and of the kinds APART."""

    def __init__(self, plan: Plan, partition: Partition, rule_set: RuleSetName) -> None:
        """Assign each cell to its situation, clan set and line-up.

        Of solo games only those under the reference rule set count.
        """
        self.players, self.sides = partition.players, partition.sides
        self.rules = plan.rules_of(partition)
        sets: dict[int, tuple[Situation, ClanSet]] = {}
        line_ups: dict[int, tuple[Situation, tuple[str, ...]]] = {}
        apart: dict[str, dict[int, tuple[Situation, tuple[()]]]] = {kind: {} for kind in APART}
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
        self._turns = np.zeros((len(self._situations), BINS), np.int64)

    def add(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a batch."""
        for part in self._parts_of(self._sets, games, seats):
            self._add_ordinary(*part)
        for kind, tally in self._apart.items():
            for part in self._parts_of(tally, games, seats):
                tally.add(part[0], self._numbers(kind, *part))

    def _numbers(self, kind: str, games: pl.DataFrame, seats: pl.DataFrame) -> dict[str, IntArray]:
        """The numbers of games whose kind is one of APART."""
        if kind == SOLO_POPULATION:
            return solo_numbers(games, seats)
        return given_up_numbers(kind, games, seats, self.rules.clans)

    def _parts_of(
        self, tally: Tally[Any], games: pl.DataFrame, seats: pl.DataFrame
    ) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """The games and seats that have a table in a tally, AT_ONCE games at a time."""
        counted = tally.indices(games) >= 0
        games, seats = games.filter(counted), seats.filter(counted.repeat(self.sides))
        for first in range(0, len(games), AT_ONCE):
            of_seats = self.sides * first, self.sides * AT_ONCE
            yield games.slice(first, AT_ONCE), seats.slice(*of_seats)

    @property
    def _tallies(self) -> dict[str, Tally[Any]]:
        """The tallies, by the prefix of their sums' names."""
        return {"sets": self._sets, "line_ups": self._line_ups, **self._apart}

    def arrays(self) -> dict[str, IntArray]:
        """All sums so far by name, in the form in which they are stored."""
        of_tallies = {
            f"{kind} {name}": array
            for kind, tally in self._tallies.items()
            for name, array in tally.arrays.items()
        }
        return {**of_tallies, "turns": self._turns}

    def add_arrays(self, arrays: Mapping[str, IntArray]) -> None:
        """Add the sums of other games of the same cells."""
        self._turns += arrays["turns"]
        for kind, tally in self._tallies.items():
            names = [name for name in arrays if name.startswith(f"{kind} ")]
            tally.add_arrays({name.partition(" ")[2]: arrays[name] for name in names})

    def _add_ordinary(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add games of several players in which nobody gives up a clan."""
        situation = self._situation[self._sets.indices(games)]
        self._turns += counted_turns(games, situation, len(self._turns))
        numbers = game_numbers(games, seats, self.rules.clans)
        self._sets.add(games, numbers)
        self._line_ups.add(games, {name: numbers[name] for name in OF_LINE_UPS})

    def evidence(self) -> Evidence:
        """The evidence of the batches so far."""
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
            sets=dict(self._by_set()),
            line_ups={
                situation: Sums(self.rules.clans, self.players, arrays, line_ups)
                for situation, line_ups, arrays in self._line_ups.sums()
            },
            turns={situation: held.copy() for situation, held in turns if held.any()},
            given_up={about: sums for about, sums in apart.items() if about[1] in AGES},
            solo={about: sums for (about, kind), sums in apart.items() if kind not in AGES},
        )

    def _by_set(self) -> Iterator[tuple[Situation, Sums]]:
        """The sums by clan set of every situation that has games."""
        for situation, sets, arrays in self._sets.sums():
            draws = [
                age_draws(deck_of(clans, self.rules, self.players), self.rules) for clans in sets
            ]
            mean_draws = [
                self.rules.ages(self.players) * draw for draw in draws if draw is not None
            ]
            all_arrays = arrays | luck(arrays, mean_draws or None)
            yield situation, Sums(self.rules.clans, self.players, all_arrays, sets)


@functools.cache
def summed_by() -> str:
    """Sixteen hex digits that identify the code that adds up rows."""
    package = __name__.rpartition(".")[0]
    modules = ("evidence", "game_numbers", "gathering", "given_up", "sums")
    codes = "\n".join(code_of_module(f"{package}.{module}") for module in modules)
    return sha256(f"{BLOCKS}\n{codes}".encode()).hexdigest()[:16]


def sums_of_shard(
    plan: Plan, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame
) -> dict[str, IntArray]:
    """Add up a shard's rows, to store the sums beside the shard."""
    gathered = PlanGatherer(plan).of(partition)
    gathered.add(games, seats)
    return gathered.arrays()


def gather(*folders: Path) -> Evidence:
    """Read the sums of one folder or several; see `gather_results`."""
    return gather_results([open_results(folder) for folder in folders])


def gather_results(opened: Sequence[Results]) -> Evidence:
    """Read the sums of one sweep or several.

    Args:
        opened: the results, from `open_results`.

    Raises:
        WrongInput: a sweep has no finished games, or the sweeps do not fit together.
        Failed: files cannot be read.
    """
    for results in opened:
        if not results.records:
            raise WrongInput(f"the sweep in '{results.folder}' has no finished games yet")
    rule_sets(tuple(results.plan for results in opened))
    parts = []
    for results in opened:
        gatherer = PlanGatherer(results.plan)
        for record in results.records:
            _add(gatherer, results, record)
        parts.append(gatherer.evidence())
    return put_together(parts)


def put_together(parts: Iterable[Evidence]) -> Evidence:
    """Join the evidence of several sweeps.

    Raises:
        WrongInput: two sweeps play different rules under one name, or the same solo games.
    """
    every = list(parts)
    if len(every) == 1:
        return every[0]
    if sum(bool(part.solo) for part in every) > 1:
        raise WrongInput("two of the sweeps hold solo games; make a page of each")
    plans = tuple(plan for part in every for plan in part.plans)
    rule_sets(plans)
    return Evidence(plans, **_summed(every))


def _add(gatherer: PlanGatherer, results: Results, record: ShardRecord) -> None:
    """Add the stored sums of a shard; where their file is missing or broken, sum its rows again."""
    partition, by = record.shard.partition, summed_by()
    if results.has_other_cells:
        gatherer.add(partition, *_rows(results, record))
        return
    sums = read_sums(results.folder, record, by)
    if sums is None:
        sums = sums_of_shard(results.plan, partition, *_rows(results, record))
        write_sums(results.folder, record, sums, by)
    gatherer.of(partition).add_arrays(sums)


def _rows(results: Results, record: ShardRecord) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of one finished shard; Failed where a file cannot be read."""
    try:
        games, seats = (results.of_shards([record], table).collect() for table in TABLES)
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


def _summed(parts: Sequence[Evidence]) -> dict[str, Any]:
    """The SUMMED fields over all parts; entries that several parts have are added up."""
    summed: dict[str, dict[Any, Any]] = {name: {} for name in SUMMED}
    for part in parts:
        for name, total in summed.items():
            for about, kept in getattr(part, name).items():
                total[about] = total[about] + kept if about in total else kept
    return summed
