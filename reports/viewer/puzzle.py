"""A puzzle as a page: the table at its question, a seat to answer from, and what is told then."""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.experiments.matches.explaining import JUDGE, imagine_moves
from ethnos_sim.experiments.matches.positions import record_games
from ethnos_sim.experiments.matches.puzzles import Puzzle
from ethnos_sim.reports.rendering.scripts import packed_data
from ethnos_sim.reports.viewer.page import game_page, turn_steps
from ethnos_sim.reports.viewer.seat import sit_down
from ethnos_sim.simulator.game.records import TURN
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.utilities.errors import Failed


def puzzle_page(puzzle: Puzzle, number: int, guesses: int) -> str:
    """One page that lets its reader answer a puzzle, and then tells what is best.

    Nothing of the game after the turn stands in it.

    Args:
        puzzle: the puzzle.
        number: its number.
        guesses: guesses at hidden cards behind the chance after each move.

    Raises:
        Failed: the plain compiler is asked for, which makes no code for pages.
    """
    trace = puzzle.match.trace(puzzle.game).trace
    before = turn_steps(trace)[puzzle.turn - 1] - 1
    asked = trace | {"events": trace["events"][:before]}
    seats = sit_down(asked, puzzle.game // puzzle.match.rotations)
    if seats is None:
        raise Failed("a puzzle's page needs an engine for pages, which the plain compiler lacks")
    seats["seats"]["puzzle"] = told = {"number": number, **_posed(puzzle, Game.of(trace), guesses)}
    title = f"Puzzle {number}, {puzzle.kind}: what does P{told['player']} do?"
    return game_page(asked, seats=seats, puzzle=title)


def _posed(puzzle: Puzzle, game: Game, guesses: int) -> dict[str, Any]:
    """A puzzle as `Puzzle` in sitting.js says it; packed, nobody reads the solution by chance."""
    positions = record_games(puzzle.match, puzzle.game, 1).positions
    asked = positions["open"]
    place = np.flatnonzero((asked["turns"] == puzzle.turn) & (asked["decision"] == TURN))[0]
    player = int(asked["player"][place])
    earlier = positions[:place][asked["player"][:place] == player]
    found = imagine_moves(puzzle.match, positions[place], by=JUDGE, guesses=guesses)
    considered = [(found.moves[each], found.considered(each)) for each in found.order]
    moves = [
        {
            "answer": _answer(move),
            "words": each.told(game),
            **{name: round(getattr(each, name), 4) for name in ("chance", "behind", "error")},
        }
        for move, each in considered
    ]
    return {
        "kind": puzzle.kind,
        "player": player,
        "answers": [_answer(move) for move in earlier["move"]],
        "solution": packed_data({"moves": moves, "best": puzzle.best, "missed": puzzle.missed_by}),
    }


def _answer(move: Any) -> dict[str, Any]:
    """A move (MOVE_DTYPE) as `Answer` in sitting.js says it."""
    numbers = {name: int(move[name]) for name in ("kind", "leader", "choice")}
    return numbers | {name: f"{int(move[name]):x}" for name in ("once", "twice")}
