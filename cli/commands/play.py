"""`ethnos-sim play`: show games as text, as a page to watch, or as traces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.explanation import print_explanation
from ethnos_sim.commands.games import ChosenGame, choose_game
from ethnos_sim.commands.option import writable
from ethnos_sim.commands.options import Command, GameOptions, takes, words_of
from ethnos_sim.commands.tables import say

if TYPE_CHECKING:
    from rich.text import Text

    from ethnos_sim.simulator import TracedGame
    from ethnos_sim.simulator.narration import Line

PAGE, TRACES, TEXT = ".html", ".jsonl", ".txt"
"""The ending of an output file's name, for each kind."""

WAYS = {
    "a page": "guesses out",
    "traces": "games out",
    "an explanation": "explain guesses",
    "the story": "out",
}
"""The ways to tell a game, each with the options that belong to it."""

EXAMPLES = """\b
Four ways to tell a game:
  play --seed 7                         its story
  play --explain 12                     the moves that turn 12 had
  play --out game.html                  a page to watch, with a seat for you
  play --games 100 --out games.jsonl    traces
"""

LEAST_GUESSES = 4
"""Half of the guesses choose a move, half measure its cost; an error needs two in each half."""

#: Terminal styles of lines, by kind of line. COLOR_STYLES has the styles of colors' names.
KIND_STYLES = {
    "title": "bold",
    "heading": "bold",
    "party": "bold",
    "dragon": "bold reverse",
    "result": "bold",
}
COLOR_STYLES = {
    "white": "bright_white",
    "black": "bright_black",
    "grey": "grey62",
    "red": "red",
    "green": "green",
    "blue": "dodger_blue1",
    "yellow": "yellow",
    "orange": "dark_orange",
    "purple": "medium_purple1",
}


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


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """The game, and how to show it."""

    game: str | None = option.text(
        "--game",
        "GAME",
        "The game to show: its number, or CELL:GAME as in the tables of a sweep's folder. "
        "[default: the first]",
    )
    games: int = option.games(1, "Only traces (--out .jsonl) take more than one.")
    out: Path | None = option.given(
        "--out",
        metavar="FILE",
        type=game_output,
        help="Write in place of printing: a page to watch (.html), traces (.jsonl) or text (.txt).",
    )
    explain: int | None = option.number(
        "--explain",
        "Show the moves considered at this turn, with the chance to win.",
        least=1,
    )
    guesses: int = option.given(
        "--guesses",
        default=100,
        metavar="N",
        type=click.IntRange(0, 10_000),
        callback=_check_guesses,
        help="Guesses at the hidden cards behind each chance to win; 0 for a page without chances.",
    )


@click.command("play", cls=Command, epilog=EXAMPLES)
@click.argument("source", metavar="[DIR|FILE.jsonl]", required=False, type=option.path)
@takes(Options)
def command(options: Options, source: Path | None) -> None:
    """Play a game and tell it as text, or write it as a page to watch or a trace.

    Without DIR or FILE.jsonl a new game is played, the same as `match` plays. A game of DIR, a
    sweep's folder, is played again; the exit code is 1 if it differs from the stored one. A game
    of FILE.jsonl is read from a file of traces.

    P0, P1, ... are the seats, clockwise. A table at the end of each age shows each player's markers
    and what they won.
    """
    way = _way_to_show(options)
    if options.games > 1:
        if source is not None or options.game is not None:
            raise click.UsageError("several games are new games; leave out the file or --game")
        _write_lines(options.out, map(_as_json, options.prepare().traces(options.games)))
        return
    game = choose_game(options, source, options.game)
    if options.out is not None and way == "a page":
        _write_page(options.out, options, game)
    elif options.explain is not None and way == "an explanation":
        _explain(options, game, options.explain)
    elif way == "traces":
        _write_lines(options.out, [_as_json(game)])
    else:
        _show_story(options, game)


def _way_to_show(options: Options) -> str:
    """The way to tell the game; UsageError for an option of another way."""
    kind = TEXT if options.out is None else options.out.suffix.lower()
    if kind == PAGE:
        way = "a page"
    elif kind == TRACES:
        way = "traces"
    elif options.explain is not None:
        way = "an explanation"
    else:
        way = "the story"
    allowed = WAYS[way].split()
    for name in dict.fromkeys(" ".join(WAYS.values()).split()):
        for word in words_of(options, name)[: name not in allowed]:
            fitting = [other for other, names in WAYS.items() if name in names.split()]
            raise click.UsageError(f"{word} is for {' and '.join(fitting)}, not for {way}")
    return way


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


def _write_page(page: Path, options: Options, game: ChosenGame) -> None:
    """Judge a game's turns and write its page, with a seat for a person; print its path."""
    from joblib import cpu_count

    from ethnos_sim.experiments.matches.explaining import chances_of_turns
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.viewer.page import game_page
    from ethnos_sim.reports.viewer.seat import sit_down

    chances, guesses = [], options.guesses
    if guesses:
        jobs = int(cpu_count())
        chances = chances_of_turns(game.match, game.number, guesses=guesses, jobs=jobs)
    seats = sit_down(game.trace, game.number // game.match.rotations)
    write_output(page, game_page(game.trace, chances, guesses, seats).encode())
    click.echo(page)


def _explain(options: Options, game: ChosenGame, turn: int) -> None:
    from ethnos_sim.experiments.matches.explaining import explain

    if not options.guesses:
        raise click.UsageError("--guesses 0 is for a page; an explanation needs some")
    explanation = explain(game.match, game.number, turn, guesses=options.guesses)
    print_explanation(explanation, game.described)


def _show_story(options: Options, game: ChosenGame) -> None:
    from ethnos_sim.simulator.narration import narrate

    lines = narrate(game.trace)
    if options.out is None:
        print_story(lines)
    else:
        _write_lines(options.out, (line.text for line in lines))


def print_story(lines: Iterable[Line]) -> None:
    """Print the lines of a narration, with colors at a terminal."""
    if not sys.stdout.isatty():
        for line in lines:
            say(line.text)
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(styled(line))


def styled(line: Line) -> Text:
    """Style a line by its kind, and each card or region in its color."""
    from rich.text import Text

    text = Text(line.text, style=KIND_STYLES.get(line.kind, ""))
    for color, style in COLOR_STYLES.items():
        # The clan "red panda" is not a red card.
        text.highlight_regex(rf"(?i)\b{color}\b(?! panda)", style)
    return text
