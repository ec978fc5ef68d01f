"""Puzzles: turns whose best move is certain, in games of `champion` that are played again.

A puzzle stores only the place of a turn and its best move in words, so it does not depend on the
weights of `learned`. The package's puzzles are in `puzzles.toml` beside this file, which
`benchmarks/puzzles.py` writes.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ethnos_sim.experiments.matches.explaining import NamedMove, chosen_turn, turns_of
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.simulator.game.records import MOVE_DTYPE, TURN
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.simulator.tables.table import own_record
from ethnos_sim.simulator.utilities.errors import InvalidGame
from ethnos_sim.simulator.utilities.reading import read_toml
from ethnos_sim.strategies.line_up import parse_entry

BUNDLED = Path(__file__).resolve().parent / "puzzles.toml"

#: The strategy that plays the games of puzzles, in all seats.
PLAYED_BY = "champion"

#: The type of a player's code, called with the addresses of view, move and private record.
PLAYER = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A turn whose best move is certain.

    kind          what has to be decided, as in "which region"
    edition, players, seed, game, turn   the place of the turn, in games of `champion`
    best          the best move, in the edition's words
    missed_by     the players that were asked and made another move
    """

    kind: str
    edition: str
    players: int
    seed: int
    game: int
    turn: int
    best: str
    missed_by: Sequence[str]

    @property
    def match(self) -> Match:
        """The match of the puzzle's game."""
        return match_of(self.edition, self.players, self.seed)

    @property
    def position(self) -> Any:
        """The turn's position (POSITION_DTYPE)."""
        return chosen_turn(turns_of(self.match, self.game), self.turn)


@functools.cache
def match_of(edition: str, players: int, seed: int) -> Match:
    """The match that puzzles are taken from."""
    return prepare_match(load_rules(edition), PLAYED_BY, players=players, seed=seed)


@functools.cache
def puzzles() -> tuple[Puzzle, ...]:
    """The puzzles of the package, in the order of their numbers, from 1."""
    return tuple(Puzzle(**entry) for entry in read_toml(BUNDLED, "puzzles")["puzzle"])


def puzzle(number: int) -> Puzzle:
    """A puzzle by its number; InvalidGame where there is none."""
    all_puzzles = puzzles()
    if not 1 <= number <= len(all_puzzles):
        raise InvalidGame(f"there is no puzzle {number}; puzzles are 1 to {len(all_puzzles)}")
    return all_puzzles[number - 1]


def answer(match: Match, position: Any, player: str) -> Any:
    """The move (MOVE_DTYPE) that a strategy makes at a turn, always with the same random stream."""
    table = match.table(int(position["game"]) // match.rotations)
    entry = parse_entry(player, table.players, table.rules)
    private = own_record(entry.seat(), table.slots)
    private["random_state"] = 1
    view, move = np.array([position["open"]]), np.zeros(1, MOVE_DTYPE)
    decide = PLAYER(int(private["addresses"][0, TURN]))
    decide(*(array.ctypes.data for array in (view, move, private)))
    return move[0]


def in_words(match: Match, position: Any, moves: Sequence[Any]) -> list[str]:
    """Moves (MOVE_DTYPE) at a turn, in the edition's words."""
    game = int(position["game"])
    table = match.table(game // match.rotations)
    game_in_words = Game.of(match.trace(game).trace)
    return [NamedMove.of(table, move).in_words(game_in_words) for move in moves]
