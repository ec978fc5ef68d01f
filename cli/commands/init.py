"""`ethnos-sim init`: make a folder for a variant, ready for all commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.options import read_path, rules_option

if TYPE_CHECKING:
    from ethnos_sim.simulator.rules import RuleSet


@click.command("init")
@click.argument("folder", metavar="FOLDER", type=read_path)
@rules_option
def command(folder: Path, rule_set: RuleSet) -> None:
    """Make a folder for a variant of your own.

    FOLDER gets variant.toml (the changed rules), spec.toml (the games to play), README.md (the
    commands to run, also the one that records a baseline), a workflow that checks the baseline on
    GitHub, and the files of custom powers. Unless --edition changes something, the variant is
    an example: one changed value, a new clan with an existing power, and a new clan with a power
    written in Python. Nothing is overwritten.
    """
    from ethnos_sim.experiments.variant_folder import make_variant_folder

    for file in make_variant_folder(folder, rule_set):
        click.echo(file)
    click.echo(f"{folder / 'README.md'} tells which commands to run next.")
