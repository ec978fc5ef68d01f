"""Sums of one-seat line-ups, in which one seat may not lead a clan, or leads it whenever it can.

They are interventions: what a single seat gains or loses by a clan, everything else equal. Their
games are kept apart from all others, since a table with a restricted player is no sample of
how the game is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.designs.interventions import Intervention
from ethnos_sim.experiments.plans.cells import Cell
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.jackknife import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class InterventionSums:
    """What the restricted or forced seat won, clan by clan, over the games with the clan in play.

    Attributes:
        clans: the edition's clans; the index of every clan axis.
        players: seats in a game.
        arrays: int64, shape (BLOCKS, clans): games, and `won`, the seat's wins in sixtieths.
        by_set: games and wins in sixtieths by clan set, its clans sorted, and clan.
    """

    clans: tuple[str, ...]
    players: int
    arrays: Mapping[str, IntArray]
    by_set: Mapping[tuple[ClanSet, str], tuple[int, int]] = field(default_factory=dict)

    @property
    def sizes(self) -> IntArray:
        """Games in each block of deals, over all clans."""
        return np.asarray(self.arrays["games"].sum(axis=1))

    @property
    def games(self) -> int:
        """The number of games summed."""
        return int(self.sizes.sum())

    def plus(self, other: InterventionSums) -> InterventionSums:
        """The sums of both."""
        arrays = {name: array + other.arrays[name] for name, array in self.arrays.items()}
        by_set = dict(self.by_set)
        for about, (games, won) in other.by_set.items():
            before = by_set.get(about, (0, 0))
            by_set[about] = before[0] + games, before[1] + won
        return InterventionSums(self.clans, self.players, arrays, by_set)

    @classmethod
    def of_cells(
        cls,
        by_cell: pl.DataFrame,
        cells: Mapping[Cell, Intervention],
        clans: tuple[str, ...],
        players: int,
    ) -> InterventionSums:
        """The sums of some cells from their sums by cell and block.

        Args:
            by_cell: what `sums.sums_by_cell` or `added` returned.
            cells: what is restricted in each cell to take.
            clans: the clans of the edition.
            players: seats in a game.
        """
        about = {cell.number: restricted for cell, restricted in cells.items()}
        rows = by_cell.filter(pl.col("cell").is_in(list(about)))
        block = rows["block"].to_numpy()
        clan = np.asarray([clans.index(about[cell].clan) for cell in rows["cell"]], np.int64)
        entry = np.asarray([about[cell].entry for cell in rows["cell"]], np.int64)
        entries = rows.select(f"entry_won_{place}" for place in range(players)).to_numpy()
        arrays = {name: np.zeros((BLOCKS, len(clans)), np.int64) for name in ("games", "won")}
        np.add.at(arrays["games"], (block, clan), rows["games"].to_numpy())
        own = entries[np.arange(len(rows)), entry]
        np.add.at(arrays["won"], (block, clan), own)
        set_of = {cell.number: tuple(sorted(cell.clans)) for cell in cells}
        by_set: dict[tuple[ClanSet, str], tuple[int, int]] = {}
        played = rows.select("cell", "games").with_columns(won=own).group_by("cell").sum()
        for cell, games, won in played.iter_rows():
            key = set_of[cell], about[cell].clan
            before = by_set.get(key, (0, 0))
            by_set[key] = before[0] + games, before[1] + won
        return cls(clans, players, arrays, by_set)
