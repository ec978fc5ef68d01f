"""`ethnos-sim balance`: search rule values that bring a number, such as clan-spread, to a goal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ethnos_sim.commands.interruption import CONTINUE_MESSAGE, interruption_message
from ethnos_sim.commands.options import (
    TableOptions,
    errors_by_option,
    games_option,
    jobs_option,
    split_names,
    strategies_option,
    table_options,
    writable_folder,
)
from ethnos_sim.commands.tables import print_sections, print_text

EXAMPLES = """\b
Examples:
  balance --vary bear.on_take --vary koi.prestige_4_6
  balance --vary bear.on_take=0..6 --vary raccoon.coins --games 1000000
  balance --vary bear.on_take --target worth:bear=0
"""


@click.command("balance", epilog=EXAMPLES)
@click.option(
    "--vary",
    metavar="NAME[=LOW..HIGH[:STEP]]",
    multiple=True,
    help="A value to vary; NAME[0] is the first number of a list. May be given again.",
)
@click.option(
    "--target",
    metavar="NUMBER[=GOAL]",
    default="clan-spread",
    show_default=True,
    help="The number to bring to its goal: clan-spread, seat-edge, worth:CLAN, or a number of the "
    "shape of a game, as in turns=250.",
)
@click.option(
    "--validate-with",
    "validator",
    metavar="A,B,...",
    default="champion",
    show_default=True,
    help="Strategies that validate the result after the players of the search did.",
)
@strategies_option
@games_option(400_000, "Half of them search, the rest validate the result.")
@click.option(
    "--out",
    metavar="DIR",
    type=writable_folder,
    default="balance-results",
    show_default=True,
    help="Folder for evaluations, validations and the variant; a search in it is continued.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@jobs_option
@table_options
def command(
    table: TableOptions,
    vary: Sequence[str],
    target: str,
    validator: str,
    strategies: str,
    games: int,
    out: Path,
    quiet: bool,
    jobs: int,
) -> None:
    """Search the rule values that make the clans equal, or bring another number to its goal.

    Finalists are validated on fresh deals by two populations, and nothing is recommended that may
    be luck.
    """
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.balancing.document import balance_document
    from ethnos_sim.reports.balancing.request import check_request
    from ethnos_sim.reports.balancing.run import VARIANT_FILE, run_search

    asked = check_request(
        vary,
        target=target,
        rule_set=table.rule_set,
        players=table.players,
        strategies=split_names(strategies),
        validators=split_names(validator),
        games=games,
        seed=table.seed,
    )
    with errors_by_option("balance"), interruption_message(CONTINUE_MESSAGE):
        report = run_search(asked, out, engine=Threads(jobs), quiet=quiet)
    document = balance_document(report.outcome)
    print_text(f"{document.facts}\n")
    print_sections(document.sections)
    variant = out / VARIANT_FILE
    if variant.exists():
        click.echo(variant)
