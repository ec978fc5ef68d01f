"""Make the page of a puzzle: the table at its question, a seat to answer from, and the solution."""

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
    """A page on which a reader answers a puzzle, and then sees the best move.

    It holds nothing of the game after the puzzle's turn.

    Args:
        puzzle: the puzzle.
        number: its number.
        guesses: guesses at hidden cards behind the chance after each move.

    Raises:
        Failed: the plain compiler is in use, which makes no code for pages.
    """
    trace = puzzle.match.trace(puzzle.game).trace
    before = turn_steps(trace)[puzzle.turn - 1] - 1
    open_trace = trace | {"events": trace["events"][:before]}
    seats = sit_down(open_trace, puzzle.game // puzzle.match.rotations)
    if seats is None:
        raise Failed("a puzzle's page needs an engine for pages, which the plain compiler lacks")
    seats["seats"]["puzzle"] = facts = {
        "number": number,
        **_puzzle_facts(puzzle, Game.of(trace), guesses),
    }
    title = f"Puzzle {number}, {puzzle.kind}: what does P{facts['player']} do?"
    return game_page(open_trace, seats=seats, puzzle=title)


def _puzzle_facts(puzzle: Puzzle, game: Game, guesses: int) -> dict[str, Any]:
    """A puzzle, as `Puzzle` in sitting.js. The solution is packed, so nobody reads it by chance."""
    positions = record_games(puzzle.match, puzzle.game, 1).positions
    views = positions["open"]
    place = np.flatnonzero((views["turns"] == puzzle.turn) & (views["decision"] == TURN))[0]
    player = int(views["player"][place])
    earlier = positions[:place][views["player"][:place] == player]
    imagined = imagine_moves(puzzle.match, positions[place], by=JUDGE, guesses=guesses)
    considered = [(imagined.moves[place], imagined.considered(place)) for place in imagined.order]
    moves = [
        {
            "answer": _answer(move),
            "words": judged.in_words(game),
            **{name: round(getattr(judged, name), 4) for name in ("chance", "behind", "error")},
        }
        for move, judged in considered
    ]
    return {
        "kind": puzzle.kind,
        "player": player,
        "answers": [_answer(move) for move in earlier["move"]],
        "solution": packed_data({"moves": moves, "best": puzzle.best, "missed": puzzle.missed_by}),
    }


def _answer(move: Any) -> dict[str, Any]:
    """Convert a move (MOVE_DTYPE) to the form of the type `Answer` in sitting.js."""
    numbers = {name: int(move[name]) for name in ("kind", "leader", "choice")}
    return numbers | {name: f"{int(move[name]):x}" for name in ("once", "twice")}
