"""Record the positions of a game: every question, what its player saw, all hands, the answer."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.simulator.game.records import (
    GAME_DTYPE,
    POSITION_DTYPE,
    POSITION_LOG_DTYPE,
    SEAT_DTYPE,
)
from ethnos_sim.simulator.stepping.person import BY_ANSWERS, person_name
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import InvalidGame

#: The most questions of a game that can be recorded; games of random players have about 600.
QUESTIONS = 4_000


def record_game(match: Match, game: int) -> np.ndarray:
    """Play a game and return its positions in order (shape (questions,), POSITION_DTYPE).

    Args:
        match: from `prepare_match`.
        game: the game's number, as in `play_match` and in traces.

    Raises:
        InvalidGame: it has too many questions.
        IllegalMove, NoAnswer: as for `play_batch`.
    """
    room, log = np.zeros(QUESTIONS + 1, POSITION_DTYPE), np.zeros(1, POSITION_LOG_DTYPE)
    log["address"], log["room"] = room.ctypes.data, room.size
    prepared = PreparedTables([match.table(game // match.rotations)])
    played, seats = np.zeros(1, GAME_DTYPE), np.zeros(match.sides, SEAT_DTYPE)
    prepared.play_into(prepared.game_row(game, match.seed, 1), played, seats, positions=log)
    used = int(log["used"][0])
    if used == room.size:
        raise InvalidGame(f"game {game} has more than {QUESTIONS:,} questions")
    return room[:used].copy()


def answers_by_seat(match: Match, game: int) -> list[str]:
    """The answers of each seat in a game, as in the name of a person (`person_name`)."""
    positions = record_game(match, game)
    players = positions["open"]["player"]
    return [
        person_name(positions["move"][players == seat]).removeprefix(BY_ANSWERS)
        for seat in range(match.players)
    ]
