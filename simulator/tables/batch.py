"""Play batches of games at compiled speed and return their results as arrays.

A loop over games is compiled once; it plays each game from its deal to its winners. Each game
depends only on (rules, line-up, clans, players, mode, seed, game number).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.preparing.rule_records import CLAN_DTYPE, VALUES_DTYPE
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import InvalidGame


@dataclass(frozen=True)
class PlayedTable:
    """The results of games at one table.

    `games` has shape (games,) and GAME_DTYPE; `seats` shape (games, sides) and SEAT_DTYPE;
    the sides are the players, and in solo the player and Bruno.
    """

    table: GameTable
    games: np.ndarray
    seats: np.ndarray


@functools.cache
def load_engine() -> tuple[Any, Any]:
    """Load the engine, or compile it if there is no cached code; once per process.

    Returns:
        The compiled entries `run_games` and `prepare_tables`.
    """
    from numba import typeof

    from ethnos_sim.simulator.kernel.engine import run_games
    from ethnos_sim.simulator.preparing.tables import prepare_tables

    def types_of(*dtypes: np.dtype) -> list[Any]:
        return [typeof(np.zeros(1, kind)) for kind in dtypes]

    (views, hiddens) = tables = types_of(records.VIEW_DTYPE, records.HIDDEN_DTYPE)
    prepare_tables.compile((*types_of(VALUES_DTYPE, CLAN_DTYPE, records.TABLE_DTYPE), *tables))
    works, entries = types_of(records.WORK_DTYPE, records.ENTRY_DTYPE)
    played = types_of(records.DEAL_DTYPE, records.GAME_DTYPE, records.SEAT_DTYPE, records.LOG_DTYPE)
    run_games.compile((works, views, entries, views, hiddens, *played))
    return run_games, prepare_tables


def check_seed(seed: int) -> int:
    """Return the seed; InvalidGame outside 0 ... 2**63 - 1."""
    if not 0 <= seed < 2**63:
        raise InvalidGame(f"seed {seed} is outside 0 to {2**63 - 1}")
    return seed


def play_table(table: GameTable, *, seed: int, deals: int, first_deal: int = 0) -> PlayedTable:
    """Play every rotation of `deals` deals at a prepared table, from `first_deal` on.

    Args:
        table: the table; in rotation r, seat s is filled by entry (s + r) mod players.
        seed: master seed, 0 ... 2**63 - 1.
        deals: how many deals; each is played once for every different seating of the line-up.
        first_deal: number of the first deal.

    Returns:
        The games; game number = deal * rotations + rotation.

    Raises:
        InvalidGame: seed or deals do not make a game.
        IllegalMove: a strategy answered with a move that the rules forbid.
        NoAnswer: a strategy's code raised an exception or did not end.
    """
    if deals < 1:
        raise InvalidGame(f"{deals} deals make no game; play at least 1")
    prepared = PreparedTables([table])
    games, seats = prepared.play(prepared.deal_rows(0, first_deal, deals, check_seed(seed)))
    return PlayedTable(table, games, seats.reshape(len(games), table.sides))
