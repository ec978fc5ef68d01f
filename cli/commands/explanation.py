"""Show the moves considered at a turn of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethnos_sim.commands.tables import Cell, Number, print_table, say

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.explaining import Explanation
    from ethnos_sim.simulator.narration.game import Game


def print_explanation(explanation: Explanation, game: Game) -> None:
    """Print the table of an explanation, and the guesses behind it."""
    player = game.names[explanation.player]
    columns = ["", "move", "chance to win", "behind (points)", "± (points)"]
    rows: list[list[Cell]] = []
    for move in explanation.moves:
        mark = "*" if move.played else ""
        behind = f"{100 * move.behind:.1f}" * bool(move.behind or move.error)
        error = f"{100 * move.error:.1f}" * bool(move.error)
        chance = Number(f"{move.chance:.1%}", move.chance)
        rows.append([mark, move.in_words(game), chance, behind, error])
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
