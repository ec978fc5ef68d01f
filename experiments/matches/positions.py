"""Positions of whole games, as data to learn from.

A position has the question, the player who is asked, the cards in every hand, the answer, and the
end of the game.

The compiled kernel copies every question into a buffer. This module turns the buffer into tables,
written as Parquet files of a limited number of games, so that memory does not grow with the games
(docs/results.md).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress
from ethnos_sim.experiments.matches.match import Match, deals_for
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.storage.tables import parquet
from ethnos_sim.simulator.game.records import (
    GAME_DTYPE,
    MOVE_DTYPE,
    POSITION_DTYPE,
    POSITION_LOG_DTYPE,
    SEAT_DTYPE,
    SIXTIETHS,
)
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.user_code.showing import SHOWN_VIEW
from ethnos_sim.simulator.utilities.errors import Failed, InvalidGame

#: The most questions of a game that can be recorded; games of random players have about 600.
QUESTIONS = 8_000

#: How many games go into a file if every question is kept; they take about 60 MB of memory. If
#: only every n-th question is kept, n times as many games go into it.
GAMES_A_FILE = 200

#: The fields of the view that become columns: the fields that strategies are shown, except the rule
#: values, since these are the same in all rows.
VIEW_FIELDS = tuple(name for name in SHOWN_VIEW.fields if name != "rules")


@dataclass(frozen=True)
class Positions:
    """The positions of a deal's games, and how these games ended.

    `positions` has shape (positions,) and POSITION_DTYPE, `games` shape (games,) and GAME_DTYPE,
    `seats` shape (games, sides) and SEAT_DTYPE. `row` is the game of each position.
    """

    table: GameTable
    positions: np.ndarray
    games: np.ndarray
    seats: np.ndarray

    @property
    def row(self) -> np.ndarray:
        """The index in `games` of each position's game."""
        rows: np.ndarray = self.positions["game"] - self.games["game"][0]
        return rows


def play_positions(match: Match, deals: int, *, every: int = 1) -> Iterator[Positions]:
    """Play the deals 0 ... of a match in all seatings, and yield each deal's positions.

    Args:
        match: from `prepare_match`; games have the same numbers as in `play_match` and in traces.
        deals: how many deals.
        every: 7 keeps every seventh question of a deal, in the order in which they are asked.

    Raises:
        InvalidGame: a number below 1.
        IllegalMove, NoAnswer: as for `play_batch`.
    """
    if deals < 1 or every < 1:
        raise InvalidGame(f"{min(deals, every)} is not a number of deals or questions")
    for deal in range(deals):
        yield record_games(match, deal * match.rotations, match.rotations, every=every)


def record_games(match: Match, first: int, games: int, *, every: int = 1) -> Positions:
    """Play some games of one deal, from number `first` on, and record their positions.

    Raises:
        InvalidGame: there is no such game, or a game has too many questions.
    """
    if first < 0:
        raise InvalidGame(f"there is no game {first}; games are numbered from 0")
    table = match.table(first // match.rotations)
    room = np.zeros(games * QUESTIONS // every + 1, POSITION_DTYPE)
    log = np.zeros(1, POSITION_LOG_DTYPE)
    log["address"], log["room"], log["every"] = room.ctypes.data, room.size, every
    played, seats = np.zeros(games, GAME_DTYPE), np.zeros(games * match.sides, SEAT_DTYPE)
    prepared = PreparedTables([table])
    prepared.run(prepared.game(first, match.seed, games), played, seats, positions=log)
    used = int(log["used"][0])
    if used == room.size:
        raise InvalidGame(f"game {first} has more than {QUESTIONS:,} questions")
    return Positions(table, room[:used].copy(), played, seats.reshape(games, match.sides))


def position_columns(recorded: Positions) -> dict[str, np.ndarray]:
    """The columns of a deal's positions (docs/results.md), all of one length.

    Columns of the view have the names and shapes of its fields. `won` is the asked player's share
    of the win, `prestige_at_end` the prestige by player, and `margin` the asked player's prestige
    less the prestige of the best rival.
    """
    positions, row = recorded.positions, recorded.row
    asked = np.arange(len(positions)), positions["open"]["player"]
    prestige = recorded.seats["prestige"][row]
    rivals = prestige.copy()
    rivals[asked] = np.iinfo(prestige.dtype).min
    columns: dict[str, np.ndarray] = {
        "game": positions["game"],
        "deal": recorded.games["deal"][row],
        "rotation": recorded.games["rotation"][row],
        "entry": recorded.seats["entry"][row][asked],
        **{name: positions["open"][name] for name in VIEW_FIELDS},
        **{name: positions[name] for name in ("hands_once", "hands_twice")},
        **{f"move_{name}": positions["move"][name] for name in MOVE_DTYPE.names or ()},
        "won": (recorded.seats["won"][row] / np.float32(SIXTIETHS))[asked],
        "margin": prestige[asked] - rivals.max(axis=1),
        "prestige_at_end": prestige,
    }
    return {name: np.ascontiguousarray(values) for name, values in columns.items()}


def write_positions(
    match: Match,
    folder: Path,
    games: int,
    *,
    every: int = 1,
    on_games: OnGames = ignore_progress,
) -> int:
    """Play games and write their positions into a new folder, some hundred games to a file.

    Args:
        match: from `prepare_match`.
        folder: the folder, which is made, or must be empty.
        games: how many games, rounded up to whole deals in all seatings.
        every: 7 keeps every seventh question of a deal.
        on_games: called with numbers of games just played.

    Returns:
        The number of positions that were written.

    Raises:
        InvalidGame: a number below 1.
        Failed: the folder has files already, or cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Failed(f"'{folder}' is not empty")
    except OSError as error:
        raise Failed(f"'{folder}' cannot be written to: {error.strerror}") from error
    table = match.tables[0]
    about = {
        "edition": table.rules.edition,
        "rules_id": table.rules.rules_id,
        "players": str(match.players),
        "mode": table.mode,
        "strategies": ",".join(match.line_up.names),
        "seed": str(match.seed),
        "every": str(every),
    }
    played = play_positions(match, deals_for(match, games), every=every)
    at_a_time = max(1, GAMES_A_FILE * every // match.rotations)
    total = 0
    for number, batch in enumerate(iter(lambda: list(itertools.islice(played, at_a_time)), [])):
        parts = [position_columns(recorded) for recorded in batch]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        write_whole(folder / f"positions-{number:05}.parquet", parquet(columns, about))
        total += len(columns["game"])
        on_games(len(parts) * match.rotations)
    return total
