"""Declare options as fields of a dataclass, with names, default and help.

First come functions for kinds of options, then options that several commands share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import click

from ethnos_sim.experiments.defaults import STRONGEST

MOST = 2**63 - 1
"""The largest number that an option takes: more fits neither a seed nor a file."""

MOST_GAMES = 10**12
"""More games than anybody plays."""


class Whole(click.IntRange):
    """A whole number in the digits 0 to 9. Python would also accept digits of other scripts."""

    def __init__(
        self, least: int | None = None, most: int | None = None, limit: int = MOST
    ) -> None:
        """Take the range, and the `limit` of all sense, which help does not mention."""
        super().__init__(least, most)
        self.limit = limit

    def _describe_range(self) -> str:
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number; BadParameter for any other text."""
        if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9][0-9_]*", value):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        if isinstance(value, str) and (len(value) > len(str(MOST)) or int(value) > self.limit):
            self.fail(f"{value} is larger than {self.limit:,}.", param, ctx)
        return super().convert(value, param, ctx)


def path(name: str | Path) -> Path:
    """Read a path; refuse an empty text (an unset variable), which would mean this folder."""
    if str(name) == "" or "\0" in str(name):
        raise click.BadParameter("needs a name")
    return Path(name)


def given(*names: str, default: Any = None, **attributes: Any) -> Any:
    """A field that is an option, with attributes of `click.option`; help shows its default.

    With `rare=True` only `--help-all` shows it.
    """
    if default is not None:
        attributes |= {"default": default, "show_default": True}
    return field(metadata={"names": names, "attributes": attributes})


def text(
    name: str, metavar: str, help_text: str, default: str | None = None, **attributes: Any
) -> Any:
    """An option with a text."""
    return given(name, metavar=metavar, help=help_text, default=default, **attributes)


def several(name: str, metavar: str, help_text: str, **attributes: Any) -> Any:
    """An option with a text that may be given again."""
    return given(name, metavar=metavar, help=help_text, multiple=True, **attributes)


def number(
    name: str,
    help_text: str,
    default: int | None = None,
    least: int = 0,
    most: int | None = None,
    limit: int = MOST,
    **attributes: Any,
) -> Any:
    """An option with a whole number in a range."""
    kind = Whole(least, most, limit)
    return given(name, metavar="N", type=kind, help=help_text, default=default, **attributes)


def output(
    name: str, metavar: str, help_text: str, *, folder: bool = False, **attributes: Any
) -> Any:
    """An option with a file or a folder that the command writes."""

    def output_path(value: str | Path) -> Path:
        return writable(value, folder=folder)

    return given(name, metavar=metavar, type=output_path, help=help_text, **attributes)


def writable(name: str | Path, *, folder: bool = False) -> Path:
    """The path of an output file or folder, tested before the work begins.

    Raises:
        BadParameter: the name is no path.
        Failed: the path cannot be written.
    """
    from ethnos_sim.experiments.storage.files import check_writable

    output_path = path(name)
    check_writable(output_path, folder=folder)
    return output_path


def file(name: str, help_text: str, **attributes: Any) -> Any:
    """An option with a TOML file that the command reads."""
    return given(name, metavar="FILE.toml", type=path, help=help_text, **attributes)


def flag(name: str, help_text: str, **attributes: Any) -> Any:
    """An option without a value."""
    return given(name, is_flag=True, help=help_text, **attributes)


def rules_named(context: click.Context, option: click.Parameter, value: str) -> str:
    """The word of a rule set, whose edition and mode are checked; RulesError for a wrong one."""
    from ethnos_sim.simulator.rules import RuleSet

    _, plus, rest = value.partition("+")
    return f"{RuleSet.parse(value).edition}{plus}{rest}"


def rules() -> Any:
    """`--edition`: the rules in one word."""
    return given(
        "--edition",
        default="second",
        callback=rules_named,
        metavar="RULES",
        help="An edition (first or second), then variants, a mode and values after plus "
        "signs, as in second+recruitment+bear.on_take=2.",
    )


def games(default: int | None, help_text: str = "", *, least: int = 1) -> Any:
    """`--games`: the number of games in all, with the same meaning in every command."""
    words = " ".join(filter(None, ("Games in all.", help_text)))
    return number("--games", words, default, least, limit=MOST_GAMES)


def _allow(context: click.Context, option: click.Parameter, jobs: int | None) -> int | None:
    """Let the command compile with no more processes than it may have threads."""
    from ethnos_sim.simulator.utilities.processes import at_most

    context.with_resource(at_most(jobs))
    return jobs


def _or_all_cores(context: click.Context, option: click.Parameter, jobs: int | None) -> int:
    from ethnos_sim.simulator.utilities.processes import allowed_processes

    _allow(context, option, jobs)
    return allowed_processes()


def jobs(help_text: str = "Threads; all cores unless given.", *, counted: bool = True) -> Any:
    """`--jobs`; unless it is given, the number of cores, or None if they are not `counted`.

    Counting cores loads a slow library.
    """
    callback = _or_all_cores if counted else _allow
    return given("--jobs", metavar="N", type=Whole(1), callback=callback, help=help_text)


def seed() -> Any:
    """`--seed`."""
    return number("--seed", "Random seed.", default=1)


def _without_repeats(
    context: click.Context, option: click.Parameter, settings: Sequence[str]
) -> Sequence[str]:
    """Return the settings; BadParameter if a value is set twice."""
    names = [text.partition("=")[0].strip() for text in settings]
    for name in names:
        if names.count(name) > 1:
            raise click.BadParameter(f"'{name}' is given twice; give it once", context, option)
    return settings


def settings(
    help_text: str = "Change a rule value, as in bear.on_take=2; may be given again.",
) -> Any:
    """`--set`, repeatable."""
    return several("--set", "NAME=VALUE", help_text, callback=_without_repeats)


def variants() -> Any:
    """`--variant`, repeatable."""
    return several("--variant", "V", "A bundled variant's name or a variant file; several combine.")


def _register(
    context: click.Context, option: click.Parameter, files: Sequence[Path]
) -> Sequence[Path]:
    if files and not context.resilient_parsing:
        from ethnos_sim.strategies import load_strategy_file

        for path in files:
            load_strategy_file(path)
    return files


def strategy_files() -> Any:
    """`--strategies-from`, repeatable; the files are loaded before the command runs."""
    return given(
        "--strategies-from",
        metavar="FILE.py",
        multiple=True,
        type=path,
        callback=_register,
        help="A Python file with strategies of your own; may be given again.",
    )


def strategies() -> Any:
    """`--strategies`: the line-up."""
    return text(
        "--strategies",
        "A,B,...",
        "A strategy for each seat, as in greedy,specialist:clan=bear; a short list repeats.",
        default=STRONGEST,
    )
