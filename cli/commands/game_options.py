"""The options that say which games to play, shared by `match`, `play` and `trace`.

One declaration holds each option's name, default and help; a command that wears `game_options`
is given them as one frozen `GameOptions`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import Match
    from ethnos_sim.simulator.rules import Rules


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """Which games to play, as given on the command line."""

    edition: str
    players: int | None
    mode: str
    clans: str | None
    strategies: str
    uncompiled: bool
    seed: int
    settings: Sequence[str]
    variants: Sequence[str]
    strategy_files: Sequence[Path]

    def rules(self) -> Rules:
        """The rules asked for; RulesError for wrong names and values."""
        from ethnos_sim.simulator.rules import load_rules

        return load_rules(self.edition, self.variants, self.settings)

    def prepare(self) -> Match:
        """Check everything and compile the strategies; WrongInput says what does not fit."""
        from ethnos_sim.experiments.matches.match import prepare_match
        from ethnos_sim.simulator.modes import SOLO

        rules = self.rules()
        players = self.players
        if players is None:
            players = 1 if self.mode in SOLO else 4
        strategies = self.strategies
        if self.uncompiled:
            strategies = ",".join(f"{name}:uncompiled=yes" for name in strategies.split(","))
        return prepare_match(
            rules,
            strategies,
            players=players,
            mode=self.mode,
            clans=None if self.clans is None else names_in(self.clans),
            seed=self.seed,
        )


def names_in(text: str) -> list[str]:
    """Names as written with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _register(
    context: click.Context, option: click.Parameter, files: Sequence[Path]
) -> Sequence[Path]:
    """Register the strategies of a user's files."""
    if files and not context.resilient_parsing:
        from ethnos_sim.strategies import load_strategy_file

        for path in files:
            load_strategy_file(path)
    return files


def _strategies_from(*, exposed: bool) -> Callable[..., Any]:
    """The option `--strategies-from`, repeatable; the files are loaded before the command runs."""
    return click.option(
        "--strategies-from",
        "strategy_files",
        metavar="FILE.py",
        multiple=True,
        type=click.Path(path_type=Path),
        callback=_register,
        expose_value=exposed,
        help="A Python file with strategies of your own; may be given again.",
    )


strategies_from_option = _strategies_from(exposed=False)
strategy_files_option = _strategies_from(exposed=True)
"""The same for a command that passes the files on, as `strategy_files`."""


class EditionType(click.ParamType[str]):
    """The name or number of a bundled edition, or the file of a user's."""

    name = "edition"

    def convert(
        self, value: str, parameter: click.Parameter | None, context: click.Context | None
    ) -> str:
        """The edition's name, or its file; RulesError where there is none."""
        from ethnos_sim.simulator.rules import EDITIONS, edition_name

        name = edition_name(value)
        return name if name in EDITIONS else value


EDITION = "[first|second|1|2|FILE.toml]"
"""How help shows what `EditionType` takes."""

edition_option = click.option(
    "--edition",
    type=EditionType(),
    metavar=EDITION,
    default="second",
    show_default=True,
    help="The rules of this edition.",
)

jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), help="Threads; all cores unless given."
)

seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Random seed.",
)

variant_option = click.option(
    "--variant",
    "variants",
    metavar="V",
    multiple=True,
    help="A bundled variant's name or a variant file; several combine.",
)
"""The option `--variant`, repeatable, as `variants`."""

set_option = click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Change a rule value, as in bear.on_take=2; may be given again.",
)
"""The option `--set`, repeatable, as `settings`."""

TABLE_OPTIONS = (
    edition_option,
    click.option("--players", type=int, help="2 to 6, 4 unless given; in solo always 1."),
    click.option(
        "--mode",
        default="standard",
        show_default=True,
        help="standard, recruitment, solo-easy, solo-regular or solo-hard.",
    ),
)
"""The options that say at which table: edition, players, mode."""

LUCK_AND_RULES_OPTIONS = (
    seed_option,
    set_option,
    variant_option,
    strategy_files_option,
)
"""The options that say with which luck, rules and strategies of the user's own."""


def take_options(
    function: Callable[..., Any], kind: type[Any], options: Sequence[Callable[..., Any]]
) -> Callable[..., Any]:
    """Give a command some options, in the order in which help lists them, as a frozen `kind`.

    It comes first among the command's arguments, before those of decorators above this one.
    """

    @functools.wraps(function)
    def command(*outer: Any, **given: Any) -> Any:
        own = {field.name: given.pop(field.name) for field in fields(kind)}
        return function(kind(**own), *outer, **given)

    wrapped: Callable[..., Any] = command
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the game options, as its first argument."""
    own = (
        click.option(
            "--strategies",
            metavar="A,B,...",
            default="greedy",
            show_default=True,
            help="A strategy for each seat, as in greedy,specialist:clan=bear; a short list "
            "repeats.",
        ),
        click.option(
            "--clans",
            metavar="A,B,...",
            help="The clans in play, as in bear,Red Panda: 5 with two or three players, else 6. "
            "Without it they vary from deal to deal, by the seed, spread evenly over all clans.",
        ),
        click.option(
            "--uncompiled",
            is_flag=True,
            help="Let Python run the strategies, slowly, to find a fault: every index is checked, "
            "and breakpoint() stops. For one strategy alone: NAME:uncompiled=yes.",
        ),
    )
    return take_options(function, GameOptions, TABLE_OPTIONS + own + LUCK_AND_RULES_OPTIONS)
