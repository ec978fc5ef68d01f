"""`ethnos-sim table`: the worth of each clan on a table, from games that are played now."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, TableOptions, errors_by_option, names_in, takes
from ethnos_sim.commands.tables import print_answer


def percentage_points(text: str) -> float:
    """Read points of winning chance, as in "1pp" or "0.5", as a share; BadParameter for others."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(?:pp)?", text)
    if match is None or not 0.1 <= float(match[1]) <= 10:
        raise click.BadParameter("takes points of winning chance from 0.1 to 10, as in 1pp")
    return float(match[1]) / 100


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions):
    """The clans, the strategies and the games."""

    clans: str = option.text(
        "--clans",
        "A,B,...",
        "The clans in play, as in bear,Red Panda: 5 with two or three players, else 6.",
        required=True,
    )
    strategies: str = option.strategies()
    games: int = option.games(
        80_000, "In every second game each seat gives up a clan.", least=1_000
    )
    until: float | None = option.given(
        "--until",
        metavar="1pp",
        type=percentage_points,
        help="Play until each clan's worth is known to within this many points of winning chance.",
    )
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")
    out: Path | None = option.output("--out", "FILE.html", "Write the same as a page.")
    quiet: bool = option.flag("--quiet", "Show no progress.", rare=True)


@click.command("table", cls=Command)
@takes(Options)
def command(options: Options) -> None:
    """Estimate what each clan on your table is worth, from games that are played now.

    Worth is what those who give up a clan win less than a fair share. The edge of each seat and
    the length of a game are shown too.
    """
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.comparison.two_rule_sets import Setup
    from ethnos_sim.reports.one_table import OneTable, half_width, table_record
    from ethnos_sim.reports.study import run_study
    from ethnos_sim.simulator.tables.modes import SOLO

    if options.mode in SOLO:
        raise click.UsageError("the solo modes have one set of clans; `ethnos-sim match` plays it")
    setup = Setup(
        players=options.seats,
        strategies=names_in(options.strategies),
        clans=names_in(options.clans),
        seed=options.seed,
        games=options.games,
    )
    study = OneTable(options.rule_set, setup, options.until)
    with errors_by_option("compare"):
        quiet = options.quiet or options.as_json
        evidence = run_study(study, engine=Threads(options.jobs), quiet=quiet)
    record = table_record(evidence) if options.as_json else None
    print_answer(study.document(evidence), options.out, record)
    if options.as_json:
        return
    if options.until is not None and half_width(evidence) > options.until:
        click.echo(
            "Even after the most games, not every clan's worth is known to "
            f"{100 * options.until:g} points."
        )
