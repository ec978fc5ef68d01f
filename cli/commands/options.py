"""Options of commands. Each is declared once, as a field of a dataclass.

A command with the decorator `takes(Options)` gets a frozen object of this class. `--help` shows the
options that most readers want, `--help-all` rare options too.
"""

from __future__ import annotations

import contextlib
import functools
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands import option

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution.engines import Engine
    from ethnos_sim.experiments.matches.match import Match
    from ethnos_sim.simulator.rules import Rules, RuleSet

_EVERYTHING = "ethnos_sim.help_all"


class Option(click.Option):
    """An option; `--help-all` shows it, and `--help` too unless it is rare."""

    def __init__(self, *args: Any, rare: bool = False, **named: Any) -> None:
        """Take the arguments of `click.Option`, and whether the option is rare."""
        super().__init__(*args, **named)
        self.rare = rare

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option's lines in the help; None to hide it."""
        shown = not self.rare or _EVERYTHING in ctx.meta
        return super().get_help_record(ctx) if shown else None


class Command(click.Command):
    """A command with `--help-all`, which `--help` lists if some options are rare."""

    def __init__(self, *args: Any, hints: Mapping[str, str] | None = None, **named: Any) -> None:
        """Take the arguments of `click.Command`, and hints.

        `hints` has, for each option that readers may look for in vain, what to use instead.
        """
        super().__init__(*args, **named)
        self._hints = hints or {}
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_help_all,
                help="Show every option.",
                hidden=not any(isinstance(param, Option) and param.rare for param in self.params),
            )
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; UsageError for a repeated option (click would take the last value)."""
        try:
            _, words, given = self.make_parser(ctx).parse_args([*args])
        except click.NoSuchOption as error:
            if hint := self._hints.get(error.option_name):
                sentence = f"No such option '{error.option_name}'. {hint}"
                raise click.UsageError(sentence, ctx) from error
            raise
        for param in given:
            single = isinstance(param, Option) and not (param.multiple or param.is_flag)
            if single and given.count(param) > 1:
                raise click.UsageError(f"{param.opts[0]} is given twice; give it once")
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            lists = [param for param in self.params if param.name in ("clans", "strategies")]
            if not words or not lists or any(isinstance(param, click.Argument) for param in given):
                raise
            option = max(lists, key=lambda param: param.required).opts[0]
            line = f"{ctx.command_path} {option} {','.join(words)}"
            raise click.UsageError(f"write names after {option}: `{line}`", ctx) from error


class OrderedGroup(click.Group):
    """A group that lists its commands in the order in which they were added."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in this order."""
        return list(self.commands)


class Group(Command, OrderedGroup):
    """A group of commands that is also a command itself."""


