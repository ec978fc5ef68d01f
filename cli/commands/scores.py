"""`ethnos-sim scores`: a group's own recorded games beside the program's."""

from __future__ import annotations

from pathlib import Path

import click

from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import edition_option, jobs_option, seed_option
from ethnos_sim.commands.tables import print_sections


@click.command("scores")
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path))
@edition_option
@click.option(
    "--games",
    type=click.IntRange(min=100, max=100_000),
    default=2000,
    show_default=True,
    help="Games of each strategy at each kind of table.",
)
@seed_option
@jobs_option
@click.option("--out", metavar="FILE.html", type=OutputPath(), help="Write the same as a page.")
@click.option("--quiet", is_flag=True, help="Do not show how far it is.")
def command(
    file: Path,
    edition: str,
    games: int,
    seed: int,
    jobs: int | None,
    out: Path | None,
    quiet: bool,
) -> None:
    """Hold the games that people wrote down against the program's at the same tables.

    FILE.csv has a line a game and the columns scores and, where known, clans, players, began and
    edition; several in one place are parted by semicolons: 96;93;91;84.
    """
    from ethnos_sim.experiments.recorded_games import read_recorded_games
    from ethnos_sim.experiments.storage.files import write_whole
    from ethnos_sim.reports.recorded import compare_recorded, recorded_document
    from ethnos_sim.reports.rendering.html import as_html

    recorded = read_recorded_games(file, edition)
    found = compare_recorded(recorded, number=games, seed=seed, jobs=jobs, quiet=quiet)
    document = recorded_document(found)
    click.echo(f"{document.title}\n{document.facts}\n")
    print_sections(document.sections)
    if out is not None:
        write_whole(out, as_html(document, "").encode())
        click.echo(out)
