"""`ethnos-sim play`: show games as text, as a page to watch, or as traces."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.games import ChosenGame, choose_game
from ethnos_sim.commands.options import (
    VARYING_CLANS,
    TableOptions,
    clans_option,
    games_option,
    read_path,
    strategies_option,
    table_options,
    typed_options,
    writable_path,
)
from ethnos_sim.commands.tables import print_text

if TYPE_CHECKING:
    from ethnos_sim.simulator import TracedGame

PAGE_SUFFIX, TRACES_SUFFIX = ".html", ".jsonl"
"""The suffixes of output files: a page to watch, and traces."""

EXAMPLES = """\b
Three ways to tell a game:
  play --seed 7                         its story
  play --out game.html                  a page to watch, with a seat for you
  play --games 100 --out games.jsonl    traces
"""


def output_path(text: str) -> Path:
    """Read the path that games are written to; its ending names the format."""
    if Path(text).suffix.lower() not in (PAGE_SUFFIX, TRACES_SUFFIX):
        raise click.BadParameter(f"'{text}' does not end in .html or .jsonl")
    return writable_path(text)


@click.command("play", epilog=EXAMPLES)
@click.argument("source", metavar="[DIR|FILE.jsonl]", required=False, type=read_path)
@click.option(
    "--game",
    metavar="GAME",
    help="The game to show: its number, or CELL:GAME as in the tables of a sweep's folder.  "
    "[default: the first]",
)
@games_option(1, "More than one game needs --out FILE.jsonl.")
@click.option(
    "--out",
    metavar="FILE",
    type=output_path,
    help="Instead of printing, write a page to watch (.html) or traces (.jsonl).",
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
    ending = "" if out is None else out.suffix.lower()
    if ending != TRACES_SUFFIX and typed_options("games"):
        output = "a page" if ending == PAGE_SUFFIX else "the story"
        raise click.UsageError(f"--games is for traces (--out FILE.jsonl), not for {output}")
    if out is not None and games > 1:
        if source is not None or game is not None:
            raise click.UsageError("--games plays new games; leave out --game and the source")
        _write_lines(out, map(_trace_line, table.prepare_match(strategies, clans).traces(games)))
        return
    chosen = choose_game(source, game, lambda: table.prepare_match(strategies, clans))
    if out is None:
        _tell_story(chosen)
    elif ending == PAGE_SUFFIX:
        _write_page(out, chosen)
    else:
        _write_lines(out, [_trace_line(chosen)])


def _trace_line(game: ChosenGame | TracedGame) -> str:
    """The trace of a game on one line."""
    return json.dumps(game.trace, separators=(",", ":"))


def _write_lines(out: Path, lines: Iterable[str]) -> None:
    from ethnos_sim.experiments.storage.files import write_output

    write_output(out, (f"{line}\n".encode() for line in lines))


def _write_page(page: Path, game: ChosenGame) -> None:
    """Write a game's page, with a seat for a person, and print its path."""
    from ethnos_sim.experiments.matches.positions import answers_by_seat
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.viewer.page import game_page
    from ethnos_sim.simulator import trace_game
    from ethnos_sim.simulator.compiler.webassembly import UnportableCode
    from ethnos_sim.simulator.utilities.errors import InvalidGame

    match, number = game.match, game.number
    table = match.table(number // match.rotations)
    again = trace_game(table, seed=match.seed, game=number).trace
    if again["events"] != game.trace["events"]:
        raise InvalidGame("the strategies now play this game differently; `play` prints it as text")
    try:
        text = game_page(game.trace, match.rotations, answers_by_seat(match, number))
    except UnportableCode as error:
        instead = "`play` prints it as text"
        raise InvalidGame(f"no page can play this game ({error}); {instead}") from error
    write_output(page, text.encode())
    click.echo(page)


def _tell_story(game: ChosenGame) -> None:
    from ethnos_sim.simulator.narration import narrate

    for line in narrate(game.trace):
        print_text(line)
