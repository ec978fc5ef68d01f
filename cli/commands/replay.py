"""`ethnos-sim replay`: any game of a sweep again, checked against what the sweep stored."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ethnos_sim.commands.game_options import strategies_from_option
from ethnos_sim.commands.story import print_story
from ethnos_sim.commands.watching import Watching, watching_options


@click.command("replay")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("name", metavar="GAME")
@strategies_from_option
@watching_options
@click.option("--brief", is_flag=True, help="Leave out recruits: parties, dragons and tables only.")
@click.option("--json", "as_json", is_flag=True, help="Print the trace object, as `trace` does.")
def command(
    watching: Watching,
    folder: Path,
    name: str,
    brief: bool,
    as_json: bool,
) -> None:
    """Play any game of a sweep again and print it as readable text, or as a page to watch.

    GAME is CELL:GAME, the numbers that stand in the columns cell and game of the sweep's tables; a
    number alone is a game of cell 0. The game must come out as it is stored, else the exit code
    is 1.
    """
    from ethnos_sim.experiments.matches.replay import cell_match, find_game, replay_game
    from ethnos_sim.experiments.storage.results import open_results
    from ethnos_sim.simulator.narration import narrate

    results = open_results(folder)
    cell, game = find_game(results, name)
    traced = replay_game(results, cell, game)
    if watching.wanted:
        watching.write(cell_match(results.plan, cell), game, traced.trace)
        return
    if as_json:
        click.echo(json.dumps(traced.trace, separators=(",", ":")))
        return
    click.echo(f"Cell {cell.number} of {folder}, as stored.", err=True)
    print_story(narrate(traced.trace, brief=brief))
