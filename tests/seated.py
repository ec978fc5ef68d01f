"""Make tables and play games of a line-up."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ethnos_sim.simulator import (
    SOLO,
    SOLO_CLANS,
    GameTable,
    PlayedTable,
    Rules,
    Seat,
    play_table,
)
from ethnos_sim.strategies import LineUp

Players = str | Sequence[str] | Sequence[Seat]


def table_of(
    rules: Rules,
    seats: Players,
    players: int = 4,
    mode: str = "standard",
    clans: Sequence[str] = (),
) -> GameTable:
    """A table for a line-up or for prepared seats; it has the rules' first clans unless given."""
    if isinstance(seats, str) or isinstance(seats[0], str):
        seats = LineUp.parse(seats, players, rules).seats()
    usual = SOLO_CLANS if mode in SOLO else rules.clans[: rules.clans_in_play(players)]
    return GameTable.prepare(rules, players, mode, clans or usual, seats)


def play_seats(
    rules: Rules,
    seats: Players,
    players: int = 4,
    mode: str = "standard",
    clans: Sequence[str] = (),
    **played: Any,
) -> PlayedTable:
    """Play deals in every rotation of the seats, as `play_table` does."""
    return play_table(table_of(rules, seats, players, mode, clans), **played)


def same_games(first: PlayedTable, second: PlayedTable) -> bool:
    """Whether two batches have the same results, seat by seat."""
    games = np.array_equal(first.games, second.games)
    return games and np.array_equal(first.seats, second.seats)
