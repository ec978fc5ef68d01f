"""`ethnos-sim init`: make a folder for a variant, ready for all commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, takes


@dataclass(frozen=True, kw_only=True)
class Options:
    """The changes of the variant."""

    edition: str = option.rules()
    settings: Sequence[str] = option.settings()


@click.command("init", cls=Command)
@click.argument("folder", metavar="FOLDER", type=option.path)
@takes(Options)
def command(options: Options, folder: Path) -> None:
    """Make a folder for a variant of your own.

    FOLDER gets variant.toml (the changed rules), spec.toml (the games to play), README.md (the
    commands to run, also the one that records a baseline), a workflow that checks the baseline on
    GitHub, and the files of custom powers. Without --set the variant is an example: one changed
    value, a new clan with an existing power, and a new clan with a power written in Python. Nothing
    is overwritten.
    """
    from ethnos_sim.experiments.variant_folder import make_variant_folder
    from ethnos_sim.simulator.rules import RuleSet

    rules = RuleSet.parse(options.edition, values=options.settings)
    for path in make_variant_folder(folder, rules):
        click.echo(path)
    click.echo(f"{folder / 'README.md'} tells which commands to run next.")
