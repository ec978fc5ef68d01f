"""Sums of line-ups in which seats may not lead a clan, or lead it whenever they can.

They are interventions: what a seat gains or loses by a clan, everything else equal. Their games
are kept apart from all others, since a table with a restricted player is no sample of how the game
is played. One seat of a game may be restricted, or each about a clan of its own; both add up.
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
from ethnos_sim.experiments.statistics.jackknife import BlockSums, FloatArray, IntArray
from ethnos_sim.simulator.records import SIXTIETHS

SMALLEST = 1e-9
"""Part of the largest eigenvalue below which one counts as 0: games tell nothing of it."""


@dataclass(frozen=True, slots=True, eq=False)
class InterventionSums:
    """What restricted or forced seats won, clan by clan, over the games with the clan in play.

    Attributes:
        clans: the edition's clans; the index of every clan axis.
        players: seats in a game.
        arrays: int64, first axis BLOCKS: `played`, the games; `won` (clans), the wins in sixtieths
            of the seat that is told of the clan; `together` (clans, clans), the games in which
            seats are told of both clans, on its diagonal those with the clan.
        by_set: `won` and `together` of all blocks by clan set, whose sorted clans are the axes.
    """

    clans: tuple[str, ...]
    players: int
    arrays: Mapping[str, IntArray]
    by_set: Mapping[ClanSet, Mapping[str, IntArray]] = field(default_factory=dict)

    @property
    def sizes(self) -> IntArray:
        """Games in each block of deals."""
        return self.arrays["played"]

    @property
    def games(self) -> int:
        """The number of games summed."""
        return int(self.sizes.sum())

    def plus(self, other: InterventionSums) -> InterventionSums:
        """The sums of both."""
        by_set = dict(self.by_set)
        for clans, sums in other.by_set.items():
            by_set[clans] = _added(by_set[clans], sums) if clans in by_set else sums
        return InterventionSums(self.clans, self.players, _added(self.arrays, other.arrays), by_set)

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
            cells: what each cell to take is about.
            clans: the clans of the edition.
            players: seats in a game.
        """
        arrays = _zeros(len(clans), BLOCKS)
        by_set: dict[ClanSet, Mapping[str, IntArray]] = {}
        rows_of = by_cell.partition_by("cell", as_dict=True)
        for cell, intervention in cells.items():
            rows = rows_of.get((cell.number,))
            if rows is None:
                continue
            entries = np.flatnonzero([clan is not None for clan in intervention.clans])
            about = np.asarray([clans.index(clan) for clan in intervention.about])
            games, block = rows["games"].to_numpy(), rows["block"].to_numpy()
            won = rows.select(f"entry_won_{entry}" for entry in entries).to_numpy()
            np.add.at(arrays["played"], block, games)
            np.add.at(arrays["won"], (block[:, None], about), won)
            pairs = block[:, None, None], about[:, None], about[None, :]
            np.add.at(arrays["together"], pairs, games[:, None, None])
            in_play = tuple(sorted(cell.clans))
            sums = by_set.setdefault(in_play, _zeros(len(in_play)))
            places = np.asarray([in_play.index(clan) for clan in intervention.about])
            sums["played"][...] += games.sum()
            sums["won"][places] += won.sum(axis=0)
            sums["together"][np.ix_(places, places)] += games.sum()
        return cls(clans, players, arrays, by_set)


def games_by_clan(sums: BlockSums) -> IntArray:
    """The games with each clan restricted or forced, (..., clans)."""
    return np.asarray(np.diagonal(sums["together"], axis1=-2, axis2=-1))


def alone(sums: BlockSums, players: int | IntArray) -> tuple[FloatArray, FloatArray]:
    """The winning chance of a seat that alone is told of a clan, and how well it is known.

    Who gives up a clan loses w, and what it loses the n - 1 others win, evenly: a seat that gives
    up a clan then wins 1/n - w of its own + the sum of the others' w / (n - 1). Over all seats of
    all games that is a linear model; with u the games with each clan, P those with two of them
    (P[c, c] = u[c]) and v the wins of who gives it up, least squares give

        w = (n - 1) (n diag(u) - P)^-1 (u / n - v).

    With one seat a game it is 1/n - v/u. Where no seat is ever free, only differences are known,
    and w has the mean 0.

    Args:
        sums: `won` in sixtieths, (..., clans), and `together`, (..., clans, clans).
        players: seats in a game, n; broadcasts with the axes before the clans.

    Returns:
        1/n - w, not a number for clans without games; and by how much the variance of one win,
        p (1 - p), is multiplied in that of w (1 / games for one seat a game). Both (..., clans).
    """
    games = games_by_clan(sums)
    seats = np.asarray(players, dtype=np.float64)[..., None]
    inverse = np.linalg.pinv(
        (seats * games)[..., None] * np.eye(games.shape[-1]) - sums["together"],
        rcond=SMALLEST,
        hermitian=True,
    )
    missing = games / seats - sums["won"] / SIXTIETHS
    lost = (seats - 1) * (inverse @ missing[..., None])[..., 0]
    known = (seats - 1) * np.diagonal(inverse, axis1=-2, axis2=-1)
    return np.where(games == 0, np.nan, 1 / seats - lost), known


def _zeros(clans: int, *before: int) -> dict[str, IntArray]:
    """No games yet."""
    return {
        "played": np.zeros(before, np.int64),
        "won": np.zeros((*before, clans), np.int64),
        "together": np.zeros((*before, clans, clans), np.int64),
    }


def _added(one: Mapping[str, IntArray], other: Mapping[str, IntArray]) -> dict[str, IntArray]:
    """Array by array the sum of both."""
    return {name: array + other[name] for name, array in one.items()}
