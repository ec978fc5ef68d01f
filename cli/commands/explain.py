"""`ethnos-sim strategies explain`: the moves considered at a turn, with values and chances."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.game_options import GameOptions, game_options
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.explaining import ConsideredMove, Explanation
    from ethnos_sim.simulator.narration.phrases import Phrases

guesses_option = click.option(
    "--guesses",
    type=click.IntRange(2, 10_000),
    default=200,
    show_default=True,
    help="Guesses at the hidden cards for chances to win that are not exact.",
)


@click.command("explain")
@game_options
@click.option("--game", type=click.IntRange(min=0), help="Which game of the seed, or of the file.")
@click.option("--turn", type=click.IntRange(min=1), required=True, help="As `play` counts turns.")
@click.option(
    "--trace",
    "trace_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A file of traces whose game to take, in place of the options that make one.",
)
@click.option("--by", metavar="NAME", help="The strategy to ask; that of the player unless given.")
@guesses_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def explain(
    options: GameOptions,
    game: int | None,
    turn: int,
    trace_file: Path | None,
    by: str | None,
    guesses: int,
    as_json: bool,
) -> None:
    """Show the moves considered at a turn: what each is worth, and the chance to win after it.

    The game is that of `play` with the same options, or one of a file that `trace` wrote. A
    strategy tells its own values where it has any; chances that it does not tell come from imagined
    games in which it plays on. Of parties, a leader's whole groups are shown.
    """
    from ethnos_sim.experiments.matches import explaining
    from ethnos_sim.simulator.narration.board import Game
    from ethnos_sim.simulator.narration.phrases import Phrases

    if trace_file is None:
        match, number = options.prepare(), game or 0
    else:
        trace = _read_trace(trace_file, game)
        match, number = explaining.traced_match(trace), int(trace["game"])
    found = explaining.explain(match, number, turn, by=by, guesses=guesses)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
        return
    phrases = Phrases(Game.of(match.trace(number).trace))
    print_explanation(found, phrases, match.tables[0].rules.words)


def _read_trace(path: Path, game: int | None) -> dict[str, Any]:
    """The trace of a game in a file, the first one unless a number is given."""
    from ethnos_sim.simulator.errors import InvalidGame, WrongInput
    from ethnos_sim.simulator.reading import read_file

    try:
        for line in read_file(path).decode().splitlines():
            trace = json.loads(line)
            if not isinstance(trace, dict) or "game" not in trace:
                raise InvalidGame(f"'{path}' has a line that is no trace of a game")
            if game is None or trace["game"] == game:
                return trace
    except OSError as error:
        raise WrongInput(f"'{path}' cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidGame(f"'{path}' is no file of traces ({error})") from error
    raise InvalidGame(f"'{path}' has no game{'' if game is None else f' {game}'}")


def chance_text(move: ConsideredMove) -> str:
    """How far a move is behind the best one."""
    if move.behind == 0 and move.error == 0:
        return ""
    error = f" ± {100 * move.error:.1f}" if move.error else ""
    return f"{100 * move.behind:.1f}{error}"


def print_explanation(found: Explanation, phrases: Phrases, words: Any) -> None:
    """The table that a reader sees, and what it rests on."""
    player = phrases.players[found.player]
    own = any(move.worth is not None for move in found.moves)
    columns = ["", "move", *(["worth"] if own else []), "chance to win", "behind (points)"]
    rows = []
    for move in found.moves:
        worth = ["" if move.worth is None else f"{move.worth:.2f}"] if own else []
        made = "*" if move.played else ""
        text = move.told(phrases, words.party)
        rows.append([made, text, *worth, f"{move.chance:.1%}", chance_text(move)])
    title = f"Game {found.game}, {words.age} {found.age}, turn {found.turn}: {player}"
    print_table(title, columns, rows)
    click.echo(f"In hand: {phrases.cards(found.hand) or 'nothing'}. * is the move that was made.")
    if found.imagined:
        click.echo(
            f"Chances are from {found.guesses} guesses at the hidden cards, the same for all "
            f"moves, with {found.strategy} playing on in every seat; ± is 95 %."
        )
    elif found.guesses > 1:
        click.echo(
            f"{found.strategy} tells its chances on {found.guesses} guesses at the hidden cards, "
            "the same for all moves; ± is 95 %."
        )
    else:
        click.echo(f"{found.strategy} tells its chances itself.")
