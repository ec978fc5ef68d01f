"""`ethnos-sim play`: show games as text, as a page to watch, or as traces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.command import Command, typed_options
from ethnos_sim.commands.explanation import print_explanation
from ethnos_sim.commands.games import ChosenGame, choose_game
from ethnos_sim.commands.options import (
    VARYING_CLANS,
    TableOptions,
    Whole,
    clans_option,
    games_option,
    path,
    strategies_option,
    table_options,
    writable,
)
from ethnos_sim.commands.tables import say

if TYPE_CHECKING:
    from ethnos_sim.simulator import TracedGame

PAGE, TRACES, TEXT = ".html", ".jsonl", ".txt"
"""The ending of an output file's name, for each kind."""

STORY, EXPLANATION = "the story", "an explanation"
WAYS = {
    PAGE: ("a page", "guesses out"),
    TRACES: ("traces", "games out"),
    EXPLANATION: (EXPLANATION, "explain guesses"),
    STORY: (STORY, "out"),
}
"""The ways to tell a game, each with its name and the options that belong to it alone."""

EXAMPLES = """\b
Four ways to tell a game:
  play --seed 7                         its story
  play --explain 12                     the moves that turn 12 had
  play --out game.html                  a page to watch, with a seat for you
  play --games 100 --out games.jsonl    traces
"""

LEAST_GUESSES = 4
"""Half of the guesses choose a move, half measure its cost; an error needs two in each half."""


def game_output(text: str) -> Path:
    """Read the path that games are written to; its ending names the format."""
    if Path(text).suffix.lower() not in (PAGE, TRACES, TEXT):
        raise click.BadParameter(f"'{text}' does not end in .html, .jsonl or .txt")
    return writable(text)


def _check_guesses(context: click.Context, option: click.Parameter, guesses: int) -> int:
    """Accept 0 guesses, or enough for a standard error; BadParameter for other numbers."""
    if 0 < guesses < LEAST_GUESSES:
        raise click.BadParameter(f"takes 0, or {LEAST_GUESSES} and more", context, option)
    return guesses


@click.command("play", cls=Command, epilog=EXAMPLES)
@click.argument("source", metavar="[DIR|FILE.jsonl]", required=False, type=path)
@click.option(
    "--game",
    metavar="GAME",
    help="The game to show: its number, or CELL:GAME as in the tables of a sweep's folder.  "
    "[default: the first]",
)
@games_option(1, "Only traces (--out .jsonl) take more than one.")
@click.option(
    "--out",
    metavar="FILE",
    type=game_output,
    help="Write in place of printing: a page to watch (.html), traces (.jsonl) or text (.txt).",
)
@click.option(
    "--explain",
    metavar="TURN",
    type=Whole(1),
    help="Show the moves considered at a turn, with the chance to win after each.",
)
@click.option(
    "--guesses",
    metavar="N",
    type=Whole(most=10_000),
    default=100,
    show_default=True,
    callback=_check_guesses,
    help="Guesses at the hidden cards behind each chance to win; 0 for a page without chances.",
)
@strategies_option
@clans_option(VARYING_CLANS)
@table_options
def command(
    table: TableOptions,
    source: Path | None,
    game: str | None,
    games: int,
    out: Path | None,
    explain: int | None,
    guesses: int,
    strategies: str,
    clans: list[str] | None,
) -> None:
    """Play a game and tell it as text, or write it as a page to watch or a trace.

    Without DIR or FILE.jsonl a new game is played, the same as `match` plays. A game of DIR, a
    sweep's folder, is played again; the exit code is 1 if it differs from the stored one. A game
    of FILE.jsonl is read from a file of traces.

    P0, P1, ... are the seats, clockwise. A table at the end of each age shows each player's markers
    and what they won.
    """
    ending = STORY if out is None else out.suffix.lower()
    way = EXPLANATION if ending == STORY and explain is not None else ending
    _refuse_options_of_other_ways(STORY if way == TEXT else way)
    if games > 1:
        if source is not None or game is not None:
            raise click.UsageError("several games are new games; leave out the file or --game")
        _write_lines(out, map(_as_json, table.match(strategies, clans).traces(games)))
        return
    chosen = choose_game(source, game, lambda: table.match(strategies, clans))
    if out is not None and way == PAGE:
        _write_page(out, chosen, guesses)
    elif explain is not None:
        _explain(chosen, explain, guesses)
    elif way == TRACES:
        _write_lines(out, [_as_json(chosen)])
    else:
        _tell_story(out, chosen)


def _refuse_options_of_other_ways(way: str) -> None:
    """Raise UsageError for an option that would have no effect."""
    name, allowed = WAYS[way]
    for option in ("guesses", "out", "games", "explain"):
        if option not in allowed.split() and (typed := typed_options(option)):
            fitting = [other for other, options in WAYS.values() if option in options.split()]
            raise click.UsageError(f"{typed[0]} is for {' and '.join(fitting)}, not for {name}")


def _as_json(game: ChosenGame | TracedGame) -> str:
    """The trace of a game on one line."""
    return json.dumps(game.trace, separators=(",", ":"))


def _write_lines(out: Path | None, lines: Iterable[str]) -> None:
    from ethnos_sim.experiments.storage.files import write_output

    ended = (f"{line}\n" for line in lines)
    if out is None:
        sys.stdout.writelines(ended)
    else:
        write_output(out, (line.encode() for line in ended))


def _write_page(page: Path, game: ChosenGame, guesses: int) -> None:
    """Judge a game's turns and write its page, with a seat for a person; print its path."""
    from ethnos_sim.experiments.matches.explaining import chances_of_turns
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.viewer.page import game_page
    from ethnos_sim.reports.viewer.seat import sit_down
    from ethnos_sim.simulator.utilities.processes import allowed_processes

    chances = []
    if guesses:
        jobs = allowed_processes()
        chances = chances_of_turns(game.match, game.number, guesses=guesses, jobs=jobs)
    seats = sit_down(game.trace, game.number // game.match.rotations)
    write_output(page, game_page(game.trace, chances, guesses, seats).encode())
    click.echo(page)


def _explain(game: ChosenGame, turn: int, guesses: int) -> None:
    from ethnos_sim.experiments.matches.explaining import explain

    if not guesses:
        raise click.UsageError("--guesses 0 is for a page; an explanation needs some")
    print_explanation(explain(game.match, game.number, turn, guesses=guesses), game.described)


def _tell_story(out: Path | None, game: ChosenGame) -> None:
    from ethnos_sim.simulator.narration import narrate

    lines = (line.text for line in narrate(game.trace))
    if out is not None:
        _write_lines(out, lines)
        return
    for line in lines:
        say(line)
