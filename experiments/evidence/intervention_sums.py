"""Sums of line-ups in which seats may not lead a clan, or lead it whenever they can.

These interventions measure what a seat gains or loses by a clan, everything else equal. Their games
are kept apart from all others, since a restricted player does not play as ordinary players do.
Either one seat of a game is restricted, or every seat is, each about a different clan.
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
from ethnos_sim.experiments.statistics.composite import composite
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import jackknife
from ethnos_sim.experiments.statistics.luce_choice import fit_choice
from ethnos_sim.simulator.game.records import SIXTIETHS

Given = tuple[ClanSet, tuple[str, ...]]
"""A kind of table: the clans in play and the clans that interventions are about, both sorted."""


ONE_SEAT, BOTH, EVERY_SEAT = "one seat", "one and every seat", "every seat"
"""The designs from which a number can be estimated."""


@dataclass(frozen=True, eq=False)
class InterventionSums(Sums):
    """The wins of restricted or forced seats at each kind of table (`Given`).

    Its arrays are `games`, (BLOCKS, tables), and `won`, (BLOCKS, tables, players): the wins, in
    sixtieths, of the seats that are restricted or forced about the table's first clan, its second
    clan, and so on; 0 after the last clan.
    """

    tables: tuple[Given, ...] = ()

    @cached_property
    def clan_of_seat(self) -> IntArray:
        """The number of the clan that each seat of each table is restricted about; -1 if free."""
        clan_of_seat = np.full((len(self.tables), self.players), -1)
        for row, (_, about) in zip(clan_of_seat, self.tables, strict=True):
            row[: len(about)] = [self.clans.index(clan) for clan in about]
        return clan_of_seat

    @property
    def games_by_clan(self) -> IntArray:
        """The number of games in which a seat is restricted about each clan, (BLOCKS, clans)."""
        games = np.zeros((BLOCKS, len(self.clans)), np.int64)
        table, seat = np.nonzero(self.clan_of_seat >= 0)
        np.add.at(games.T, self.clan_of_seat[table, seat], self.arrays["games"].T[table])
        return games

    @property
    def clan_sets(self) -> tuple[ClanSet, ...]:
        """The clan sets that were played, sorted."""
        return tuple(sorted({clans for clans, _ in self.tables}))

    def of_set(self, clans: ClanSet) -> InterventionSums:
        """The sums of one clan set."""
        return self.at([at for at, (in_play, _) in enumerate(self.tables) if in_play == clans])

    @cached_property
    def one_restricted(self) -> InterventionSums:
        """The sums of tables with one restricted seat."""
        return self.at(np.flatnonzero((self.clan_of_seat >= 0).sum(axis=1) == 1))

    @cached_property
    def several_restricted(self) -> InterventionSums:
        """The sums of tables with several restricted seats, each about a different clan."""
        return self.at(np.flatnonzero((self.clan_of_seat >= 0).sum(axis=1) > 1))

    @property
    def design(self) -> str:
        """The kinds of games behind `chance`; EVERY_SEAT without games of one restricted seat."""
        if not self.one_restricted.tables:
            return EVERY_SEAT
        return BOTH if self.several_restricted.tables and self.players > 2 else ONE_SEAT

    @cached_property
    def chance(self) -> Estimates:
        """The winning chance of the only restricted (or forced) seat of a game, by clan.

        It is estimated from games with one restricted seat. Games in which every seat is restricted
        only make it more precise (`statistics.composite`). With two players these games are left
        out, because the errors of Luce's choice model are then 0.4 times as large as the
        differences between clans. NaN for clans without games of one restricted seat.
        """
        one = self._chance_by(self.one_restricted)
        several = self._chance_by(self.several_restricted)
        return composite(one, several) if self.design == BOTH else one

    @cached_property
    def chance_together(self) -> Estimates:
        """`chance` from all games together; valid if Luce's choice model holds (see `alone`)."""
        return self._chance_by(self)

    @cached_property
    def gap(self) -> Estimates:
        """The chance from games with one restricted seat less the chance from games with several.

        The mean over the clans is subtracted. The gap is 0 where Luce's choice model holds.
        """
        one = self._chance_by(self.one_restricted)
        several = self._chance_by(self.several_restricted)
        return one.minus(several, on=("name",)).contrasts()

    def _chance_by(self, tables: InterventionSums) -> Estimates:
        """The chance that `alone` gives for `tables`, jackknifed over the blocks of all tables."""
        games = tables.games_by_clan.sum(axis=0)
        # The wins of a fair share count as events, so that rare wins still have an interval.
        return jackknife(
            lambda of: tables.alone(of["games"], of["won"])[0],
            tables.arrays,
            self.sizes,
            games=games,
            events=games // self.players,
            name=self.clans,
        )

    def alone(self, played: IntArray, won: IntArray) -> tuple[FloatArray, FloatArray]:
        """The winning chance of the only restricted (or forced) seat of a game, and its variance.

        With one restricted seat in each game, the chance is the seat's share of wins. With several
        seats, their chances follow Luce's choice model (`statistics.luce_choice`): a seat that
        gives up X has the odds exp(-b(X)) against a free seat, and as the only restricted seat of n
        it would win with the chance 1 / (1 + (n - 1) exp(b(X))). If both kinds of games were
        played, the odds of seats that are restricted together may differ from the odds of one seat
        by a common factor.

        Args:
            played: games of each table, (..., tables).
            won: the wins of their seats, in sixtieths, (..., tables, players).

        Returns:
            The chance p, NaN for clans without games, and the ratio of its variance to p (1 - p),
            the variance of a single win; both (..., clans).
        """
        clan_of_seat = self.clan_of_seat
        several = (clan_of_seat >= 0).sum(axis=1) > 1
        if not several.any():
            return self._one_by_one(clan_of_seat[:, 0], played, won[..., 0])
        covariates = (clan_of_seat[..., None] == np.arange(len(self.clans))).astype(np.float64)
        if not several.all():
            together = (several[:, None] & (clan_of_seat >= 0)).astype(np.float64)
            covariates = np.concatenate([covariates, together[..., None]], axis=2)
        wins = won / SIXTIETHS
        free = (clan_of_seat < 0) / np.maximum(1, (clan_of_seat < 0).sum(axis=1, keepdims=True))
        rest = played - wins.sum(axis=-1)
        strength, covariance = fit_choice(
            covariates, played.astype(np.float64), wins + rest[..., None] * free
        )
        odds = np.exp(strength[..., : len(self.clans)])
        chance = odds / (odds + self.players - 1)
        spread = np.diagonal(covariance, axis1=-2, axis2=-1)[..., : len(self.clans)]
        is_restricted = np.isin(np.arange(len(self.clans)), clan_of_seat)
        return np.where(is_restricted, chance, np.nan), chance * (1 - chance) * spread

    def _one_by_one(
        self, clan: IntArray, played: IntArray, won: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """`alone` for tables with one restricted seat."""
        of_clan = (clan[:, None] == np.arange(len(self.clans))).astype(np.int64)
        games = played @ of_clan
        with np.errstate(invalid="ignore", divide="ignore"):
            return (won @ of_clan) / (SIXTIETHS * games), 1 / games


class InterventionTally(Generic[About]):
    """The sums of games with interventions, which are added batch by batch to `tally`."""

    def __init__(
        self, cells: Mapping[Cell, tuple[About, Intervention]], clans: tuple[str, ...], players: int
    ) -> None:
        """Start without games.

        Args:
            cells: the key under which each cell's games are summed, and its intervention.
            clans: the clans of the edition.
            players: seats in a game.
        """
        self._clans, self._players = clans, players
        self.tally = Tally(
            {
                cell.number: (about, _given(cell, intervention))
                for cell, (about, intervention) in cells.items()
            }
        )
        self._entries = {
            cell.number: [intervention.clans.index(clan) for clan in sorted(intervention.about)]
            for cell, (_, intervention) in cells.items()
        }

    def add(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        """Add the games of a batch, with all their seats, that belong to one of the cells."""
        kept = self.tally.places(games) >= 0
        if not kept.any():
            return
        games, seats = games.filter(kept), seats.filter(kept.repeat(self._players))
        won, entry = by_game(games, seats, "won", "entry")
        # An extra entry without wins stands for seats that are not restricted.
        nobody = self._players
        by_entry = np.zeros((nobody + 1, len(games)), np.int64)
        np.put_along_axis(by_entry, entry, won, axis=0)
        cells, of_game = np.unique(games["cell"].to_numpy(), return_inverse=True)
        clan_of_entry = np.full((nobody, len(cells)), nobody)
        for place, cell in enumerate(cells.tolist()):
            clan_of_entry[: len(self._entries[cell]), place] = self._entries[cell]
        by_clan = np.take_along_axis(by_entry, clan_of_entry[:, of_game], axis=0).T
        self.tally.add(games, {"games": np.ones(len(games), np.int64), "won": by_clan})

    def sums(self) -> Iterator[tuple[About, InterventionSums]]:
        """The keys that have games, with their sums."""
        for about, tables, arrays in self.tally.sums():
            yield about, InterventionSums(self._clans, self._players, arrays, tables)


def _given(cell: Cell, intervention: Intervention) -> Given:
    return tuple(sorted(cell.clans)), tuple(sorted(intervention.about))
