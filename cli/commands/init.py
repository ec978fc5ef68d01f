"""`ethnos-sim init`: a folder for a variant of one's own, that all commands work with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ethnos_sim.commands.game_options import edition_option


@click.command("init")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@edition_option
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="What the variant changes, as in bear.on_take=3; may be given again.",
)
def command(folder: Path, edition: str, settings: Sequence[str]) -> None:
    """Make a folder for a variant of your own.

    FOLDER gets variant.toml (what the variant changes), spec.toml (what is played), README.md
    (which commands to run, with the one that makes a baseline to guard), a workflow that guards it
    on GitHub, and the files of powers of your own. Without --set the variant is an example: one
    changed value, one clan more with a power that is there already, and one with a power written in
    Python. Nothing is overwritten.
    """
    from ethnos_sim.experiments.variant_folder import make_variant_folder

    for path in make_variant_folder(folder, edition, settings):
        click.echo(path)
    click.echo(f"{folder / 'README.md'} tells which commands to run next.")
