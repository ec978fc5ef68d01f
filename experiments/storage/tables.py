"""The two tables of a sweep, `games` and `seats`: their columns, and the rows of a batch.

Every column is a whole number of the smallest type that holds all values that the rules allow,
except for the name of the clan that a seat gave up. `docs/results.md` explains each column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from types import MappingProxyType

import numpy as np
import polars as pl

from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.simulator.game.records import GAME_DTYPE, MAX_AGES, SEAT_DTYPE
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.table import GameTable, home_slots

#: The name of Bruno as a strategy: the second line-up entry of every solo cell.
BRUNO_NAME = "bruno"

Columns = dict[str, np.ndarray | pl.Series]
ColumnType = type[np.integer] | type[pl.DataType]
"""The type of a column: NumPy's, or polars' for a column with nulls."""

_AGES = range(1, MAX_AGES + 1)

#: The columns of `games`, which has one row for each game.
GAME_COLUMNS: Mapping[str, type[np.integer]] = {
    "cell": np.uint32,
    "game": np.uint32,
    "deal": np.uint32,
    "rotation": np.uint8,
    "first_player": np.uint8,
    "winners": np.uint8,
    "turns": np.uint16,
    "decisions": np.uint16,
    **{f"drawn_{age}": np.uint8 for age in _AGES},
    **{f"last_dragon_{age}": np.int8 for age in _AGES},
}

_SEAT_COLUMNS: Mapping[str, type[np.integer]] = {
    "cell": np.uint32,
    "game": np.uint32,
    "deal": np.uint32,
    "seat": np.uint8,
    "entry": np.uint8,
    "won": np.uint8,
    "prestige": np.int16,
    **{f"prestige_{age}": np.int16 for age in _AGES},
    # The sources of a seat's prestige, which add up to `prestige`.
    **dict.fromkeys(("regions", "coins", "sea", "largest", "settlement"), np.int16),
    **dict.fromkeys(("party_points", "powers"), np.int16),
    "markers": np.uint8,
    "parties": np.uint8,
    "cards": np.uint16,
}

#: The columns of `seats` that are null in games in which no seat gives up a clan.
GIVEN_UP_COLUMNS: Mapping[str, type[pl.DataType]] = {"gave_up": pl.String, "gave_up_age": pl.UInt8}

#: The columns of `games`, and of `seats`, that the kernel records under the same name.
_KERNEL_GAME_COLUMNS = [name for name in GAME_COLUMNS if name in (GAME_DTYPE.names or ())]
_KERNEL_SEAT_COLUMNS = [name for name in _SEAT_COLUMNS if name in (SEAT_DTYPE.names or ())]


def led_column(clan: str) -> str:
    """The column of `seats` that counts the parties led by a clan."""
    return f"led_{clan}"


def bruno_column(color: str) -> str:
    """The column of `seats` that counts how often Bruno played his column of a color."""
    return f"columns_{color}"


def seat_columns(rules: Rules, *, solo: bool) -> dict[str, ColumnType]:
    """The columns of `seats`, with a column `led_...` for each clan, and their types.

    In solo, six more columns count how often Bruno played his column of a color (`bruno_column`).
    """
    names = [led_column(clan) for clan in rules.clans]
    if solo:
        names += [bruno_column(color) for color in rules.colors]
    return {**_SEAT_COLUMNS, **GIVEN_UP_COLUMNS, **dict.fromkeys(names, np.uint8)}


def all_seat_columns(rules_and_solo: Iterable[tuple[Rules, bool]]) -> dict[str, ColumnType]:
    """The columns of `seats` in every file of a sweep.

    Args:
        rules_and_solo: by partition, its rules, and whether its games are solo.
    """
    columns: dict[str, ColumnType] = {}
    for rules, solo in rules_and_solo:
        columns |= seat_columns(rules, solo=solo)
    return columns


def batch_columns(
    cell: int | np.ndarray,
    games: np.ndarray,
    seats: np.ndarray,
    table: GameTable,
    slots: np.ndarray | None = None,
) -> dict[str, Columns]:
    """The columns of `games` and `seats` for a batch of games.

    Rows of `seats` are in the order of the games, and within a game in the order of the seats; in
    solo Bruno's row is the second.

    Args:
        cell: the number of the games' cell, or an array with a number for each game.
        games: shape (n,), GAME_DTYPE.
        seats: shape (n, sides), SEAT_DTYPE.
        table: the table of the games, or one of several tables with the same rules and players.
        slots: each game's row of `PreparedTables.home_slots`; None for games of one table.
    """
    flat, sides = seats.reshape(-1), seats.shape[1]
    slots = home_slots(table)[None] if slots is None else np.repeat(slots, sides, axis=0)
    led = np.take_along_axis(flat["led"], np.maximum(slots, 0), axis=1) * (slots >= 0)
    cells = np.broadcast_to(cell, games.shape)
    of_games = {
        "cell": cells,
        **{name: games[name] for name in _KERNEL_GAME_COLUMNS},
        **{f"drawn_{age}": games["drawn"][:, age - 1] for age in _AGES},
        **{f"last_dragon_{age}": games["last_dragon"][:, age - 1] for age in _AGES},
    }
    of_seats = {
        "cell": np.repeat(cells, sides),
        "game": np.repeat(games["game"], sides),
        "deal": np.repeat(games["deal"], sides),
        "seat": np.tile(np.arange(sides), games.size),
        **{name: flat[name] for name in _KERNEL_SEAT_COLUMNS},
        **{f"prestige_{age}": flat["after_age"][:, age - 1] for age in _AGES},
        **{led_column(clan): led[:, n] for n, clan in enumerate(table.rules.clans)},
        **{
            bruno_column(color): flat["columns"][:, region]
            for region, color in enumerate(table.rules.colors)
        },
    }
    types = seat_columns(table.rules, solo=table.solo)
    return {
        "games": {name: of_games[name].astype(kind) for name, kind in GAME_COLUMNS.items()},
        "seats": _gave_up_columns(flat, table.rules.clans)
        | {
            name: of_seats[name].astype(kind)
            for name, kind in types.items()
            if name not in GIVEN_UP_COLUMNS
        },
    }


def _gave_up_columns(seats: np.ndarray, clans: Sequence[str]) -> Columns:
    """The columns of GIVEN_UP_COLUMNS for rows of seats (SEAT_DTYPE)."""
    clan, age = seats["gave_up"], seats["gave_up_age"]
    of_seats = {
        # NONE is -1, which indexes the last element.
        "gave_up": pl.Series([*clans, None], dtype=pl.String).gather(clan.astype(np.int64)),
        "gave_up_age": pl.Series(age).replace(0, None),
    }
    return {name: of_seats[name].cast(kind).alias(name) for name, kind in GIVEN_UP_COLUMNS.items()}


def parquet_bytes(
    table: pl.DataFrame | Mapping[str, np.ndarray | pl.Series],
    metadata: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """A table as the bytes of a Parquet file.

    Args:
        table: a frame, or columns of equal length.
        metadata: the file's key-value metadata.
    """
    buffer = BytesIO()
    pl.DataFrame(table).write_parquet(buffer, compression="zstd", metadata=dict(metadata))
    return buffer.getvalue()


CELLS, ENTRIES = "cells.parquet", "entries.parquet"

Schema = dict[str, type[pl.DataType] | pl.DataType]

_CELL_SCHEMA: Schema = {
    "cell": pl.UInt32,
    "edition": pl.String,
    "mode": pl.String,
    "players": pl.UInt8,
    "rules": pl.String,
    "rules_id": pl.String,
    "line_up": pl.String,
    "rotations": pl.UInt8,
    "population": pl.String,
    "kind": pl.String,
    "clan_set": pl.UInt32,
    "clans": pl.List(pl.String),
}
_ENTRY_SCHEMA: Schema = {"cell": pl.UInt32, "entry": pl.UInt8, "strategy": pl.String}


def cell_table(plan: Plan) -> pl.DataFrame:
    """The table of cells, with one row for each cell.

    Columns: cell (u32), edition, mode, players (u8), rules (the rule set's name, empty if it is the
    only rule set), rules_id, kind (one of KINDS), clan_set (u32), clans (list of names), line_up
    (strategies in order, joined by commas), rotations (u8), population (its name, or empty).
    """
    ids = {(rules.edition, rules.name): rules.rules_id for rules in plan.editions}
    rows = [
        (
            *(cell.number, part.edition, part.mode, part.players, part.rules),
            *(ids[part.edition, part.rules], ",".join(cell.line_up), cell.rotations),
            *(cell.population, cell.kind, cell.clan_set, list(cell.clans)),
        )
        for cell in plan.cells
        for part in [cell.partition]
    ]
    return pl.DataFrame(rows, schema=_CELL_SCHEMA, orient="row")


def entry_table(plan: Plan) -> pl.DataFrame:
    """The table of line-up entries: cell (u32), entry (u8), strategy.

    In solo cells Bruno is the second entry.
    """
    rows = [
        (cell.number, entry, name)
        for cell in plan.cells
        for entry, name in enumerate([*cell.line_up, *[BRUNO_NAME] * cell.partition.solo])
    ]
    return pl.DataFrame(rows, schema=_ENTRY_SCHEMA, orient="row")


def cell_files(plan: Plan) -> Mapping[str, bytes]:
    """The Parquet files of the tables of cells and of line-up entries, by file name."""
    return {CELLS: parquet_bytes(cell_table(plan)), ENTRIES: parquet_bytes(entry_table(plan))}
