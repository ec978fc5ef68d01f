"""`ethnos-sim strategies scores`: compare recorded games with games of the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, takes
from ethnos_sim.commands.tables import print_document


@dataclass(frozen=True, kw_only=True)
class Options:
    """The edition of the recorded games, and the program's games beside them."""

    edition: str = option.edition()
    games: int | None = option.games(
        None,
        "Spread evenly over the strategies and the kinds of tables; 2,000 for each unless given.",
    )
    seed: int = option.seed()
    jobs: int = option.jobs()
    out: Path | None = option.output("--out", "FILE.html", "Write the same as a page.")
    quiet: bool = option.flag("--quiet", "Show no progress.")


@click.command("scores", cls=Command)
@click.argument("file", metavar="FILE.csv", type=option.path)
@takes(Options)
def scores(options: Options, file: Path) -> None:
    """Compare people's recorded games with games of the program at the same tables.

    FILE.csv has one game a line, with the column scores and, if known, clans, players, began and
    edition. Several values in a column are separated by semicolons: 96;93;91;84.
    """
    from ethnos_sim.experiments.recorded_games import read_recorded_games
    from ethnos_sim.reports.recorded import compare_recorded, recorded_document

    comparison = compare_recorded(
        read_recorded_games(file, options.edition),
        games=options.games,
        seed=options.seed,
        jobs=options.jobs,
        quiet=options.quiet,
    )
    print_document(recorded_document(comparison), options.out)
