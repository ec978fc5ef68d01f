"""From folders of sweeps to evidence: rows are read shard by shard, added up and forgotten.

So memory does not grow with the number of games. Sweeps of several folders are put together where
they play the same rules: the deals of all go into the same blocks by their number, so games that
share luck share a block whichever folder they stand in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.interventions import Intervention, intervention_of
from ethnos_sim.experiments.designs.null_clan import NULL_RULES
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.storage.manifest import TABLES, ShardRecord
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.experiments.storage.tables import block_of_deal
from ethnos_sim.reports.evidence.evidence import (
    Evidence,
    Setting,
    Situation,
    Stratum,
    population_of,
    rule_sets,
    setting_name,
)
from ethnos_sim.reports.evidence.game_numbers import (
    BINS,
    DISTRIBUTIONS,
    age_draws,
    by_game,
    counted,
    margins,
)
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums, wins_by_cell
from ethnos_sim.reports.evidence.sums import (
    PLAYER,
    Sums,
    added,
    solo_by_cell,
    solo_sums,
    sums_by_cell,
)
from ethnos_sim.simulator.errors import Failed, WrongInput
from ethnos_sim.simulator.rules import Rules

OF_SHARDS = ("games", "turns", "margin")
"""The sums that are kept for each shard."""

_MOST_ROWS = 100_000
"""Rows of sums by cell that may gather before they are added up; each takes a kilobyte at most."""


class PlanGatherer:
    """Adds up the rows of one plan, in batches of whole games."""

    def __init__(self, plan: Plan, *, apart: bool = True) -> None:
        """Start with nothing; `apart`: whether interventions stand apart from ordinary play."""
        self.plan = plan
        self._apart = apart
        self._names = {(a.edition, a.name): setting_name(a, plan) for a in plan.editions}
        self._gathered: dict[Partition, _Gathered] = {}
        self._solo: dict[Partition, pl.DataFrame] = {}

    def add(self, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a batch of a partition: rows of `games` and all their rows of `seats`, in order."""
        if partition.solo:
            found = solo_by_cell(games, seats, self.plan.rules_of(partition))
            before = self._solo.get(partition)
            self._solo[partition] = found if before is None else added([before, found])
            return
        if partition not in self._gathered:
            setting = self._setting(partition)
            self._gathered[partition] = _Gathered(self.plan, partition, setting, self._apart)
        self._gathered[partition].add(games, seats)

    def evidence(self) -> Evidence:
        """The evidence of the batches so far."""
        played = [self._gathered[part] for part in self.plan.cells_of if part in self._gathered]
        for gathered in played:
            gathered.fold()
        ordinary = [gathered for gathered in played if not gathered.null_clan]
        return Evidence(
            plans=(self.plan,),
            sums=_all(each.sums for each in played),
            sets=_all(each.sets for each in played),
            interventions=_all(each.interventions for each in ordinary),
            null_clan={
                situation: sums
                for each in played
                if each.null_clan
                for (situation, _), sums in each.interventions.items()
            },
            distributions=_all(each.distributions for each in played),
            shards={(each.setting, each.players): (each.by_shard,) for each in ordinary},
            solo=dict(self._solo_sums()),
        )

    def _setting(self, partition: Partition) -> Setting:
        """What a report calls the edition, mode and rules of a partition."""
        key = partition.edition, partition.rules
        name = "" if partition.rules == NULL_RULES else self._names[key]
        return Setting(partition.edition, partition.mode, name)

    def _solo_sums(self) -> Iterator[tuple[Situation, Sums]]:
        """The sums of every strategy against Bruno by the edition's reference rules."""
        for partition, cells in self.plan.cells_of.items():
            setting = self._setting(partition) if partition in self._solo else None
            if setting is None or setting.rules:
                continue
            names = {cell.number: cell.line_up[PLAYER] for cell in cells}
            rules = self.plan.rules_of(partition)
            for strategy, sums in solo_sums(self._solo[partition], names, rules):
                yield Situation(*setting, partition.players, strategy), sums


