"""From folders of sweeps to evidence: rows are read shard by shard, added up and forgotten.

So memory does not grow with the number of games. Sweeps of several folders are put together where
they play the same rules: the deals of all go into the same blocks by their number, so games that
share luck share a block whichever folder they stand in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from ethnos_sim.experiments.blank_clan import BLANK
from ethnos_sim.experiments.interventions import Intervention, intervention_of
from ethnos_sim.experiments.manifest import TABLES, ShardRecord
from ethnos_sim.experiments.plan import Cell, Partition, Plan
from ethnos_sim.experiments.results import Results, open_results
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.jackknife import IntArray
from ethnos_sim.reports.clan_sets import SetSums
from ethnos_sim.reports.estimators.deck_draws import deck_cards
from ethnos_sim.reports.evidence import (
    Evidence,
    Setting,
    Situation,
    Stratum,
    population_of,
    rule_sets,
    setting_name,
)
from ethnos_sim.reports.game_numbers import counted
from ethnos_sim.reports.intervention_sums import InterventionSums
from ethnos_sim.reports.solo_evidence import SoloEvidence, SoloGatherer, solo_evidence_of
from ethnos_sim.reports.sums import Sums, added, sums_by_cell
from ethnos_sim.simulator.errors import Failed, WrongInput
from ethnos_sim.simulator.modes import SOLO_EDITION
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules

OF_SHARDS = ("games", "turns", "margin")
"""The sums that are kept for each shard."""

_COMPACT_AFTER = 16
"""Batches of sums that may gather before they are added up; bounds memory, changes no number."""


@dataclass(eq=False)
class _Gathered:
    """What is gathered of one partition."""

    by_cell: list[pl.DataFrame] = field(default_factory=list)
    shards: list[IntArray] = field(default_factory=list)
    counts: IntArray | None = None


class PlanGatherer:
    """Adds up the rows of one plan, in batches of whole games."""

    def __init__(self, plan: Plan) -> None:
        """Start with nothing."""
        self.plan = plan
        self._gathered: dict[Partition, _Gathered] = {}
        self._solo: dict[Partition, SoloGatherer] = {}
        self._rules = {
            (about.edition, about.name): plan.rules(about.edition, about.name)
            for about in plan.editions
        }
        self._cells = max(cell.number for cell in plan.cells) + 1

    def rules(self, partition: Partition) -> Rules:
        """The rules that a partition is played with."""
        return self._rules[partition.edition, partition.rules]

    def add(self, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a batch of a partition: rows of `games` and all their rows of `seats`, in order."""
        if partition.solo:
            gatherer = self._solo.setdefault(partition, SoloGatherer(self.rules(partition)))
            gatherer.add(games, seats)
            return
        gathered = self._gathered.setdefault(partition, _Gathered())
        sums = sums_by_cell(games, seats, self.rules(partition).clans, partition.players)
        gathered.by_cell.append(sums)
        if len(gathered.by_cell) >= _COMPACT_AFTER:
            gathered.by_cell[:] = [added(gathered.by_cell)]
        of_shard = np.zeros((BLOCKS, len(OF_SHARDS)), np.int64)
        np.add.at(of_shard, sums["block"].to_numpy(), sums.select(OF_SHARDS).to_numpy())
        gathered.shards.append(of_shard)
        counts = counted(games, seats, self._cells)
        gathered.counts = counts if gathered.counts is None else gathered.counts + counts

    def by_cell(self, partition: Partition) -> pl.DataFrame:
        """The sums by cell and block of a partition's batches so far (`sums_by_cell`)."""
        return added(self._gathered[partition].by_cell)

    def evidence(self) -> Evidence:
        """The evidence of the batches so far."""
        parts = _Parts(self.plan)
        for partition in self.plan.cells_of:
            if partition in self._gathered:
                parts.add(partition, self._gathered[partition], self.rules(partition))
        solo = solo_evidence_of(self.plan, self._solo, parts.reference(SOLO_EDITION))
        return Evidence(
            (self.plan,),
            parts.sums,
            parts.sets,
            parts.interventions,
            parts.blank,
            parts.distributions,
            parts.shards,
            solo,
        )


