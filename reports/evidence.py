"""What a report rests on: the sums of a sweep, cut by what a reader may ask for.

The finest cut is the stratum: one edition, mode, player count, line-up and deck size. Populations
gather line-ups: every line-up of one strategy is a population of its own, and all line-ups in which
different strategies meet are the mixed one. A table's main population is the most mixed it has.
Solo games, where one player faces Bruno, are apart from all that: `Evidence.solo`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import polars as pl

from ethnos_sim.experiments.manifest import ShardRecord
from ethnos_sim.experiments.plan import Cell, Partition, Plan
from ethnos_sim.experiments.results import Results, open_results
from ethnos_sim.reports.estimators.deck_draws import deck_cards
from ethnos_sim.reports.solo_evidence import SoloEvidence, SoloGatherer, solo_evidence_of
from ethnos_sim.reports.sufficient import Sums, added, merged, sums_by_cell
from ethnos_sim.simulator.errors import Failed, WrongInput
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules

MIXED = "mixed"
"""The population of all listed line-ups in which different strategies meet."""

NAMED = " population"
"""How the name of a population ends that a spec drew line-ups from: "uniform population"."""

_COMPACT_AFTER = 64
"""Batches of sums that may gather before they are added up; bounds memory, changes no number."""


def is_one_strategy(population: str) -> bool:
    """Whether a population is one strategy in all seats (whose name has no space)."""
    return population != MIXED and not population.endswith(NAMED)


def ages(players: int) -> int:
    """Ages of a game: two with two or three players, else three."""
    return 2 if players <= 3 else 3


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """An edition in a mode: what gets a chapter of its own."""

    edition: str
    mode: str


@dataclass(frozen=True, slots=True)
class Stratum:
    """Games that differ by nothing but the clan set, the deal and the seating."""

    setting: Setting
    players: int
    line_up: tuple[str, ...]
    deck: int
    independent: bool
    """Whether no two of its games share a deal: one cell, each deal played once."""
    drawn_from: str = ""
    """The population that the line-up was drawn from, as the spec names it."""

    @property
    def population(self) -> str:
        """The population it was drawn from, else MIXED or the one strategy in all seats."""
        if self.drawn_from:
            return self.drawn_from + NAMED
        return MIXED if len(set(self.line_up)) > 1 else self.line_up[0]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The sums of all strata of a sweep, with its plan.

    Attributes:
        plan: what was asked for.
        sums: the sums of every stratum that has games; solo has none.
        solo: the solo games; without lines where none were played.
    """

    plan: Plan
    sums: Mapping[Stratum, Sums]
    solo: SoloEvidence

    @property
    def games(self) -> int:
        """The number of games played, solo included."""
        return sum(sums.games for sums in self.sums.values()) + self.solo.games

    def games_of(self, setting: Setting, players: int) -> int:
        """The number of games of one player count, of all populations together."""
        found = self.where(lambda s: (s.setting, s.players) == (setting, players))
        return sum(sums.games for sums in found.values())

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The editions and modes that were played, in the order of the plan."""
        return tuple(dict.fromkeys(stratum.setting for stratum in self.sums))

    @cached_property
    def _rules(self) -> dict[str, Rules]:
        return {about.edition: self.plan.rules(about.edition) for about in self.plan.editions}

    def rules(self, setting: Setting) -> Rules:
        """The rules of a setting as they were played."""
        return self._rules[setting.edition]

    def players(self, setting: Setting) -> tuple[int, ...]:
        """The player counts of a setting, rising."""
        return tuple(sorted({s.players for s in self.sums if s.setting == setting}))

    def populations(self, setting: Setting, players: int | None = None) -> tuple[str, ...]:
        """The populations of a setting in plan order: mixed, named ones, single strategies."""
        found = dict.fromkeys(
            s.population for s in self.sums if s.setting == setting and players in (None, s.players)
        )
        return tuple(sorted(found, key=lambda name: (name != MIXED, is_one_strategy(name))))

    def main_population(self, setting: Setting, players: int) -> str:
        """The population that a table is about where it does not name one."""
        return self.populations(setting, players)[0]

    def strategies(self, setting: Setting | None = None) -> tuple[str, ...]:
        """The strategies that played in a setting or at all, in the order of the plan."""
        names = [n for s in self.sums if setting in (None, s.setting) for n in s.line_up]
        if setting is None:
            names += self.solo.strategies
        return tuple(dict.fromkeys(names))

    def where(self, wanted: Callable[[Stratum], bool]) -> dict[Stratum, Sums]:
        """The strata that `wanted` accepts, with their sums."""
        return {stratum: sums for stratum, sums in self.sums.items() if wanted(stratum)}

    def total(self, setting: Setting, players: int, population: str | None = None) -> Sums:
        """The sums of one player count, of its main population unless another is named."""
        name = population or self.main_population(setting, players)
        return merged(
            self.where(
                lambda s: (s.setting, s.players, s.population) == (setting, players, name)
            ).values()
        )

    def independent(self, setting: Setting, players: int) -> bool:
        """Whether no two games of the main population share a deal."""
        name = self.main_population(setting, players)
        found = self.where(
            lambda s: (s.setting, s.players, s.population) == (setting, players, name)
        )
        return len(found) == 1 and all(stratum.independent for stratum in found)

    def describe(self, setting: Setting, players: int | None, population: str) -> str:
        """A population in words: "greedy in all seats", "mixed: collector, greedy"."""
        if is_one_strategy(population):
            return f"{population} in all seats"
        here = self.where(
            lambda s: (
                s.setting == setting
                and players in (None, s.players)
                and s.population == population
            )
        )
        names = sorted({name for stratum in here for name in stratum.line_up})
        return f"{population}: {', '.join(names)}"


def gather(folder: Path) -> Evidence:
    """Read a sweep's folder shard by shard into sums, so that memory does not grow with it.

    Raises:
        WrongInput: the folder holds no sweep, or no finished games.
        Failed: its files cannot be read.
    """
    results = open_results(folder)
    if not results.records:
        raise WrongInput(f"the sweep in '{folder}' has no finished games yet")
    by_cell: dict[Partition, list[pl.DataFrame]] = {}
    solo: dict[Partition, SoloGatherer] = {}
    for record in results.records:
        partition = record.shard.partition
        rules = results.plan.rules(partition.edition)
        if partition.solo:
            solo.setdefault(partition, SoloGatherer(rules)).add(*_rows(results, record))
            continue
        clans = rules.clans
        parts = by_cell.setdefault(partition, [])
        parts.append(sums_by_cell(*_rows(results, record), clans, partition.players))
        if len(parts) >= _COMPACT_AFTER:
            parts[:] = [added(parts)]
    sums = {partition: added(parts) for partition, parts in by_cell.items()}
    return evidence_of(results.plan, sums, solo)


def _rows(results: Results, record: ShardRecord) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of one finished shard; Failed where a file cannot be read."""
    shard = replace(results, records=(record,))
    try:
        return shard.games().collect(), shard.seats().collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Failed(
            f"the tables of '{record.shard.path}' cannot be read; "
            f"`ethnos-sim verify {results.folder}` tells which file is broken"
        ) from error


