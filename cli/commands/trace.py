"""`ethnos-sim trace`: whole games as JSON Lines, every event of them (docs/trace.md)."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import click

from ethnos_sim.commands.files import OutputPath, written_whole
from ethnos_sim.commands.game_options import GameOptions, game_options
from ethnos_sim.commands.watching import Watching, watching_options


@click.command("trace")
@game_options
@watching_options
@click.option(
    "--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games."
)
@click.option(
    "--out",
    metavar="FILE",
    type=OutputPath(),
    help="Where to write; standard output unless given.",
)
def command(watching: Watching, options: GameOptions, games: int, out: Path | None) -> None:
    """Play games and print every event as JSON Lines, one game a line.

    The documentation's page on traces says what each key means. The games are those of `match`
    and `play` with the same options. With --html the first of them becomes a page to watch.
    """
    match = options.prepare()
    if watching.wanted:
        watching.write(match, 0, match.trace(0).trace)
        if out is None:
            return
    target = contextlib.nullcontext(sys.stdout) if out is None else written_whole(out)
    with target as file:
        for traced in match.traces(games):
            file.write(json.dumps(traced.trace, separators=(",", ":")) + "\n")
