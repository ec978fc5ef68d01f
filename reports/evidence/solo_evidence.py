"""What the solo part of a report rests on: integer sums of the games against Chief Bruno.

A matchup is one strategy at one difficulty against Bruno. Every game has a deal of its own, and all
matchups of a difficulty play the same deals, so each keeps sums by block of deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from ethnos_sim.experiments.plans.plan import Partition, Plan
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.storage.tables import block_of_deal, fired_column, led_column
from ethnos_sim.reports.evidence.sums import SOURCES
from ethnos_sim.simulator.modes import SOLO, SOLO_CLANS
from ethnos_sim.simulator.records import BRUNO
from ethnos_sim.simulator.rules import Rules

AGES = 2

PLAYER = 0

SIDES = ("player", "bruno")
"""Both sides by their seat."""


@dataclass(frozen=True, slots=True, order=True)
class Matchup:
    """One strategy at one difficulty."""

    mode: str
    strategy: str


@dataclass(frozen=True, slots=True, eq=False)
class SoloSums:
    """The sums of a matchup.

    Attributes:
        arrays: int64 sums by name, the first axis of each is the block (BLOCKS long): games; won
            (the player's, in sixtieths); drawn, (ages,), cards that left the deck; and with the
            axis of SIDES: parties; source, (sources,); led, (solo clans,); columns, (colors,),
            how often each column was played (the player's are 0).
    """

    arrays: Mapping[str, IntArray]

    @property
    def sizes(self) -> IntArray:
        """Games in each block."""
        return self.arrays["games"]

    @property
    def games(self) -> int:
        """The number of games, which is that of deals."""
        return int(self.sizes.sum())


@dataclass(frozen=True, eq=False)
class SoloEvidence:
    """The sums of every matchup that has games, with their rules (None where there are none)."""

    matchups: Mapping[Matchup, SoloSums]
    played_rules: Rules | None

    @property
    def rules(self) -> Rules:
        """The rules that were played; there have to be games."""
        assert self.played_rules is not None, "solo games were played"
        return self.played_rules

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(sums.games for sums in self.matchups.values())

    @property
    def modes(self) -> tuple[str, ...]:
        """The difficulties that were played, from easy to hard."""
        return tuple(
            mode for mode in SOLO if any(matchup.mode == mode for matchup in self.matchups)
        )

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that played, in the order of the plan."""
        return tuple(dict.fromkeys(matchup.strategy for matchup in self.matchups))

    def of_mode(self, mode: str) -> dict[str, SoloSums]:
        """The sums of a difficulty by strategy, in the order of the plan."""
        return {
            matchup.strategy: sums
            for matchup, sums in self.matchups.items()
            if matchup.mode == mode
        }


@dataclass(eq=False)
class SoloGatherer:
    """Adds up the rows of one difficulty's finished shards, a shard at a time."""

    rules: Rules
    by_block: pl.DataFrame | None = None

    def add(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add a shard: all its rows of `games` and `seats`."""
        found = _by_block(games, _both_sides(seats), self.rules)
        parts = [found] if self.by_block is None else [self.by_block, found]
        self.by_block = pl.concat(parts).group_by("cell", "block").sum()

    def sums(self, names: Mapping[int, str]) -> dict[str, SoloSums]:
        """The sums by strategy, in the order of `names`: the strategy of each cell by number."""
        if self.by_block is None:
            return {}
        rows = {strategy: self.by_block.filter(cell=cell) for cell, strategy in names.items()}
        return {
            strategy: SoloSums(_arrays(own, self.rules))
            for strategy, own in rows.items()
            if not own.is_empty()
        }


def solo_evidence_of(
    plan: Plan, gathered: Mapping[Partition, SoloGatherer], rules: str
) -> SoloEvidence:
    """The evidence of a plan's solo partitions of one rule set, by its name in the plan."""
    matchups = {}
    played_rules = None
    for partition, cells in plan.cells_of.items():
        if partition in gathered and partition.rules == rules:
            played_rules = gathered[partition].rules
            names = {cell.number: cell.line_up[PLAYER] for cell in cells}
            for strategy, sums in gathered[partition].sums(names).items():
                matchups[Matchup(partition.mode, strategy)] = sums
    return SoloEvidence(matchups, played_rules)


def _both_sides(seats: pl.DataFrame) -> pl.DataFrame:
    """A row a game: the player's columns under their names, Bruno's with `_bruno` behind."""
    keys = ["cell", "game", "deal"]
    player, bruno = (seats.filter(pl.col("seat") == seat) for seat in (PLAYER, BRUNO))
    return player.join(bruno, on=keys, suffix="_bruno", validate="1:1")


def _side(name: str, side: str) -> str:
    """The column of a side in a row of both."""
    return f"{name}_bruno" if side == "bruno" else name


def _columns_by_array(rules: Rules) -> dict[str, list[str]]:
    """The stored columns behind each array that has the axis of SIDES."""
    return {
        "parties": ["parties"],
        "source": list(SOURCES),
        "led": [led_column(clan) for clan in SOLO_CLANS],
        "columns": [fired_column(color) for color in rules.colors],
    }


def _total(name: str) -> pl.Expr:
    """The sum of a small integer column in 64 bits."""
    return pl.col(name).cast(pl.Int64).sum()


def _by_block(games: pl.DataFrame, both: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """A row a cell and block of deals: the sums of `SoloSums.arrays`."""
    block = block_of_deal().cast(pl.Int64)
    cell = pl.col("cell").cast(pl.Int64)
    names = [name for columns in _columns_by_array(rules).values() for name in columns]
    drawn = [f"drawn_{age}" for age in range(1, AGES + 1)]
    return (
        both.group_by(cell, block)
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            _total("won"),
            *(_total(_side(name, side)) for name in names for side in SIDES),
        )
        .join(
            games.group_by(cell, block).agg(_total(name) for name in drawn),
            on=["cell", "block"],
            validate="1:1",
        )
    )


def _arrays(rows: pl.DataFrame, rules: Rules) -> dict[str, IntArray]:
    """One cell's sums by block as arrays."""
    block = rows["block"].to_numpy()

    def filled(names: Iterable[str]) -> IntArray:
        values = rows.select(names).to_numpy()
        array = np.zeros((BLOCKS, values.shape[1]), np.int64)
        array[block] = values
        return array

    arrays = {name: filled([name])[:, 0] for name in ("games", "won")}
    arrays["drawn"] = filled(f"drawn_{age}" for age in range(1, AGES + 1))
    for name, columns in _columns_by_array(rules).items():
        sides = [filled(_side(column, side) for column in columns) for side in SIDES]
        stacked = np.stack(sides, axis=1)
        arrays[name] = stacked[..., 0] if name == "parties" else stacked
    return arrays