def evidence_of(
    plan: Plan,
    by_cell: Mapping[Partition, pl.DataFrame],
    solo: Mapping[Partition, SoloGatherer] = MappingProxyType({}),
) -> Evidence:
    """Cut sums by cell into strata.

    Args:
        plan: the plan of the cells.
        by_cell: what `sufficient.added` returned, for each partition in which players meet.
        solo: what was gathered of each solo partition.
    """
    sums: dict[Stratum, Sums] = {}
    for partition, cells in plan.cells_of.items():
        if partition not in by_cell:
            continue
        rules = plan.rules(partition.edition)
        strata: dict[tuple[tuple[str, ...], int, str], list[Cell]] = {}
        for cell in cells:
            key = cell.line_up, _deck(rules, cell), cell.population
            strata.setdefault(key, []).append(cell)
        for (line_up, deck, drawn_from), members in strata.items():
            found = Sums.of_cells(
                by_cell[partition],
                {cell.number: cell.clans for cell in members},
                rules.clans,
                partition.players,
            )
            if found.games:
                alone = len(members) == 1 and members[0].rotations == 1
                setting = Setting(partition.edition, partition.mode)
                stratum = Stratum(setting, partition.players, line_up, deck, alone, drawn_from)
                sums[stratum] = found
    return Evidence(plan, sums, solo_evidence_of(plan, solo))


def _deck(rules: Rules, cell: Cell) -> int:
    """Ally cards in the deck of a cell at the start of an age."""
    copies = sum(2 if rules.power_of(clan) is Power.NO_MARKER else 1 for clan in cell.clans)
    players = cell.partition.players
    return deck_cards(copies * rules.cards_per_clan, players, rules.pool_per_player)
