"""From rows to integer sums: everything the report needs of millions of games, in a few arrays.

Batches of game and seat rows are added one after the other and forgotten, so memory does not grow
with the number of games. All sums are int64 and of integers; integer sums do not depend on the
order of the batches nor on threads, sums of fractions would. Deals go into BLOCKS blocks by their
number, in every cell alike, so cells that share the luck of a deal share its block. Against Bruno
every game has a deal of its own, the same for all strategies of a difficulty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums
from ethnos_sim.experiments.storage.tables import block_of_deal, fired_column, led_column
from ethnos_sim.reports.evidence.game_numbers import AGES, DEFICIT_LABELS, EARLY_AGES, game_numbers
from ethnos_sim.simulator.modes import SOLO_CLANS
from ethnos_sim.simulator.records import BRUNO
from ethnos_sim.simulator.rules import Rules

SOURCES = ("regions", "sea", "largest", "settlement", "coins", "party_points", "powers")
"""The columns that sum to a seat's prestige."""

PLAIN = (
    "games",
    "shared",
    "turns",
    "parties",
    "parties_won",
    "cards",
    "cards_won",
    "markers",
    "markers_won",
    "ended",
    "ended_won",
    "prestige",
    "prestige_squared",
    "totals_squared",
    "margin",
    "lead_changes",
    "leaders_shuffled",
    "drawn_squared",
    "drawn_turns",
    "drawn_parties",
    "drawn_prestige",
)
LENGTHENED = ("turns", "parties", "prestige")
"""What the cards drawn in a game explain most of."""

PARTS = 420
"""Parts of a card: with up to six dragons, cards drawn on average are a whole number of them."""

LUCK = ("luck", "luck_squared", *(f"luck_{name}" for name in LENGTHENED))
BY_CLAN = ("led", "led_won")
IN_PLAY = ("in_games", "in_parties", "in_parties_won")
BY_SOURCE = ("source", "source_won")
BY_AGE = ("drawn", "leaders", "leaders_won")
BY_DEFICIT = ("behind", "behind_won")
BY_SEAT = ("turn_won", "chair_won", "entry_won")


