"""Sums by clan set: what the presence of clans and of pairs of clans is estimated from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.reports.evidence.sums import as_arrays, shapes


@dataclass(frozen=True, slots=True, eq=False)
class SetSums:
    """The sums of every clan set of one player count and population.

    Attributes:
        sets: the clan sets, sorted; the index of the set axis.
        players: seats in a game.
        arrays: int64, shape (BLOCKS, sets, …): those of `sums.shapes` by name.
    """

    sets: tuple[ClanSet, ...]
    players: int
    arrays: Mapping[str, IntArray]

    @property
    def sizes(self) -> IntArray:
        """Games in each block of deals, over all sets."""
        return np.asarray(self.arrays["games"].sum(axis=1))

    def plus(self, other: SetSums) -> SetSums:
        """The sums of both, over the sets of either; ValueError unless player counts agree."""
        if self.players != other.players:
            raise ValueError("sums of different player counts cannot be added")
        sets = tuple(sorted({*self.sets, *other.sets}))
        place = {clans: number for number, clans in enumerate(sets)}
        arrays = {}
        for name, array in self.arrays.items():
            arrays[name] = np.zeros((BLOCKS, len(sets), *array.shape[2:]), np.int64)
            for part in (self, other):
                places = [place[clans] for clans in part.sets]
                arrays[name][:, places] += part.arrays[name]
        return SetSums(sets, self.players, arrays)

    @classmethod
    def of_cells(
        cls, by_cell: pl.DataFrame, clans_of: Mapping[int, ClanSet], players: int
    ) -> SetSums:
        """The sums of some cells from their sums by cell and block.

        Args:
            by_cell: what `sums.sums_by_cell` or `added` returned.
            clans_of: the clans in play of each cell to take, by number.
            players: seats in a game.
        """
        rows = by_cell.filter(pl.col("cell").is_in(list(clans_of)))
        sets = tuple(sorted({clans_of[cell] for cell in rows["cell"].unique()}))
        place = {clans: number for number, clans in enumerate(sets)}
        where = (
            rows["block"].to_numpy(),
            np.asarray([place[clans_of[cell]] for cell in rows["cell"]], np.int64),
        )
        arrays = {}
        for name, values in as_arrays(rows, shapes(players)).items():
            arrays[name] = np.zeros((BLOCKS, len(sets), *values.shape[1:]), np.int64)
            np.add.at(arrays[name], where, values)
        return cls(sets, players, arrays)