class _Gathered:
    """The sums of one partition, cut by stratum, clan set and intervention."""

    def __init__(self, plan: Plan, partition: Partition, setting: Setting, apart: bool) -> None:
        """Tell what each cell is a part of."""
        self.setting, self.players = setting, partition.players
        self.null_clan = partition.rules == NULL_RULES
        self.sums: dict[Stratum, Sums] = {}
        self.sets: dict[Situation, Sums] = {}
        self.interventions: dict[tuple[Situation, str], InterventionSums] = {}
        self.rules = plan.rules_of(partition)
        self._waiting: list[pl.DataFrame] = []
        self._told: list[pl.DataFrame] = []
        self._shards: list[IntArray] = []
        cells = plan.cells_of[partition]
        self._restricted: dict[tuple[Situation, str], dict[Cell, Intervention]] = {}
        strata: dict[tuple[Situation, tuple[str, ...], int], list[Cell]] = {}
        for cell in cells:
            found = intervention_of(cell.line_up) if apart else None
            line_up = cell.line_up if found is None else found.line_up
            population = population_of(line_up, cell.population)
            situation = Situation(*setting, partition.players, population)
            if found is None:
                strata.setdefault((situation, line_up, _deck(self.rules, cell)), []).append(cell)
            elif set(found.about) <= set(cell.clans):
                self._restricted.setdefault((situation, found.kind), {})[cell] = found
        self._strata = {Stratum(*about): of for about, of in strata.items()}
        self._first = min(cell.number for cell in cells)
        self._stratum = np.full(max(cell.number for cell in cells) - self._first + 1, -1)
        for number, of in enumerate(self._strata.values()):
            self._stratum[[cell.number - self._first for cell in of]] = number
        self._counts = np.zeros((len(self._strata), len(DISTRIBUTIONS), BINS), np.int64)

    @property
    def distributions(self) -> dict[Stratum, IntArray]:
        """The counts by value of every stratum that has games."""
        both = zip(self._strata, self._counts, strict=True)
        return {stratum: counts.copy() for stratum, counts in both if stratum in self.sums}

    @property
    def by_shard(self) -> Mapping[str, IntArray]:
        """The sums of OF_SHARDS by block and shard."""
        stacked = np.stack(self._shards, axis=1)
        return {name: stacked[..., number] for number, name in enumerate(OF_SHARDS)}

    def add(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a batch; the rows by cell are kept until there are many of them.

        Of interventions, which are most of a sweep's games, the wins alone are added up.
        """
        self._shards.append(_of_shard(games, seats))
        stratum = self._stratum[games["cell"].to_numpy().astype(np.int64) - self._first]
        self._counts += counted(games, seats, stratum, len(self._counts))
        ordinary = stratum >= 0
        of_seats = ordinary.repeat(self.players)
        if ordinary.any():
            own = games.filter(ordinary), seats.filter(of_seats)
            self._waiting.append(sums_by_cell(*own, self.rules.clans, self.players))
        if not ordinary.all():
            self._told.append(wins_by_cell(seats.filter(~of_seats), self.players))
        if sum(map(len, (*self._waiting, *self._told))) > _MOST_ROWS:
            self.fold()

    def fold(self) -> None:
        """Add the rows by cell to the sums of what they are a part of, and forget them."""
        if self._waiting:
            self._fold_ordinary(added(self._waiting))
        if self._told:
            told = added(self._told)
            for about, cells_of in self._restricted.items():
                clans = self.rules.clans
                seat = InterventionSums.of_interventions(told, cells_of, clans, self.players)
                if seat.games:
                    _add(self.interventions, about, seat)
        self._waiting.clear()
        self._told.clear()

    def _fold_ordinary(self, by_cell: pl.DataFrame) -> None:
        """Add the rows of ordinary play by cell to the sums of strata and clan sets."""
        members: dict[Situation, dict[int, tuple[str, ...]]] = {}
        for stratum, cells in self._strata.items():
            clans_of = {cell.number: cell.clans for cell in cells}
            draws = age_draws(stratum.deck, self.rules)
            if draws is not None:
                draws *= self.rules.ages(self.players)
            sums = Sums.of_cells(by_cell, clans_of, self.rules.clans, self.players, draws)
            if sums.games:
                _add(self.sums, stratum, sums)
                members.setdefault(stratum.situation, {}).update(clans_of)
        for situation, clans_of in members.items():
            by_set = Sums.by_set(by_cell, clans_of, self.rules.clans, self.players)
            _add(self.sets, situation, by_set)


def _of_shard(games: pl.DataFrame, seats: pl.DataFrame) -> IntArray:
    """The sums of OF_SHARDS over a shard's games, (BLOCKS, len(OF_SHARDS))."""
    turns = games["turns"].to_numpy().astype(np.int64)
    values = np.stack([np.ones_like(turns), turns, margins(by_game(games, seats, "prestige"))])
    found = np.zeros((BLOCKS, len(OF_SHARDS)), np.int64)
    np.add.at(found, games.select(block_of_deal())["block"].to_numpy(), values.T)
    return found


def gather(*folders: Path) -> Evidence:
    """Read the folders of one sweep or several into sums; see `gather_results`."""
    return gather_results([open_results(folder) for folder in folders])


def gather_results(opened: Sequence[Results]) -> Evidence:
    """Read the results of one sweep or several into sums.

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
            gatherer.add(record.shard.partition, *_rows(results, record))
        parts.append(gatherer.evidence())
    return put_together(parts)


def put_together(parts: Iterable[Evidence]) -> Evidence:
    """The evidence of several sweeps as one.

    Raises:
        WrongInput: they play different rules under one name, or the same solo games.
    """
    evidence, *rest = parts
    for other in rest:
        evidence = _both(evidence, other)
    rule_sets(evidence.plans)
    return evidence


def _rows(results: Results, record: ShardRecord) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of one finished shard; Failed where a file cannot be read."""
    try:
        games, seats = (results.of_shards([record], table).collect() for table in TABLES)
        return games, seats
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Failed(
            f"the tables of '{record.shard.path}' cannot be read; "
            f"`ethnos-sim sweep --verify --out {results.folder}` tells which file is broken"
        ) from error


def _both(one: Evidence, other: Evidence) -> Evidence:
    if one.solo and other.solo:
        raise WrongInput("two of the sweeps hold solo games; report them apart")
    distributions, shards = dict(one.distributions), dict(one.shards)
    for stratum, counts in other.distributions.items():
        distributions[stratum] = distributions.get(stratum, 0) + counts
    for place, sweeps in other.shards.items():
        shards[place] = shards.get(place, ()) + sweeps
    return Evidence(
        (*one.plans, *other.plans),
        _sums_of_both(one.sums, other.sums),
        _sums_of_both(one.sets, other.sets),
        _sums_of_both(one.interventions, other.interventions),
        _sums_of_both(one.null_clan, other.null_clan),
        distributions,
        shards,
        one.solo or other.solo,
        (*one.sweeps, *other.sweeps),
    )


About = TypeVar("About", bound=Hashable)
Added = TypeVar("Added", bound=Sums)
Kept = TypeVar("Kept")


def _sums_of_both(one: Mapping[About, Added], other: Mapping[About, Added]) -> dict[About, Added]:
    found = dict(one)
    for about, sums in other.items():
        _add(found, about, sums)
    return found


def _all(parts: Iterable[Mapping[About, Kept]]) -> dict[About, Kept]:
    return {about: kept for part in parts for about, kept in part.items()}


def _add(found: dict[About, Added], about: About, sums: Added) -> None:
    found[about] = found[about].plus(sums) if about in found else sums


def _deck(rules: Rules, cell: Cell) -> int:
    """Ally cards in the deck of a cell at the start of an age."""
    # Each player draws a card, and so many lie open.
    dealt = cell.partition.players * (1 + rules.number("pool_per_player"))
    return sum(rules.cards_of(clan) for clan in cell.clans) - dealt
