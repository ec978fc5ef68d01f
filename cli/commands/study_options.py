"""The options shared by `strategies rate` and `strategies tune`: at which table, and by which seed.

What a study finds is kept as data, together with the command that finds it again.
"""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.game_options import strategy_files_option

if TYPE_CHECKING:
    from ethnos_sim.simulator.rules import Rules


@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """Where a study plays, as given on the command line."""

    edition: str
    players: int | None
    mode: str
    seed: int
    settings: Sequence[str]
    variant: str | None
    strategy_files: Sequence[Path]

    @property
    def seats(self) -> int:
        """Players at a table: as asked for, or 1 in solo and 4 elsewhere."""
        if self.players is not None:
            return self.players
        return 1 if self.mode.startswith("solo") else 4

    def rules(self) -> Rules:
        """The rules asked for, with the user's strategies registered; WrongInput otherwise."""
        from ethnos_sim.simulator.rules import load_rules
        from ethnos_sim.strategies import load_strategy_file

        for path in self.strategy_files:
            load_strategy_file(path)
        return load_rules(self.edition, self.variant, self.settings)

    def command(self, name: str, *words: str) -> str:
        """The command line that does the same again: its name, its own words, these options."""
        own = ["--edition", self.edition, "--players", str(self.seats), "--seed", str(self.seed)]
        if self.mode != "standard":
            own += ["--mode", self.mode]
        if self.variant is not None:
            own += ["--variant", self.variant]
        for setting in self.settings:
            own += ["--set", setting]
        for path in self.strategy_files:
            own += ["--strategies-from", str(path)]
        return shlex.join(["ethnos-sim", "strategies", name, *words, *own])


def study_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the study options, as its first argument."""

    @functools.wraps(function)
    def command(**given: Any) -> Any:
        own = {field.name: given.pop(field.name) for field in fields(StudyOptions)}
        return function(StudyOptions(**own), **given)

    options = (
        click.option("--edition", default="second", show_default=True, help="first or second."),
        click.option("--players", type=int, help="2 to 6, 4 unless given; in solo always 1."),
        click.option(
            "--mode",
            default="standard",
            show_default=True,
            help="standard, recruitment, solo-easy, solo-regular or solo-hard.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="Decides all luck.",
        ),
        click.option(
            "--set",
            "settings",
            metavar="NAME=VALUE",
            multiple=True,
            help="Change a rule value, as in bear.on_take=2; may be given again.",
        ),
        click.option("--variant", metavar="V", help="A bundled variant's name or a variant file."),
        strategy_files_option,
    )
    wrapped: Callable[..., Any] = command
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped
