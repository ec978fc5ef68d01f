"""Record the positions of a game: questions with the player's view, all hands and the answer."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.simulator.game.records import (
    GAME_DTYPE,
    POSITION_DTYPE,
    POSITION_LOG_DTYPE,
    SEAT_DTYPE,
)
from ethnos_sim.simulator.stepping.person import PERSON_PREFIX, person_name
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import InvalidGame

#: The most questions that can be recorded of a game; games of random players have about 600.
MOST_QUESTIONS = 4_000


def record_positions(match: Match, game: int) -> np.ndarray:
    """Play a game and return its positions in order (shape (questions,), POSITION_DTYPE).

    Args:
        match: from `prepare_match`.
        game: the game's number, as in `play_match` and in traces.

    Raises:
        InvalidGame: the game has more than MOST_QUESTIONS.
        IllegalMove, NoAnswer: as for `play_batch`.
    """
    room, log = np.zeros(MOST_QUESTIONS + 1, POSITION_DTYPE), np.zeros(1, POSITION_LOG_DTYPE)
    log["address"], log["room"] = room.ctypes.data, room.size
    prepared = PreparedTables([match.table(game // match.rotations)])
    played, seats = np.zeros(1, GAME_DTYPE), np.zeros(match.sides, SEAT_DTYPE)
    prepared.play_into(prepared.game_row(game, match.seed, 1), played, seats, positions=log)
    used = int(log["used"][0])
    if used == room.size:
        raise InvalidGame(f"game {game} has more than {MOST_QUESTIONS:,} questions")
    return room[:used].copy()


def answers_by_seat(match: Match, game: int) -> list[str]:
    """The answers of each seat in a game, as text in the form that `person_name` writes."""
    positions = record_positions(match, game)
    players = positions["open"]["player"]
    return [
        person_name(positions["move"][players == seat]).removeprefix(PERSON_PREFIX)
        for seat in range(match.players)
    ]
