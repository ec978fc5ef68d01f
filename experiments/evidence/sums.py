"""From rows to integer sums: a report needs only a few arrays, even for millions of games.

Games are added batch by batch, so memory does not grow with the number of games. The sums are int64
sums of integers, which unlike sums of fractions do not depend on the order of batches or threads. A
deal's number decides its block, so cells that share the luck of a deal share its block.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Self, TypeVar

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.game_numbers import LENGTH_DEPENDENT
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums

IN_PLAY_SUMS = ("games", "parties", "parties_won")
"""The sums that exist by clan too, over the games with this clan in play."""

LINE_UP_SUMS = ("games", "entry_won")
"""The sums that exist by line-up too."""


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of cells with the same edition and number of players.

    Attributes:
        clans: the edition's clans; the index of every clan axis.
        players: seats in a game.
        arrays: int64 sums by name, as in `game_numbers`, `luck_sums` and `over_clan_sets`. The
            first axis is the block (BLOCKS long); the second is the index in `tables`, unless
            `tables` is empty.
        tables: the clan sets or the line-ups that have their own sums, sorted; empty if the sums
            are over all tables.
    """

    clans: tuple[str, ...]
    players: int
    arrays: Mapping[str, IntArray]
    tables: tuple[Any, ...] = ()

    @property
    def games(self) -> int:
        """The number of games in the sums."""
        return int(self.arrays["games"].sum())

    @property
    def block_sizes(self) -> IntArray:
        """The number of games in each block, by which the jackknife weighs blocks."""
        return np.asarray(self.arrays["games"].reshape(BLOCKS, -1).sum(axis=1))

    def __add__(self, other: Self) -> Self:
        """Add two sums, table by table; ValueError unless clans and players agree."""
        if (self.clans, self.players) != (other.clans, other.players):
            raise ValueError("sums of different editions or player counts cannot be added")
        if self.tables == other.tables:
            both = {name: array + other.arrays[name] for name, array in self.arrays.items()}
            return replace(self, arrays=both)
        tables = sorted({*self.tables, *other.tables})
        place = {table: number for number, table in enumerate(tables)}
        rows = [(part, [place[table] for table in part.tables]) for part in (self, other)]
        arrays = {}
        for name, array in self.arrays.items():
            arrays[name] = np.zeros((BLOCKS, len(tables), *array.shape[2:]), np.int64)
            for part, places in rows:
                arrays[name][:, places] += part.arrays[name]
        return replace(self, arrays=arrays, tables=tuple(tables))

    @property
    def over_clan_sets(self) -> Self:
        """The sums over all clan sets, and IN_PLAY_SUMS by clan, with names such as `in_games`."""
        has = np.asarray([[clan in clans for clan in self.clans] for clans in self.tables], int)
        arrays = {name: array.sum(axis=1) for name, array in self.arrays.items()}
        within = {f"in_{name}": self.arrays[name] @ has for name in IN_PLAY_SUMS}
        return replace(self, arrays=arrays | within, tables=())


LUCK_UNITS = 420
"""Luck is counted in 1/420 of a card, so that mean draws are integers with up to six dragons."""


def luck_sums(arrays: BlockSums, mean_draws: Sequence[Fraction] | None) -> dict[str, IntArray]:
    """The sums of luck: cards drawn less the mean number of cards drawn, times LUCK_UNITS.

    Args:
        arrays: the sums of `game_numbers`.
        mean_draws: the mean number of cards drawn in a game, for each clan set; None if unknown.

    Returns:
        luck, luck_squared, and luck times each of LENGTH_DEPENDENT; 0 if the mean is unknown.
    """
    if mean_draws is None:
        names = ("luck", "luck_squared", *(f"luck_{name}" for name in LENGTH_DEPENDENT))
        return dict.fromkeys(names, np.zeros_like(arrays["games"]))
    mean = np.asarray([int(LUCK_UNITS * draws) for draws in mean_draws], np.int64)
    games = arrays["games"]
    drawn = LUCK_UNITS * arrays["drawn"].sum(axis=-1)
    products = {name: LUCK_UNITS * arrays[f"drawn_{name}"] for name in LENGTH_DEPENDENT}
    times = {f"luck_{name}": of - mean * arrays[name] for name, of in products.items()}
    squared = LUCK_UNITS**2 * arrays["drawn_squared"] - 2 * mean * drawn + mean**2 * games
    return {"luck": drawn - mean * games, "luck_squared": squared, **times}


Key = TypeVar("Key", bound=Hashable)


class Tally(Generic[Key]):
    """Adds up the numbers of games by block of deals and by table, batch by batch.

    A table is a clan set or a line-up; its sums belong to a key, such as a situation.
    """

    def __init__(self, tables: Mapping[int, tuple[Key, Any]]) -> None:
        """Start without games.

        Args:
            tables: by cell number, the key and the table of the cell's games.
        """
        self.tables = tuple(dict.fromkeys(tables.values()))
        number = {table: index for index, table in enumerate(self.tables)}
        self._first = min(tables, default=0)
        self._index = np.full(max(tables, default=0) - self._first + 2, -1)
        for cell, table in tables.items():
            self._index[cell - self._first] = number[table]
        self._sums: dict[str, IntArray] = {}

    def table_indices(self, games: pl.DataFrame) -> IntArray:
        """The index in `tables` for each game; -1 for a game that does not count."""
        cells = games["cell"].to_numpy().astype(np.int64) - self._first
        return np.asarray(self._index[np.clip(cells, -1, len(self._index) - 1)])

    def add(self, games: pl.DataFrame, numbers: Mapping[str, IntArray]) -> None:
        """Add games that count; `numbers` are int64 by name, with the game as first axis."""
        block = games["deal"].to_numpy().astype(np.int64) % BLOCKS
        row = block * len(self.tables) + self.table_indices(games)
        for name, number in numbers.items():
            if name not in self._sums:
                shape = (BLOCKS, len(self.tables), *number.shape[1:])
                self._sums[name] = np.zeros(shape, np.int64)
            # Adding single numbers is many times faster than adding rows.
            rows = number.reshape(len(row), -1)
            where = row[:, None] * rows.shape[1] + np.arange(rows.shape[1])
            np.add.at(self._sums[name].reshape(-1), where.ravel(), rows.ravel())

    @property
    def arrays(self) -> Mapping[str, IntArray]:
        """The sums so far by name, (BLOCKS, tables, ...)."""
        return self._sums

    def add_arrays(self, arrays: Mapping[str, IntArray]) -> None:
        """Add the `arrays` of another tally of the same tables."""
        for name, array in arrays.items():
            self._sums[name] = self._sums.get(name, 0) + array

    def sums(self) -> Iterator[tuple[Key, tuple[Any, ...], dict[str, IntArray]]]:
        """Each key with games, its sorted tables, and their sums, (BLOCKS, tables, ...)."""
        played: dict[Key, list[tuple[Any, int]]] = {}
        games = self._sums.get("games", np.zeros((BLOCKS, 0)))
        held = games.any(axis=(0, *range(2, games.ndim)))
        for place in np.flatnonzero(held).tolist():
            about, table = self.tables[place]
            played.setdefault(about, []).append((table, place))
        for about, tables_of in played.items():
            tables, places = zip(*sorted(tables_of), strict=True)
            yield about, tables, {name: of[:, places] for name, of in self._sums.items()}
