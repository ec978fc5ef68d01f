"""From rows to integer sums: a report needs only a few arrays, even for millions of games.

Games are added batch by batch and then dropped, so memory does not grow with the number of games.
All sums are int64 sums of integers, which do not depend on the order of batches or on threads; sums
of fractions would. In every cell, deals go into BLOCKS blocks by their number, so cells that share
the luck of a deal share its block. Against Bruno every game is a new deal; at each difficulty all
strategies play the same deals.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Self, TypeVar

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.game_numbers import LENGTHENED
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums

IN_PLAY = ("games", "parties", "parties_won")
"""The sums that are also kept over the games with a clan in play, whoever led it."""

OF_LINE_UPS = ("games", "entry_won")
"""The sums that are also kept by line-up."""


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of one or more cells with the same edition and number of players.

    Attributes:
        clans: the edition's clans; the index of every clan axis.
        players: seats in a game.
        arrays: int64 sums of the numbers of `game_numbers`, `luck` and `over_sets`, by name. The
            first axis of each array is the block (BLOCKS long); the second is the kind of table,
            unless `tables` is empty.
        tables: keys of the kinds of tables, such as clan sets, sorted; empty where the sums are
            over all tables.
    """

    clans: tuple[str, ...]
    players: int
    arrays: Mapping[str, IntArray]
    tables: tuple[Any, ...] = ()

    @property
    def games(self) -> int:
        """The number of games summed."""
        return int(self.arrays["games"].sum())

    @property
    def sizes(self) -> IntArray:
        """Games in each block, by which the jackknife weighs blocks."""
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
    def over_sets(self) -> Self:
        """The sums over all clan sets; `in_games` … count the games with each clan in play."""
        has = np.asarray([[clan in clans for clan in self.clans] for clans in self.tables], int)
        arrays = {name: array.sum(axis=1) for name, array in self.arrays.items()}
        within = {f"in_{name}": self.arrays[name] @ has for name in IN_PLAY}
        return replace(self, arrays=arrays | within, tables=())


PARTS = 420
"""The unit of luck is this fraction of a card (1/420): with up to six dragons, mean draws are then
whole numbers."""


def luck(arrays: BlockSums, draws: Sequence[Fraction] | None) -> dict[str, IntArray]:
    """The sums of luck: how many more cards were drawn than on average, in PARTS of a card.

    Args:
        arrays: the sums of `game_numbers`.
        draws: the mean number of cards that leave the deck in a game of each clan set; None where
            it is not known.

    Returns:
        `luck`, luck_squared, and luck times each of LENGTHENED; 0 where the mean is not known.
    """
    if draws is None:
        names = ("luck", "luck_squared", *(f"luck_{name}" for name in LENGTHENED))
        return dict.fromkeys(names, np.zeros_like(arrays["games"]))
    mean, games = np.asarray([int(PARTS * mean) for mean in draws], np.int64), arrays["games"]
    drawn = PARTS * arrays["drawn"].sum(axis=-1)
    times = {
        f"luck_{name}": PARTS * arrays[f"drawn_{name}"] - mean * arrays[name] for name in LENGTHENED
    }
    squared = PARTS**2 * arrays["drawn_squared"] - 2 * mean * drawn + mean**2 * games
    return {"luck": drawn - mean * games, "luck_squared": squared, **times}


About = TypeVar("About", bound=Hashable)


class Tally(Generic[About]):
    """Adds up the numbers of games by block of deals and by table, batch by batch."""

    def __init__(self, tables: Mapping[int, tuple[About, Any]]) -> None:
        """Start without games.

        Args:
            tables: by the number of each cell, the key under which its games are summed, and the
                table of these games.
        """
        self.tables = tuple(dict.fromkeys(tables.values()))
        number = {table: index for index, table in enumerate(self.tables)}
        self._first = min(tables, default=0)
        self._index = np.full(max(tables, default=0) - self._first + 2, -1)
        for cell, table in tables.items():
            self._index[cell - self._first] = number[table]
        self._sums: dict[str, IntArray] = {}

    def indices(self, games: pl.DataFrame) -> IntArray:
        """The index of each game's table in `tables`; -1 for a game without a table."""
        cells = games["cell"].to_numpy().astype(np.int64) - self._first
        return np.asarray(self._index[np.clip(cells, -1, len(self._index) - 1)])

    def add(self, games: pl.DataFrame, numbers: Mapping[str, IntArray]) -> None:
        """Add games that have a table. `numbers` are int64 by name; the first axis is the game."""
        block = games["deal"].to_numpy().astype(np.int64) % BLOCKS
        row = block * len(self.tables) + self.indices(games)
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
            if name in self._sums:
                self._sums[name] += array
            else:
                self._sums[name] = array.copy()

    def sums(self) -> Iterator[tuple[About, tuple[Any, ...], dict[str, IntArray]]]:
        """The keys that have games, their sorted tables and their sums, (BLOCKS, tables, ...)."""
        played: dict[About, list[tuple[Any, int]]] = {}
        games = self._sums.get("games", np.zeros((BLOCKS, 0)))
        held = games.any(axis=(0, *range(2, games.ndim)))
        for place in np.flatnonzero(held).tolist():
            about, table = self.tables[place]
            played.setdefault(about, []).append((table, place))
        for about, tables_of in played.items():
            tables, places = zip(*sorted(tables_of), strict=True)
            yield about, tables, {name: of[:, places] for name, of in self._sums.items()}
