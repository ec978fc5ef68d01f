"""`ethnos-sim table`: the worth of each clan on a table, from games that are played now."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ethnos_sim.commands.options import (
    TableOptions,
    clans_option,
    errors_by_option,
    games_option,
    jobs_option,
    json_option,
    page_option,
    split_names,
    strategies_option,
    table_options,
)
from ethnos_sim.commands.tables import show_document


def read_points(text: str) -> float:
    """Points of winning chance as a share: 0.01 for "1pp" or "1"; BadParameter for others."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(?:pp)?", text)
    if match is None or not 0.1 <= float(match[1]) <= 10:
        raise click.BadParameter("takes points of winning chance from 0.1 to 10, as in 1pp")
    return float(match[1]) / 100


@click.command("table")
@clans_option(required=True)
@strategies_option
@games_option(80_000, "In every second game each seat gives up a clan.", least=1_000)
@click.option(
    "--until",
    metavar="1pp",
    type=read_points,
    help="Play until each clan's worth is known to within this many points of winning chance.",
)
@page_option
@jobs_option
@json_option
@table_options
def command(
    table: TableOptions,
    clans: list[str],
    strategies: str,
    games: int,
    until: float | None,
    out: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Estimate what each clan on your table is worth, from games that are played now.

    The worth of a clan is how much less than a fair share a player wins who gives it up, while each
    rival gives up another clan. The edge of each seat and the length of a game are shown too.
    """
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.comparison.comparison_study import Setup
    from ethnos_sim.reports.one_table import TableStudy, precision_of, table_document, table_record
    from ethnos_sim.reports.study import run_study
    from ethnos_sim.simulator.tables.modes import SOLO

    if table.rule_set.mode in SOLO:
        raise click.UsageError("in solo nobody gives up a clan; use `ethnos-sim match`")
    setup = Setup(
        players=table.players,
        strategies=split_names(strategies),
        clans=clans,
        seed=table.seed,
        games=games,
    )
    study = TableStudy(table.rule_set, setup, until)
    with errors_by_option("compare"):
        evidence = run_study(study, engine=Threads(jobs), quiet=as_json)
    show_document(table_document(evidence), table_record(evidence), out, as_json=as_json)
    if not as_json and until is not None and precision_of(evidence) > until:
        click.echo(
            f"Not every worth is known to within {100 * until:g} points, even after the most games."
        )