def shapes(players: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array that a row of `sums_by_cell` holds, by name; () is a number."""
    groups = {
        PLAIN: (),
        BY_SOURCE: (len(SOURCES),),
        BY_AGE: (len(AGES),),
        BY_DEFICIT: (EARLY_AGES, len(DEFICIT_LABELS)),
        BY_SEAT: (players,),
    }
    return {name: shape for names, shape in groups.items() for name in names}


def as_arrays(rows: pl.DataFrame, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, IntArray]:
    """The arrays in rows of `sums_by_cell` by name, with these shapes: (rows, *shape)."""
    place = {column: number for number, column in enumerate(rows.columns)}
    numbers = rows.to_numpy()
    found = {}
    for name, shape in shapes.items():
        columns = ["_".join(map(str, (name, *index))) for index in np.ndindex(shape)]
        chosen = numbers[:, [place[column] for column in columns]]
        found[name] = chosen.reshape(len(rows), *shape)
    return found


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of one or more cells with the same edition and number of players.

    Attributes:
        clans: the edition's clans; the index of every clan axis.
        players: seats in a game.
        arrays: int64 sums by name. The first axis of each is the block (BLOCKS long), the next one
            that of `tables` where there are any, then
            nothing (PLAIN): games, games with a shared win, turns, parties, cards in parties,
            markers in regions, ages ended by drawing the last dragon, and what `game_numbers` says
            of each game;
            nothing (LUCK): cards drawn beyond their mean, in PARTS of a card: by themselves,
            squared, and times each of LENGTHENED; 0 where the mean is not known;
            clans (BY_CLAN): parties led;
            clans (IN_PLAY): over the games with the clan in play, games and all parties;
            sources (BY_SOURCE): prestige of all seats;
            ages (BY_AGE): cards drawn, and seats with the most prestige after the age;
            early ages and classes of deficit (BY_DEFICIT): seats so far behind after the age;
            seats (BY_SEAT): wins by place in the first age's order of play (`turn`), by place at
            the table (`chair`) and by place in the line-up (`entry`).
            What ends in `won` is weighted by the column `won`, so in sixtieths.
        tables: what tells the tables of these games apart, sorted: clan sets, say; empty where the
            sums are of all of them.
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
        """Games in each block: what the jackknife weighs blocks by."""
        return np.asarray(self.arrays["games"].reshape(BLOCKS, -1).sum(axis=1))

    def plus(self, other: Self) -> Self:
        """The sums of both, of the tables of either; ValueError unless clans and players agree."""
        if (self.clans, self.players) != (other.clans, other.players):
            raise ValueError("sums of different editions or player counts cannot be added")
        if self.arrays["games"].ndim == 1:
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

    def at(self, kept: Sequence[int] | IntArray) -> Self:
        """The sums of some of the tables, by their places."""
        arrays = {name: array[:, kept] for name, array in self.arrays.items()}
        return replace(self, arrays=arrays, tables=tuple(self.tables[place] for place in kept))

    @classmethod
    def of_cells(
        cls,
        by_cell: pl.DataFrame,
        clans_of: Mapping[int, Collection[str]],
        clans: tuple[str, ...],
        players: int,
        draws: Fraction | None = None,
    ) -> Self:
        """The sums of some cells from their sums by cell and block.

        Args:
            by_cell: what `sums_by_cell` or `added` returned.
            clans_of: the clans in play of each cell to take, by number; other cells are left out.
            clans: the clans of the edition.
            players: seats in a game.
            draws: the mean number of cards that leave the deck in a game, where it is known.
        """
        rows = by_cell.filter(pl.col("cell").is_in(list(clans_of)))
        in_play = np.asarray(
            [[clan in clans_of[cell] for clan in clans] for cell in rows["cell"]], np.int64
        ).reshape(len(rows), len(clans))
        kinds = shapes(players) | dict.fromkeys(BY_CLAN, (len(clans),))
        values = as_arrays(rows, kinds)
        wholes = (values["games"], values["parties"], values["parties_won"])
        for name, whole in zip(IN_PLAY, wholes, strict=True):
            values[name] = whole[:, None] * in_play
        arrays = by_block(rows, values)
        return cls(clans, players, arrays | _luck(arrays, draws))

    @classmethod
    def by_set(
        cls,
        by_cell: pl.DataFrame,
        clans_of: Mapping[int, ClanSet],
        clans: tuple[str, ...],
        players: int,
    ) -> Self:
        """The same clan set by clan set, without what is counted clan by clan."""
        rows = by_cell.filter(pl.col("cell").is_in(list(clans_of)))
        sets = sorted({clans_of[cell] for cell in rows["cell"].unique()})
        place = {in_play: number for number, in_play in enumerate(sets)}
        of_row = np.asarray([place[clans_of[cell]] for cell in rows["cell"]], np.int64)
        arrays = by_block(rows, as_arrays(rows, shapes(players)), of_row, len(sets))
        return cls(clans, players, arrays, tuple(sets))


def by_block(
    rows: pl.DataFrame,
    values: Mapping[str, IntArray],
    table: IntArray | None = None,
    tables: int = 0,
) -> dict[str, IntArray]:
    """Values of rows added up by block of deals, and by table where each row has one."""
    where: tuple[IntArray, ...] = (rows["block"].to_numpy(),)
    shape: tuple[int, ...] = (BLOCKS,)
    if table is not None:
        where, shape = (*where, table), (BLOCKS, tables)
    found = {}
    for name, value in values.items():
        found[name] = np.zeros((*shape, *value.shape[1:]), np.int64)
        np.add.at(found[name], where, value)
    return found


def _luck(arrays: BlockSums, draws: Fraction | None) -> dict[str, IntArray]:
    """The sums of LUCK, from those of cards drawn."""
    if draws is None:
        return {name: np.zeros_like(arrays["games"]) for name in LUCK}
    mean, games = int(PARTS * draws), arrays["games"]
    drawn = PARTS * arrays["drawn"].sum(axis=-1)
    squared = PARTS**2 * arrays["drawn_squared"] - 2 * mean * drawn + mean**2 * games
    times = (PARTS * arrays[f"drawn_{name}"] - mean * arrays[name] for name in LENGTHENED)
    return dict(zip(LUCK, (drawn - mean * games, squared, *times), strict=True))


def sums_by_cell(
    games: pl.DataFrame, seats: pl.DataFrame, clans: tuple[str, ...], players: int
) -> pl.DataFrame:
    """Sum the rows of finished games: a row a cell and block of deals, all columns int64.

    Args:
        games: a row a game: cell, game, deal, first_player, winners, turns, drawn_1 … drawn_3.
        seats: all rows of these games in their order, a row a player: cell, game, deal, seat,
            entry, won, prestige, prestige_1 … prestige_3, the sources, parties, cards,
            led_<clan>.
        clans: the clans of the edition.
        players: seats in a game.
    """
    sums = _sums_of_games(games, seats, players).join(
        _sums_of_seats(games, seats, clans, players), on=["cell", "block"], validate="1:1"
    )
    return sums.with_columns(pl.all().cast(pl.Int64))


def added(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Sums by cell and block of several batches together."""
    return pl.concat(parts).group_by("cell", "block").sum()


def merged(parts: Iterable[Sums]) -> Sums:
    """The sums of all parts; ValueError for none, or for parts that do not fit together."""
    first, *rest = parts
    for part in rest:
        first = first.plus(part)
    return first


def total(name: str) -> pl.Expr:
    """The sum of a small integer column in 64 bits."""
    return pl.col(name).cast(pl.Int64).sum()


def _sums_of_games(games: pl.DataFrame, seats: pl.DataFrame, players: int) -> pl.DataFrame:
    """A row a cell and block with the sums over games."""
    numbers = game_numbers(games, seats, players)
    return (
        games.hstack(pl.DataFrame(numbers))
        .group_by("cell", block_of_deal())
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            (pl.col("winners") > 1).cast(pl.Int64).sum().alias("shared"),
            total("turns"),
            *(total(f"drawn_{age}").alias(f"drawn_{age - 1}") for age in AGES),
            *(total(name) for name in numbers),
        )
    )


