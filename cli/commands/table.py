"""`ethnos-sim table`: the clans on a table, played now: what each is worth in this company."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import jobs_option, names_in
from ethnos_sim.commands.study_options import StudyOptions, study_options
from ethnos_sim.commands.tables import print_sections


class PercentagePoints(click.ParamType[float]):
    """A precision in points of winning chance, such as "1pp" or "0.5": a share of 1."""

    name = "points"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The share; UsageError for what is no number, and where it is out of reach."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?) ?(?:pp)?", str(value))
        if found is None or not 0.1 <= float(found[1]) <= 10:
            self.fail("takes points of winning chance from 0.1 to 10, as in 1pp", param, ctx)
        return float(found[1]) / 100


@click.command("table")
@study_options
@click.option(
    "--clans", metavar="A,B,...", required=True, help="The clans in play, as in bear,Red Panda."
)
@click.option(
    "--strategies",
    metavar="A,B,...",
    default="champion",
    show_default=True,
    help="A strategy for each seat; a short list repeats.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1_000, max=1_000_000),
    default=60_000,
    show_default=True,
    help="Games of whole tables; those in which a seat may not lead a clan come on top.",
)
@click.option(
    "--until",
    metavar="1pp",
    type=PercentagePoints(),
    help="Play on until each clan's worth is known to so many points of winning chance.",
)
@click.option("--out", metavar="FILE.html", type=OutputPath(), help="Write the same as a page.")
@jobs_option
@click.option("--quiet", is_flag=True, help="Do not show how far it is.")
def command(
    table: StudyOptions,
    clans: str,
    strategies: str,
    games: int,
    until: float | None,
    out: Path | None,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Play the clans on your table now, and tell what each is worth in this company.

    Worth is what a player loses who may not lead a clan while all others may. With it come the
    edge of each seat, how long a game is, and what winners do otherwise than losers.
    """
    from joblib import cpu_count

    from ethnos_sim.experiments.storage.files import write_whole
    from ethnos_sim.reports.comparison.played import RuleChoice, Setup
    from ethnos_sim.reports.one_table import play_one_table, table_document
    from ethnos_sim.reports.rendering.html import as_html
    from ethnos_sim.simulator.modes import SOLO

    if table.mode in SOLO:
        raise click.UsageError("the solo modes have one set of clans; `ethnos-sim match` plays it")
    choice = RuleChoice.of(table.edition, table.mode, table.variants, table.settings)
    setup = Setup(
        players=table.seats,
        strategies=names_in(strategies),
        clans=names_in(clans),
        seed=table.seed,
        games=games,
    )
    played = play_one_table(choice, setup, until=until, jobs=jobs or cpu_count(), quiet=quiet)
    document = table_document(played)
    click.echo(f"{document.title}\n{document.facts}\n")
    print_sections(document.sections)
    if until is not None and played.half_width > until:
        click.echo(f"Not every worth is known to {100 * until:g} points after the most games.")
    if out is not None:
        write_whole(out, as_html(document, "").encode())
        click.echo(out)
