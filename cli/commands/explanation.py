"""Show the moves considered at a turn: as a table, or as remarks between the lines of a story."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.tables import Cell, Number, print_table, say

if TYPE_CHECKING:
    from ethnos_sim.commands.games import ChosenGame
    from ethnos_sim.experiments.matches.explaining import Explanation
    from ethnos_sim.simulator.narration import Line
    from ethnos_sim.simulator.narration.game import Game

#: The number of moves in a remark.
SHOWN = 4

INDENT = 8


def remarks_on(game: ChosenGame, seat: int, guesses: int) -> Callable[[int], list[Line]]:
    """A function that takes a turn's number and returns a remark: the best moves of a seat."""
    from ethnos_sim.experiments.matches.explaining import explain_position, turns_of
    from ethnos_sim.simulator.narration.lines import details

    if seat >= game.match.players:
        raise click.UsageError(f"there is no seat P{seat} at a table of {game.match.players}")
    turns = turns_of(game.match, game.number)
    positions = {int(position["open"]["turns"]): position for position in turns}

    def remarks(turn: int) -> list[Line]:
        position = positions.get(turn)
        if position is None or position["open"]["player"] != seat:
            return []
        moves = explain_position(game.match, position, guesses=guesses).moves
        shown = [move for i, move in enumerate(moves) if i < SHOWN or move.played]
        parts = [
            f"{'* ' if move.played else ''}{move.in_words(game.described)} {move.chance:.1%}"
            for move in shown
        ]
        parts[0] = f"chances to win: {parts[0]}"
        return details(parts, INDENT)

    return remarks


def print_explanation(explanation: Explanation, game: Game) -> None:
    """Print the table of an explanation, and the guesses behind it."""
    player = game.names[explanation.player]
    has_worth = any(move.worth is not None for move in explanation.moves)
    worth_column = ["worth"] if has_worth else []
    columns = ["", "move", *worth_column, "chance to win", "behind (points)", "± (points)"]
    rows: list[list[Cell]] = []
    for move in explanation.moves:
        worth = ["" if move.worth is None else f"{move.worth:.2f}"] if has_worth else []
        mark = "*" if move.played else ""
        behind = f"{100 * move.behind:.1f}" * bool(move.behind or move.error)
        error = f"{100 * move.error:.1f}" * bool(move.error)
        chance = Number(f"{move.chance:.1%}", move.chance)
        rows.append([mark, move.in_words(game), *worth, chance, behind, error])
    age = f"{game.rules.words.age} {explanation.age}"
    title = f"Game {explanation.game}, {age}, turn {explanation.turn}: {player}"
    print_table(title, columns, rows)
    say(f"In hand: {game.cards(explanation.hand) or 'nothing'}. * is the move that was made.")
    if explanation.imagined:
        say(
            f"Chances are from {explanation.guesses} guesses at the hidden cards, the same for all "
            f"moves, with {explanation.strategy} playing on in every seat; ± is 95 %."
        )
    elif explanation.guesses > 1:
        say(
            f"Chances are computed by {explanation.strategy} from {explanation.guesses} guesses "
            "at the hidden cards, the same for all moves; ± is 95 %."
        )
    else:
        say(f"Chances are computed by {explanation.strategy}.")