class _Parts:
    """The cuts of one plan's sums."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.names = {(a.edition, a.name): setting_name(a, plan) for a in plan.editions}
        self.sums: dict[Stratum, Sums] = {}
        self.sets: dict[Situation, SetSums] = {}
        self.interventions: dict[tuple[Situation, str], InterventionSums] = {}
        self.blank: dict[Situation, InterventionSums] = {}
        self.distributions: dict[Stratum, IntArray] = {}
        self.shards: dict[tuple[Setting, int], tuple[Mapping[str, IntArray], ...]] = {}

    def reference(self, edition: str) -> str:
        """What the plan calls an edition's reference rule set; "" where it lacks the edition."""
        found = [own for (of, own), name in self.names.items() if (of, name) == (edition, "")]
        return found[0] if found else ""

    def add(self, partition: Partition, gathered: _Gathered, rules: Rules) -> None:
        """Cut one partition."""
        blank = partition.rules == BLANK
        name = "" if blank else self.names[partition.edition, partition.rules]
        setting = Setting(partition.edition, partition.mode, name)
        by_cell, counts = added(gathered.by_cell), gathered.counts
        assert counts is not None, "a batch was added"
        strata: dict[tuple[tuple[str, ...], int, str], list[Cell]] = {}
        about_one: dict[tuple[str, str], dict[Cell, Intervention]] = {}
        for cell in self.plan.cells_of[partition]:
            found = intervention_of(cell.line_up)
            if found is None:
                key = cell.line_up, _deck(rules, cell), cell.population
                strata.setdefault(key, []).append(cell)
            elif found.clan in cell.clans:
                population = population_of(found.line_up, cell.population)
                about_one.setdefault((population, found.kind), {})[cell] = found
        members: dict[Situation, list[Cell]] = {}
        for (line_up, deck, named), cells in strata.items():
            clans_of = {cell.number: cell.clans for cell in cells}
            sums = Sums.of_cells(by_cell, clans_of, rules.clans, partition.players)
            if not sums.games:
                continue
            alone = len(cells) == 1 and cells[0].rotations == 1
            population = population_of(line_up, named)
            situation = Situation(setting, partition.players, population)
            stratum = Stratum(situation, line_up, deck, alone)
            self.sums[stratum] = sums
            self.distributions[stratum] = counts[list(clans_of)].sum(axis=0)
            members.setdefault(situation, []).extend(cells)
        for situation, cells in members.items():
            clans_of = {cell.number: cell.clans for cell in cells}
            self.sets[situation] = SetSums.of_cells(by_cell, clans_of, partition.players)
        for (population, kind), about in about_one.items():
            situation = Situation(setting, partition.players, population)
            restricted = InterventionSums.of_cells(by_cell, about, rules.clans, partition.players)
            if blank:
                self.blank[situation] = restricted
            elif restricted.games:
                self.interventions[situation, kind] = restricted
        if blank:
            return
        stacked = np.stack(gathered.shards, axis=1)
        kept = {name: stacked[..., number] for number, name in enumerate(OF_SHARDS)}
        self.shards[setting, partition.players] = (kept,)


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
            f"`ethnos-sim verify {results.folder}` tells which file is broken"
        ) from error


def _both(one: Evidence, other: Evidence) -> Evidence:
    """The evidence of two sweeps as one; no stratum counts as independent any more."""
    sums: dict[Stratum, Sums] = {}
    distributions: dict[Stratum, IntArray] = {}
    for part in (one, other):
        for stratum, found in part.sums.items():
            key = replace(stratum, independent=False)
            sums[key] = sums[key].plus(found) if key in sums else found
            counts = part.distributions[stratum]
            distributions[key] = distributions[key] + counts if key in distributions else counts
    sets, restricted, blank = dict(one.sets), dict(one.interventions), dict(one.blank)
    for situation, by_set in other.sets.items():
        sets[situation] = sets[situation].plus(by_set) if situation in sets else by_set
    for about, seat in other.interventions.items():
        restricted[about] = restricted[about].plus(seat) if about in restricted else seat
    for situation, seat in other.blank.items():
        blank[situation] = blank[situation].plus(seat) if situation in blank else seat
    shards = dict(one.shards)
    for place, sweeps in other.shards.items():
        shards[place] = shards.get(place, ()) + sweeps
    return Evidence(
        (*one.plans, *other.plans),
        sums,
        sets,
        restricted,
        blank,
        distributions,
        shards,
        _both_solo(one.solo, other.solo),
        (*one.sweeps, *other.sweeps),
    )


def _both_solo(one: SoloEvidence, other: SoloEvidence) -> SoloEvidence:
    """The solo games of two sweeps, of which one at most has any."""
    if one.matchups and other.matchups:
        raise WrongInput("two of the sweeps hold solo games; report them apart")
    return one if one.matchups else other


def _deck(rules: Rules, cell: Cell) -> int:
    """Ally cards in the deck of a cell at the start of an age."""
    copies = sum(2 if rules.power_of(clan) is Power.NO_MARKER else 1 for clan in cell.clans)
    players = cell.partition.players
    return deck_cards(copies * rules.cards_per_clan, players, rules.pool_per_player)
