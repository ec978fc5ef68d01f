"""`ethnos-sim positions`: positions, moves and outcomes as Parquet, to learn from."""

from __future__ import annotations

from pathlib import Path

import click

from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import GameOptions, game_options


@click.command("positions")
@game_options
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games."
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Keep each so many-th question; positions of one game are much alike.",
)
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    required=True,
    type=OutputPath(folder=True),
    help="A new folder for the files.",
)
def command(options: GameOptions, games: int, every: int, folder: Path) -> None:
    """Play games and write every position, its move and the game's outcome as Parquet.

    The documentation's page on positions says what each column means. The games are those of
    `match` with the same options.
    """
    from ethnos_sim.experiments.execution.progress import shown_progress
    from ethnos_sim.experiments.matches.match import deals_for
    from ethnos_sim.experiments.matches.positions import write_positions

    match = options.prepare()
    total = deals_for(match, games) * match.rotations
    with shown_progress(f"Playing {total:,} games", total, 0, quiet=False) as on_games:
        written = write_positions(match, folder, games, every=every, on_games=on_games)
    click.echo(f"{written:,} positions of {total:,} games in {folder}.")
