"""Commands that say what to write where an option is unknown, repeated or left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

ONE_WORD = "Rules are one word, as in second+recruitment+mine.toml+bear.on_take=2."

HINTS = dict.fromkeys(("--set", "--variant", "--mode"), ONE_WORD)
"""What to use instead of options that readers may look for in vain."""


class Command(click.Command):
    """A command whose wrong words are refused with the right ones."""

    def __init__(self, *args: Any, hints: Mapping[str, str] | None = None, **named: Any) -> None:
        """Take the arguments of `click.Command`, and the command's own HINTS."""
        super().__init__(*args, **named)
        self._hints = {**HINTS, **(hints or {})}

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
            single = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
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


def typed_options(*names: str) -> list[str]:
    """The options on the command line, as written there; only those called `names`, if given."""
    context = click.get_current_context()
    return [
        param.opts[0]
        for param in context.command.params
        if param.name in (names or context.params)
        and context.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
    ]
