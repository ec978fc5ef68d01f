"""`ethnos-sim play`: one game as text that a person who knows Ethnos can follow."""

from __future__ import annotations

import click

from ethnos_sim.commands.game_options import GameOptions, game_options
from ethnos_sim.commands.story import print_story


@click.command("play")
@game_options
@click.option(
    "--game",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which game of this seed; they are those of `match` and `trace` with the same options.",
)
@click.option("--brief", is_flag=True, help="Leave out recruits: parties, dragons and tables only.")
def command(options: GameOptions, game: int, brief: bool) -> None:
    """Play one game and print it as readable text.

    P0, P1, ... are the seats, clockwise. A table at the end of each age shows each player's markers
    and what they won.
    """
    from ethnos_sim.simulator.narration import narrate

    print_story(narrate(options.prepare().trace(game).trace, brief=brief))
