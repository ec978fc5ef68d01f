"""`ethnos-sim balance`: search the values that bring the clans, or another number, to a goal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.interruption import when_interrupted
from ethnos_sim.commands.options import Command, StrategyFiles, errors_by_option, names_in, takes
from ethnos_sim.commands.tables import print_sections

EXAMPLES = """\b
Examples:
  balance --vary bear.on_take --vary koi.prestige_4_6
  balance --vary bear.on_take=0..6 --vary raccoon.coins --games 1000000
  balance --vary start_prestige --target seat-edge=0
"""


@dataclass(frozen=True, kw_only=True)
class Options(StrategyFiles):
    """The values, the target, the games and the players of a search."""

    dimensions: Sequence[str] = option.several(
        "--vary",
        "NAME[=LOW..HIGH[:STEP]]",
        "A value to vary; NAME[0] is the first number of a list. May be given again.",
    )
    target: str = option.text(
        "--target",
        "NUMBER[=GOAL]",
        "The number to bring to its goal: clan-spread, seat-edge, worth:CLAN or a number of the "
        "shape of a game, as in turns=250.",
        default="clan-spread",
    )
    edition: str = option.rules()
    players: int = option.number("--players", "Players at a table.", default=4, least=2, most=6)
    settings: Sequence[str] = option.settings("Starting values, as in bear.on_take=2.")
    variants: Sequence[str] = option.variants()
    strategies: str = option.strategies()
    validator: str = option.text(
        "--validate-with",
        "A,B,...",
        "Who validates beside the players of the search.",
        default="champion",
    )
    games: int = option.games(400_000, "Half of them search, the rest validate the result.")
    seed: int = option.seed()
    folder: Path = option.output(
        "--out",
        "DIR",
        "Folder for evaluations, validations and the variant; a search in it is continued.",
        folder=True,
        default=Path("balance-results"),
    )
    jobs: int = option.jobs()
    quiet: bool = option.flag("--quiet", "Show no progress.")


@click.command("balance", cls=Command, epilog=EXAMPLES)
@takes(Options)
def command(options: Options) -> None:
    """Search the rule values that make the clans equal, or bring another number to its goal.

    Finalists are validated on fresh deals by two populations, and nothing is recommended that may
    be luck.
    """
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.balancing.document import as_document
    from ethnos_sim.reports.balancing.request import request
    from ethnos_sim.reports.balancing.run import VARIANT_FILE, run_search
    from ethnos_sim.simulator.rules import RuleSet

    say = _progress_printer(options.quiet)
    asked = request(
        options.dimensions,
        target=options.target,
        rule_set=RuleSet.parse(options.edition, None, options.variants, options.settings),
        players=options.players,
        strategies=names_in(options.strategies),
        validator=names_in(options.validator),
        games=options.games,
        seed=options.seed,
    )
    advice = "Interrupted; every evaluation is kept. To go on, run the same command again."
    with errors_by_option("balance"), when_interrupted(lambda: advice):
        report = run_search(
            asked, options.folder, engine=Threads(options.jobs), quiet=options.quiet, say=say
        )
    document = as_document(report.outcome)
    say(f"{document.facts}\n")
    print_sections(document.sections)
    variant = options.folder / VARIANT_FILE
    if variant.exists():
        click.echo(variant)


def _progress_printer(quiet: bool) -> Callable[[str], None]:
    """A function that prints progress lines with the time to standard error."""
    started = time.monotonic()

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"{time.monotonic() - started:5.0f} s  {line}", err=True)

    return say
