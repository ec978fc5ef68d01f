"""From folders of sweeps to evidence: rows are read shard by shard, added up and forgotten.

So memory does not grow with the number of games. Sweeps of several folders are put together where
they play the same rules: the deals of all go into the same blocks by their number, so games that
share luck share a block whichever folder they stand in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, Self, TypeVar

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
from ethnos_sim.reports.evidence.clan_sets import SetSums
from ethnos_sim.reports.evidence.decks import age_draws, deck_cards
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
    by_game,
    counted,
    margins,
)
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums, wins_by_cell
from ethnos_sim.reports.evidence.solo_evidence import SoloEvidence, SoloGatherer, solo_evidence_of
from ethnos_sim.reports.evidence.sums import Sums, added, sums_by_cell
from ethnos_sim.simulator.errors import Failed, WrongInput
from ethnos_sim.simulator.modes import SOLO_EDITION
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
        self._solo: dict[Partition, SoloGatherer] = {}

    def add(self, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a batch of a partition: rows of `games` and all their rows of `seats`, in order."""
        if partition.solo:
            if partition not in self._solo:
                self._solo[partition] = SoloGatherer(self.plan.rules_of(partition))
            self._solo[partition].add(games, seats)
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
            sums={stratum: sums for each in played for stratum, sums in each.sums.items()},
            sets={about: sums for each in played for about, sums in each.sets.items()},
            interventions={
                about: sums for each in ordinary for about, sums in each.interventions.items()
            },
            null_clan={
                situation: sums
                for each in played
                if each.null_clan
                for (situation, _), sums in each.interventions.items()
            },
            distributions={
                stratum: counts for each in played for stratum, counts in each.distributions.items()
            },
            shards={(each.setting, each.players): (each.by_shard,) for each in ordinary},
            solo=solo_evidence_of(self.plan, self._solo, self._reference(SOLO_EDITION)),
        )

    def _setting(self, partition: Partition) -> Setting:
        """What a report calls the edition, mode and rules of a partition."""
        key = partition.edition, partition.rules
        name = "" if partition.rules == NULL_RULES else self._names[key]
        return Setting(partition.edition, partition.mode, name)

    def _reference(self, edition: str) -> str:
        """What the plan calls an edition's reference rule set; "" where it lacks the edition."""
        found = (own for (of, own), name in self._names.items() if (of, name) == (edition, ""))
        return next(found, "")


class _Gathered:
    """The sums of one partition, cut by stratum, clan set and intervention."""

    def __init__(self, plan: Plan, partition: Partition, setting: Setting, apart: bool) -> None:
        """Tell what each cell is a part of."""
        self.setting, self.players = setting, partition.players
        self.null_clan = partition.rules == NULL_RULES
        self.sums: dict[Stratum, Sums] = {}
        self.sets: dict[Situation, SetSums] = {}
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
            situation = Situation(setting, partition.players, population)
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
                seat = InterventionSums.of_cells(told, cells_of, self.rules.clans, self.players)
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
                before = self.sums.get(stratum)
                self.sums[stratum] = sums if before is None else before.with_more(sums)
                members.setdefault(stratum.situation, {}).update(clans_of)
        for situation, clans_of in members.items():
            by_set = SetSums.of_cells(by_cell, clans_of, self.players)
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


Watch = Callable[[int, Partition, pl.DataFrame, pl.DataFrame], None]
"""What looks at each batch of rows on its way: the sweep's number, partition, games and seats."""


def gather_results(opened: Sequence[Results], watch: Watch | None = None) -> Evidence:
    """Read the results of one sweep or several into sums.

    Args:
        opened: the results, from `open_results`.
        watch: called with every shard's rows while they are in memory.

    Raises:
        WrongInput: a sweep has no finished games, or the sweeps do not fit together.
        Failed: files cannot be read.
    """
    for results in opened:
        if not results.records:
            raise WrongInput(f"the sweep in '{results.folder}' has no finished games yet")
    rule_sets(tuple(results.plan for results in opened))
    parts = []
    for number, results in enumerate(opened):
        gatherer = PlanGatherer(results.plan)
        for record in results.records:
            games, seats = _rows(results, record)
            gatherer.add(record.shard.partition, games, seats)
            if watch is not None:
                watch(number, record.shard.partition, games, seats)
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
    """The evidence of two sweeps as one."""
    sums: dict[Stratum, Sums] = {}
    distributions: dict[Stratum, IntArray] = {}
    for part in (one, other):
        for stratum, found in part.sums.items():
            _add(sums, stratum, found)
            counts = part.distributions[stratum]
            distributions[stratum] = distributions.get(stratum, 0) + counts
    sets, interventions, null = dict(one.sets), dict(one.interventions), dict(one.null_clan)
    for situation, by_set in other.sets.items():
        _add(sets, situation, by_set)
    for about, seat in other.interventions.items():
        _add(interventions, about, seat)
    for situation, seat in other.null_clan.items():
        _add(null, situation, seat)
    shards = dict(one.shards)
    for place, sweeps in other.shards.items():
        shards[place] = shards.get(place, ()) + sweeps
    return Evidence(
        (*one.plans, *other.plans),
        sums,
        sets,
        interventions,
        null,
        distributions,
        shards,
        _both_solo(one.solo, other.solo),
        (*one.sweeps, *other.sweeps),
    )


class _Summable(Protocol):
    """Sums that can be added up."""

    def plus(self, other: Self) -> Self:
        """The sums of both."""


About = TypeVar("About", bound=Hashable)
Added = TypeVar("Added", bound=_Summable)


def _add(found: dict[About, Added], about: About, sums: Added) -> None:
    """Add sums to those of the same thing, where there are some."""
    found[about] = found[about].plus(sums) if about in found else sums


def _both_solo(one: SoloEvidence, other: SoloEvidence) -> SoloEvidence:
    """The solo games of two sweeps, of which one at most has any."""
    if one.matchups and other.matchups:
        raise WrongInput("two of the sweeps hold solo games; report them apart")
    return one if one.matchups else other


def _deck(rules: Rules, cell: Cell) -> int:
    """Ally cards in the deck of a cell at the start of an age."""
    cards = sum(rules.cards_of(clan) for clan in cell.clans)
    return deck_cards(cards, cell.partition.players, rules.number("pool_per_player"))
