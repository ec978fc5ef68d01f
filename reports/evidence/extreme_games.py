"""Games worth reading: the biggest upset, the closest and a typical one of each kind of table.

They are found while the shards of a sweep are gathered, batch by batch; what is kept does not grow
with the number of games. Which games are found depends on the games alone, not on how they were cut
into batches nor on the order in which these came: ties go to the lowest folder, cell and game.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from ethnos_sim.experiments.plans.plan import Partition
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.reports.evidence.game_numbers import AGES, by_game

UPSET, CLOSEST, TYPICAL = "upset", "closest", "typical"
KINDS = (UPSET, CLOSEST, TYPICAL)

SAMPLE = 4096
"""Games of a kind of table among which the typical one is looked for."""

_NAME = ("folder", "cell", "game")
_COLUMNS = (*_NAME, "turns", "prestige", "margin", "spread", "deficit", "winner", "entry", "won")
_TYPICAL_IN = ("turns", "margin", "prestige")
_ALONE = 60
"""The sixtieths of a win that nobody shares."""

_RANKED_BY = {UPSET: ("deficit", -1), CLOSEST: ("spread", 1)}
"""What ranks the games of a kind, and 1 where the lowest comes first, -1 where the highest does."""


@dataclass(frozen=True, slots=True)
class ExtremeGame:
    """One game that was found, with what it was found for.

    Attributes:
        partition: edition, players, mode and rule set.
        kind: one of KINDS.
        folder: number of the sweep's folder, as it was given to `ExtremeGames.add`.
        cell: number of its cell.
        game: its number in the cell.
        turns: turns played.
        prestige: the points of all sides together.
        margin: points of the first place less those of the second; 0 for a shared first place.
        spread: points of the first place less those of the last.
        deficit: how many points the winner was behind the leader after the last age but one; of
            several winners, the one who was furthest behind.
        winner: the seat of that winner; in solo 1 is Bruno's.
        entry: the winner's place in the line-up.
        shared: whether the win was shared.
    """

    partition: Partition
    kind: str
    folder: int
    cell: int
    game: int
    turns: int
    prestige: int
    margin: int
    spread: int
    deficit: int
    winner: int
    entry: int
    shared: bool


class ExtremeGames:
    """Looks for extreme games in batches of a sweep's rows, or of several sweeps'."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._best: dict[tuple[Partition, str], IntArray] = {}
        self._sample: dict[Partition, IntArray] = {}

    def add(
        self, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame, folder: int = 0
    ) -> None:
        """Look at a batch of a partition.

        Args:
            partition: the kind of table.
            games: a row a game: cell, game, turns.
            seats: all rows of these games, in their order, a row a side: cell, game, seat, entry,
                won, prestige, prestige_1 … prestige_3.
            folder: which of several sweeps they are from.

        Raises:
            ValueError: the seats are not in the order of the games.
        """
        if games.is_empty():
            return
        rows = _facts(games, seats, folder)
        alone = rows[_of(rows, "won") == _ALONE]
        for kind in _RANKED_BY if len(alone) else ():
            self._keep(partition, kind, alone)
        self._keep_sample(partition, rows)

    def found(self) -> tuple[ExtremeGame, ...]:
        """One game of each kind for every partition that has games of it, in order."""
        found = dict(self._best)
        for partition, sample in self._sample.items():
            found[partition, TYPICAL] = _first(sample, _strangeness(sample))
        return tuple(
            _as_game(partition, kind, found[partition, kind])
            for partition in sorted(self._sample)
            for kind in KINDS
            if (partition, kind) in found
        )

    def _keep(self, partition: Partition, kind: str, rows: IntArray) -> None:
        """Keep the row that ranks first, among these and the one kept before."""
        column, sign = _RANKED_BY[kind]
        before = self._best.get((partition, kind))
        if before is not None:
            rows = np.concatenate([before[None], rows])
        self._best[partition, kind] = _first(rows, sign * _of(rows, column))

    def _keep_sample(self, partition: Partition, rows: IntArray) -> None:
        """Keep the SAMPLE rows whose names have the lowest hashes, of these and those before."""
        before = self._sample.get(partition)
        if before is not None:
            rows = np.concatenate([before, rows])
        if len(rows) > SAMPLE:
            rows = rows[np.argpartition(_hashes(rows), SAMPLE)[:SAMPLE]]
        self._sample[partition] = rows


def _facts(games: pl.DataFrame, seats: pl.DataFrame, folder: int) -> IntArray:
    """A row a game with _COLUMNS, int64."""
    last = max(age for age in AGES if (games[f"drawn_{age}"] > 0).any())
    total, won = by_game(games, seats, "prestige"), by_game(games, seats, "won")
    before = by_game(games, seats, f"prestige_{last - 1}")
    deficit = np.where(won > 0, before.max(axis=1, keepdims=True) - before, -1)
    winner = deficit.argmax(axis=1)
    here = np.arange(len(games)), winner
    placed = np.sort(total, axis=1)
    facts = {
        "folder": np.full(len(games), folder),
        "cell": games["cell"].to_numpy(),
        "game": games["game"].to_numpy(),
        "turns": games["turns"].to_numpy(),
        "prestige": total.sum(axis=1),
        "margin": placed[:, -1] - placed[:, -2],
        "spread": placed[:, -1] - placed[:, 0],
        "deficit": deficit[here],
        "winner": winner,
        "entry": by_game(games, seats, "entry")[here],
        "won": won[here],
    }
    return np.stack([facts[name].astype(np.int64) for name in _COLUMNS], axis=1)


def _of(rows: IntArray, name: str) -> IntArray:
    """One column of rows."""
    return rows[:, _COLUMNS.index(name)]


def _first(rows: IntArray, rank: IntArray | np.ndarray) -> IntArray:
    """The row of the lowest rank; of equals, that of the lowest name."""
    equal = rows[rank == rank.min()]
    names = [_of(equal, name) for name in reversed(_NAME)]
    return np.asarray(equal[np.lexsort(names)[0]])


def _strangeness(sample: IntArray) -> np.ndarray:
    """How far each row is from the medians, in interquartile ranges, over all of _TYPICAL_IN."""
    values = np.stack([_of(sample, name) for name in _TYPICAL_IN], axis=1)
    lower, middle, upper = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
    return np.asarray((np.abs(values - middle) / np.maximum(upper - lower, 1)).sum(axis=1))


def _hashes(rows: IntArray) -> np.ndarray:
    """A number for each row that depends on its name alone (splitmix64, Steele et al. 2014)."""
    mixed = np.zeros(len(rows), np.uint64)
    for name in _NAME:
        mixed = mixed + _of(rows, name).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return mixed


def _as_game(partition: Partition, kind: str, row: IntArray) -> ExtremeGame:
    """A row as what was found."""
    facts = dict(zip(_COLUMNS, row.tolist(), strict=True))
    shared = facts.pop("won") != _ALONE
    return ExtremeGame(partition=partition, kind=kind, shared=shared, **facts)
