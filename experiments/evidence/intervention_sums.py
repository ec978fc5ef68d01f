"""Sums of line-ups in which seats may not lead a clan, or lead it whenever they can.

They are interventions: what a seat gains or loses by a clan, everything else equal. Their games
are kept apart from all others, since a table with a restricted player is no sample of how the game
is played. One seat of a game may be restricted, or each about a clan of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.designs.interventions import Intervention
from ethnos_sim.experiments.evidence.game_numbers import by_game
from ethnos_sim.experiments.evidence.sums import About, Sums, Tally
from ethnos_sim.experiments.plans.cells import Cell
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.choice import fit_choice
from ethnos_sim.experiments.statistics.composite import composite
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import jackknife
from ethnos_sim.simulator.records import SIXTIETHS

Given = tuple[ClanSet, tuple[str, ...]]
"""A kind of table: the clans in play, sorted, and those that seats are told of, sorted."""


ONE_SEAT, BOTH, EVERY_SEAT = "one seat", "one and every seat", "every seat"
"""The designs that a number comes from."""


@dataclass(frozen=True, eq=False)
class InterventionSums(Sums):
    """What restricted or forced seats won at each kind of table, as in `Given`.

    Its arrays are `games`, (BLOCKS, tables), and `won`: what the seat won that was told of the
    table's first clan, second, ..., in sixtieths, (BLOCKS, tables, players), 0 behind the last
    clan.
    """

    tables: tuple[Given, ...] = ()

    @cached_property
    def told(self) -> IntArray:
        """The clan that each seat of each table is told of, by number; -1 for a free seat."""
        found = np.full((len(self.tables), self.players), -1)
        for row, (_, about) in zip(found, self.tables, strict=True):
            row[: len(about)] = [self.clans.index(clan) for clan in about]
        return found

    @property
    def games_by_clan(self) -> IntArray:
        """The games in which a seat is told of each clan, (BLOCKS, clans)."""
        found = np.zeros((BLOCKS, len(self.clans)), np.int64)
        table, seat = np.nonzero(self.told >= 0)
        np.add.at(found.T, self.told[table, seat], self.arrays["games"].T[table])
        return found

    @property
    def clan_sets(self) -> tuple[ClanSet, ...]:
        """The clan sets that were played, sorted."""
        return tuple(sorted({clans for clans, _ in self.tables}))

    def of_set(self, clans: ClanSet) -> InterventionSums:
        """The sums of one clan set."""
        return self.at([at for at, (in_play, _) in enumerate(self.tables) if in_play == clans])

    @cached_property
    def of_one(self) -> InterventionSums:
        """The sums of tables at which one seat is told of a clan."""
        return self.at(np.flatnonzero((self.told >= 0).sum(axis=1) == 1))

    @cached_property
    def of_several(self) -> InterventionSums:
        """The sums of tables at which several seats are, each of its own."""
        return self.at(np.flatnonzero((self.told >= 0).sum(axis=1) > 1))

    @property
    def design(self) -> str:
        """Which games `chance` is of: ONE_SEAT or BOTH; EVERY_SEAT where it has none."""
        if not self.of_one.tables:
            return EVERY_SEAT
        return BOTH if self.of_several.tables and self.players > 2 else ONE_SEAT

    @cached_property
    def chance(self) -> Estimates:
        """The winning chance of a seat that alone is told of a clan, a row a clan.

        From games of one such seat; games in which every seat is told of a clan only make it
        sharper (`statistics.composite`). At two players they do not: there Luce's choice is off by
        0.4 of what clans differ by. Not a number for clans of which no seat was told alone.
        """
        one, several = self._chance_by(self.of_one), self._chance_by(self.of_several)
        return composite(one, several) if self.design == BOTH else one

    @cached_property
    def chance_together(self) -> Estimates:
        """The same by Luce's choice, as if it were known to hold (see `alone`)."""
        return self._chance_by(self)

    @cached_property
    def gap(self) -> Estimates:
        """The chance from games of one seat less the one from the others, less the mean over clans:
        0 where Luce's choice holds.
        """
        one, several = self._chance_by(self.of_one), self._chance_by(self.of_several)
        return one.minus(several, on=("name",)).contrasts()

    def _chance_by(self, tables: InterventionSums) -> Estimates:
        """`alone` from some of the tables, over the blocks of all."""
        games = tables.games_by_clan.sum(axis=0)
        # Counted are the wins of a fair share: a seat that hardly ever wins is no reason for doubt.
        return jackknife(
            lambda of: tables.alone(of["games"], of["won"])[0],
            tables.arrays,
            self.sizes,
            games=games,
            events=games // self.players,
            name=self.clans,
        )

    def alone(self, played: IntArray, won: IntArray) -> tuple[FloatArray, FloatArray]:
        """The winning chance of a seat that alone is told of a clan, and how well it is known.

        Where one seat a game is told of a clan, that is its part of the games. Where several are,
        each of its own, they play by Luce's choice (`statistics.choice`): who gives up X has the
        odds exp(-b(X)) against a free seat, and the seat alone wins 1 / (1 + (n - 1) exp(b(X))).
        Where both were played, all odds of seats that are told together may differ from those of
        one seat by a common factor.

        Args:
            played: games of each table, (..., tables).
            won: what their seats won, (..., tables, players).

        Returns:
            The chance, not a number for clans without games, and by how much the variance of one
            such win, p (1 - p), is multiplied in that of the chance; both (..., clans).
        """
        told = self.told
        several = (told >= 0).sum(axis=1) > 1
        if not several.any():
            return self._one_by_one(told[:, 0], played, won[..., 0])
        known = (told[..., None] == np.arange(len(self.clans))).astype(np.float64)
        if not several.all():
            together = (several[:, None] & (told >= 0)).astype(np.float64)
            known = np.concatenate([known, together[..., None]], axis=2)
        wins = won / SIXTIETHS
        free = (told < 0) / np.maximum(1, (told < 0).sum(axis=1, keepdims=True))
        rest = played - wins.sum(axis=-1)
        strength, covariance = fit_choice(
            known, played.astype(np.float64), wins + rest[..., None] * free
        )
        odds = np.exp(strength[..., : len(self.clans)])
        chance = odds / (odds + self.players - 1)
        spread = np.diagonal(covariance, axis1=-2, axis2=-1)[..., : len(self.clans)]
        asked = np.isin(np.arange(len(self.clans)), told)
        return np.where(asked, chance, np.nan), chance * (1 - chance) * spread

    def _one_by_one(
        self, clan: IntArray, played: IntArray, won: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """As `alone`, of tables at which one seat is told of a clan."""
        of_clan = (clan[:, None] == np.arange(len(self.clans))).astype(np.int64)
        games = played @ of_clan
        with np.errstate(invalid="ignore", divide="ignore"):
            return (won @ of_clan) / (SIXTIETHS * games), 1 / games


class ToldTally(Generic[About]):
    """Sums of games in which seats are told of clans, added to batch by batch: those of `tally`."""

    def __init__(
        self, cells: Mapping[Cell, tuple[About, Intervention]], clans: tuple[str, ...], players: int
    ) -> None:
        """Start with nothing.

        Args:
            cells: what the games of each cell are summed about, and what seats are told.
            clans: the clans of the edition.
            players: seats in a game.
        """
        self._clans, self._players = clans, players
        self.tally = Tally(
            {cell.number: (about, _given(cell, told)) for cell, (about, told) in cells.items()}
        )
        self._entries = {
            cell.number: [told.clans.index(clan) for clan in sorted(told.about)]
            for cell, (_, told) in cells.items()
        }

    def add(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add those games of a batch, with all their seats, that are of one of the cells."""
        kept = self.tally.places(games) >= 0
        if not kept.any():
            return
        games, seats = games.filter(kept), seats.filter(kept.repeat(self._players))
        won, entry = by_game(games, seats, "won", "entry")
        # Behind the entries stands one that nobody has, and that wins nothing.
        nobody = self._players
        by_entry = np.zeros((nobody + 1, len(games)), np.int64)
        np.put_along_axis(by_entry, entry, won, axis=0)
        cells, of_game = np.unique(games["cell"].to_numpy(), return_inverse=True)
        told = np.full((nobody, len(cells)), nobody)
        for place, cell in enumerate(cells.tolist()):
            told[: len(self._entries[cell]), place] = self._entries[cell]
        by_clan = np.take_along_axis(by_entry, told[:, of_game], axis=0).T
        self.tally.add(games, {"games": np.ones(len(games), np.int64), "won": by_clan})

    def sums(self) -> Iterator[tuple[About, InterventionSums]]:
        """The sums of everything that has games."""
        for about, tables, arrays in self.tally.sums():
            yield about, InterventionSums(self._clans, self._players, arrays, tables)


def _given(cell: Cell, told: Intervention) -> Given:
    return tuple(sorted(cell.clans)), tuple(sorted(told.about))