def _sums_of_seats(
    games: pl.DataFrame, seats: pl.DataFrame, clans: tuple[str, ...], players: int
) -> pl.DataFrame:
    """A row a cell and block with the sums over seats."""
    won = pl.col("won").cast(pl.Int64)
    turn = (pl.col("seat").cast(pl.Int16) - pl.col("first_player") + players) % players
    places = {"turn_won": turn, "chair_won": pl.col("seat"), "entry_won": pl.col("entry")}
    counted = {f"led_{index}": led_column(clan) for index, clan in enumerate(clans)}
    counted |= {f"source_{index}": source for index, source in enumerate(SOURCES)}
    counted |= {name: name for name in ("parties", "cards", "markers", "ended")}
    drawers = games.select(f"third_dragon_{age}" for age in AGES).to_numpy().repeat(players, axis=0)
    ended = (drawers == seats["seat"].to_numpy()[:, None]).sum(axis=1)
    first_player = np.repeat(games["first_player"].to_numpy().astype(np.int16), players)
    return (
        seats.lazy()
        .with_columns(first_player=first_player, ended=ended)
        .group_by("cell", block_of_deal())
        .agg(
            *(total(column).alias(name) for name, column in counted.items()),
            *(
                (pl.col(column).cast(pl.Int64) * won).sum().alias(_weighted(name))
                for name, column in counted.items()
            ),
            *(
                won.filter(place == number).sum().alias(f"{name}_{number}")
                for name, place in places.items()
                for number in range(players)
            ),
        )
        .collect()
    )


def _weighted(name: str) -> str:
    """The name of a sum weighted by `won`: led_3 becomes led_won_3, parties parties_won."""
    stem, mark, index = name.partition("_")
    return f"{stem}_won{mark}{index}"


DRAWN = ("drawn_1", "drawn_2")
"""Cards that left the deck, age by age."""

PLAYER = 0

SIDES = ("player", "bruno")
"""Both sides by their seat."""


def solo_by_cell(games: pl.DataFrame, seats: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Sum the rows of finished games: a row a cell and block of deals with all of `solo_sums`."""
    keys = ["cell", "game", "deal"]
    player, bruno = (seats.filter(pl.col("seat") == seat) for seat in (PLAYER, BRUNO))
    both = player.join(bruno, on=keys, suffix="_bruno", validate="1:1")
    about = pl.col("cell").cast(pl.Int64), block_of_deal().cast(pl.Int64)
    names = [name for columns in _columns_by_array(rules).values() for name in columns]
    return (
        both.group_by(about)
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            total("won"),
            *(total(_side(name, side)) for name in names for side in SIDES),
        )
        .join(games.group_by(about).agg(map(total, DRAWN)), on=["cell", "block"], validate="1:1")
    )


def solo_sums(
    rows: pl.DataFrame, strategies: Mapping[int, str], rules: Rules
) -> Iterator[tuple[str, Sums]]:
    """The sums of every strategy that has games.

    Args:
        rows: what `solo_by_cell` or `sums.added` returned.
        strategies: the strategy of each cell by number.
        rules: what was played by.

    Yields:
        A strategy and its sums, whose arrays are games; won (the player's, in sixtieths); drawn,
        (ages,), cards that left the deck; and with the axis of SIDES: parties; source, (sources,);
        led, (solo clans,); columns, (colors,), how often each column was played (the player's
        are 0).
    """
    for cell, strategy in strategies.items():
        own = rows.filter(cell=cell)
        if own.is_empty():
            continue
        values = {name: own[name].to_numpy() for name in ("games", "won")}
        values["drawn"] = own.select(DRAWN).to_numpy()
        for name, columns in _columns_by_array(rules).items():
            sides = [own.select(_side(column, side) for column in columns) for side in SIDES]
            values[name] = np.stack([side.to_numpy() for side in sides], axis=1)
        values["parties"] = values["parties"][..., 0]
        yield strategy, Sums(SOLO_CLANS, 1, by_block(own, values))


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
