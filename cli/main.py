"""The `ethnos-sim` program: run the command that is named, and turn errors into exit codes.

Only the command that runs is imported, so `ethnos-sim --help` answers at once although some
commands need a compiler and data libraries. Exit codes: 0 done, 1 failed, 2 wrong input,
130 interrupted; `check` has more (`reports.gate.check_result`).
"""

from __future__ import annotations

import importlib
import io
import logging
import os
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from ethnos_sim.commands import errors
from ethnos_sim.commands.interruption import interruptible, is_interruption, print_interruption
from ethnos_sim.commands.signs import SIGNS_HANDLER
from ethnos_sim.simulator.utilities.errors import WrongInput, name_hint
from ethnos_sim.simulator.utilities.processor import check_processor

# The help lines are here and not in the commands' modules, so that listing imports no module.
COMMAND_GROUPS = {
    "Answers": {
        "report": "Make a page from a sweep's results, or play the usual sweep first.",
        "table": "Estimate what each clan on your table is worth.",
        "compare": "Compare two rule sets.",
        "balance": "Search the rule values that make the clans equal.",
    },
    "Games": {
        "sweep": "Play many games over clan sets and player counts, into a folder.",
        "match": "Play a line-up with rotated seats: win shares and mean prestige.",
        "play": "Play a game, new or stored: as text, page or trace.",
    },
    "Guards": {
        "check": "Check that results and balance numbers did not change.",
        "init": "Make a folder for a variant of your own.",
    },
    "Players": {"strategies": "List, show, rate and train the strategies."},
    "Rules": {"rules": "Show rule values, their sources, and what differs between editions."},
}
"""The commands and their help lines, by purpose, in the order of `--help`."""

COMMANDS = {name: summary for group in COMMAND_GROUPS.values() for name, summary in group.items()}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of `--help`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command from its module; None for a name that is no command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ethnos_sim.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command in `args`; for an unknown name the error suggests the nearest."""
        if args[0] not in COMMANDS:
            raise click.UsageError(f"unknown command '{args[0]}'{name_hint(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands for `--help` without importing any of them."""
        widest = max(map(len, COMMANDS))
        for title, commands in COMMAND_GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{widest}}", text) for name, text in commands.items()])

    def invoke(self, ctx: click.Context) -> None:
        """Run the command; an error becomes one sentence on stderr and an exit code.

        A command with its own exit code calls `ctx.exit(code)`.
        """
        try:
            super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            if is_interruption(error):
                raise KeyboardInterrupt from error
            if ctx.params["debug"]:
                traceback.print_exception(error)
            else:
                click.echo(f"Error: {errors.printable_text(errors.sentence_of(error))}", err=True)
            ctx.exit(errors.WRONG_INPUT if isinstance(error, WrongInput) else errors.FAILED)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ethnos-sim", prog_name="ethnos-sim")
@click.option("--debug", is_flag=True, hidden=True, help="Show the traceback of an error.")
def command_line(debug: bool) -> None:
    """Answer questions of balance about the board game Ethnos by playing many games.

    An unofficial analysis tool. `ethnos-sim COMMAND --help` tells more about a command.
    """


def _check_environment() -> None:
    """Raise an error if the program cannot run in this folder or with these variables."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise click.ClickException(
            "the working folder was deleted; go to another folder with `cd`"
        ) from None
    if sys.flags.optimize > 1:
        raise click.UsageError(
            "Python runs with PYTHONOPTIMIZE=2 or -OO, which removes the help texts; use 1 or -O"
        )
    threads = os.environ.get("NUMBA_NUM_THREADS", "1")
    if not re.fullmatch(r"0*[1-9][0-9]{0,5}", threads):
        raise click.UsageError(
            f"the environment variable NUMBA_NUM_THREADS is '{threads}', but has to be a whole "
            "number from 1"
        )
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise click.UsageError(
            "the environment variable NUMBA_DISABLE_JIT is set, but only compiled code plays "
            "games; unset it"
        )
    try:
        check_processor()
    except WrongInput as error:
        raise click.UsageError(str(error)) from error


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: the words after `ethnos-sim`; None takes the words of this process.

    Returns:
        0 done, 1 failed, 2 wrong input, 130 interrupted, or what the command itself set.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible():
            _check_environment()
            result: Any = command_line.main(words, prog_name="ethnos-sim", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return errors.WRONG_INPUT
    except click.ClickException as error:
        click.echo(f"Error: {errors.printable_text(error.format_message())}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        print_interruption()
        return errors.INTERRUPTED
    return result if isinstance(result, int) else errors.DONE


def main() -> NoReturn:
    """Run the command line of this process and leave with its exit code.

    Messages about work that is done only once, such as compiling, go to standard error.
    """
    # numpy reads this when it is imported. Matrix products depend on the number of threads, and
    # numpy's threads would wait for each other and for the threads that play.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.stderr is None:
        # Open a file in its place, so that no file of results gets descriptor 2.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stdout is None:
        click.echo("Error: standard output is closed, so nobody could read the answer", err=True)
        sys.exit(errors.FAILED)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SIGNS_HANDLER)
    logging.basicConfig(format="%(message)s")
    logging.getLogger("ethnos_sim").setLevel(logging.INFO)
    sys.exit(run())