def _help_all(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """Print the help with every option, and exit."""
    if wanted and not context.resilient_parsing:
        context.meta[_EVERYTHING] = True
        click.echo(context.get_help())
        context.exit()


def takes(kind: type[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of a dataclass as its first argument.

    Help shows a class's own options before the options of its base classes.
    """
    depth = {
        name: depth
        for depth, parent in enumerate(reversed(kind.__mro__))
        for name in vars(parent).get("__annotations__", ())
    }
    declared = sorted(fields(kind), key=lambda field: depth[field.name], reverse=True)

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def command(**given: Any) -> Any:
            values = {field.name: given.pop(field.name) for field in declared}
            return function(kind(**values), **given)

        wrapped: Callable[..., Any] = command
        for field in reversed(declared):
            names, attributes = field.metadata["names"], field.metadata["attributes"]
            wrapped = click.option(field.name, *names, cls=Option, **attributes)(wrapped)
        return wrapped

    return decorated


def words_of(options: Any, *names: str) -> list[str]:
    """The options `names` as words of a command line; options with their default are left out."""
    declared = {field.name: field.metadata for field in fields(options)}
    words: list[str] = []
    for name in names:
        (typed, *_), value = declared[name]["names"], getattr(options, name)
        if value is True:
            words.append(typed)
        elif value and value != declared[name]["attributes"].get("default"):
            several = value if isinstance(value, list | tuple) else [value]
            words += [word for item in several for word in (typed, str(item))]
    return words


def typed_options(context: click.Context, *names: str) -> list[str]:
    """The options on the command line, as written there; only those called `names`, if given."""
    return [
        param.opts[0]
        for param in context.command.params
        if param.name in (names or context.params)
        and context.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
    ]


OPTIONS_OF_KEYS = {
    "clan_sets": "--clans",
    "editions": "--edition",
    "line_ups": "--strategies",
    "modes": "--mode",
    "rules": "--set",
}
"""The option behind a key of a spec that a command makes, if their names differ."""


@contextlib.contextmanager
def errors_by_option(source: str) -> Iterator[None]:
    """Name options instead of keys in the errors of a spec that a command makes from them.

    Args:
        source: the name that errors give the spec; errors of other specs stay unchanged.
    """
    from ethnos_sim.simulator.utilities.errors import SpecError, told

    try:
        yield
    except SpecError as error:
        if error.source != source:
            raise
        sentences = []
        for problem in error.problems:
            path, _, sentence = problem.partition(": ")
            key = re.split(r"[.\[]", path)[0]
            option = OPTIONS_OF_KEYS.get(key, f"--{key.replace('_', '-')}")
            sentences.append(f"{option}: {sentence}")
        raise click.UsageError("\n".join(told(list(dict.fromkeys(sentences))))) from error


def names_in(text: str) -> list[str]:
    """Split names at commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


@dataclass(frozen=True, kw_only=True)
class StrategyFiles:
    """The user's strategies."""

    strategy_files: Sequence[Path] = option.strategy_files()


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """The table, the rules and the seed of games."""

    edition: str = option.rules()
    players: int | None = option.given(
        "--players",
        metavar="N",
        type=option.Whole(),
        help="2 to 6, 4 unless given; in solo always 1.",
    )
    mode_asked: str | None = option.text(
        "--mode",
        "MODE",
        "standard, recruitment, solo-easy, solo-regular or solo-hard.  [default: standard]",
    )
    seed: int = option.seed()
    settings: Sequence[str] = option.settings()
    variants: Sequence[str] = option.variants()
    strategy_files: Sequence[Path] = option.strategy_files()

    @functools.cached_property
    def rule_set(self) -> RuleSet:
        """The rules by name: those of --edition, then --variant and --set."""
        from ethnos_sim.simulator.rules import RuleSet

        found = RuleSet.parse(self.edition, self.mode_asked, self.variants, self.settings)
        if self.mode_asked not in (None, found.mode):
            raise click.UsageError(f"the rules name the mode {found.mode}, not {self.mode_asked}")
        return found

    @property
    def mode(self) -> str:
        """The mode that is played."""
        return self.rule_set.mode

    @property
    def seats(self) -> int:
        """The number of players, as given or as usual."""
        from ethnos_sim.simulator.tables.modes import usual_players

        return usual_players(self.mode) if self.players is None else self.players

    def rules(self) -> Rules:
        """Load the rules; WrongInput for wrong options."""
        return self.rule_set.rules()

    def command(self, name: str, *words: str) -> str:
        """The command line that repeats this command: `name`, `words` and these options."""
        table = ["--edition", self.edition, "--players", str(self.seats), "--seed", str(self.seed)]
        table += words_of(self, "mode_asked", "variants", "settings", "strategy_files")
        return shlex.join(["ethnos-sim", "strategies", name, *words, *table])


@dataclass(frozen=True, kw_only=True)
class GameOptions(TableOptions):
    """The table, the strategies and the clans of games."""

    strategies: str = option.strategies()
    clans: str | None = option.text(
        "--clans",
        "A,B,...",
        "The clans in play, as in bear,Red Panda: 5 with two or three players, else 6. Unless "
        "given they vary from deal to deal, spread evenly over all clans.",
    )

    def prepare(self) -> Match:
        """Check the options and compile the strategies; WrongInput for wrong options."""
        from ethnos_sim.experiments.matches.match import prepare_match

        return prepare_match(
            self.rules(),
            self.strategies,
            players=self.seats,
            mode=self.mode,
            clans=None if self.clans is None else names_in(self.clans),
            seed=self.seed,
        )


@dataclass(frozen=True, kw_only=True)
class EngineOptions(StrategyFiles):
    """The engine that plays, and the user's strategies."""

    jobs: int = option.jobs("Threads; all cores unless given.")
    scheduler: str | None = option.text(
        "--scheduler",
        "ADDR",
        "Play on the workers of this dask scheduler, as in tcp://HOST:PORT.",
        rare=True,
    )

    def playing(self) -> Engine:
        """The engine: the workers of the scheduler, or threads of this machine."""
        if self.scheduler is not None:
            from ethnos_sim.experiments.execution.cluster import Cluster, check_address

            return Cluster(check_address(self.scheduler), self.strategy_files)
        from ethnos_sim.experiments.execution.engines import Threads

        return Threads(self.jobs)
