"""`ethnos-sim compare`: what differs between two rule sets, or two sweeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.game_options import strategy_files_option
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.reports.comparison.played import Ruling, Table
    from ethnos_sim.reports.comparison.sides import Comparison, Side


@click.command("compare")
@click.argument("folders", metavar="[DIR_A DIR_B]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--edition", default="second", show_default=True, help="first or second.")
@click.option("--against", "other", metavar="EDITION", help="The other side's edition.")
@click.option(
    "--variant",
    "variants",
    metavar="V",
    multiple=True,
    help="The other side's variant: a name, a file, or recruitment; several combine.",
)
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A rule value of the other side, as in bear.on_take=2; may be given again.",
)
@click.option("--players", type=int, help="2 to 6, 4 unless given; in solo always 1.")
@click.option("--mode", default="standard", show_default=True, help="The mode of both sides.")
@click.option(
    "--strategies",
    metavar="A,B,...",
    help="Who plays; unless given champion, warden, navigator and clock, as many as fit.",
)
@click.option(
    "--clans",
    metavar="A,B,...",
    help="The clans in play; unless given twelve sets, spread evenly over all clans.",
)
@click.option("--power", is_flag=True, help="Measure the clans' restricted play too; much slower.")
@click.option(
    "--games", type=click.IntRange(min=1), default=40_000, show_default=True, help="For each side."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Decides all luck."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Threads; all cores unless given.")
@strategy_files_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--out",
    "page",
    metavar="FILE.html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the comparison as a page too.",
)
@click.pass_context
def command(
    context: click.Context,
    folders: Sequence[Path],
    edition: str,
    other: str | None,
    variants: Sequence[str],
    settings: Sequence[str],
    players: int | None,
    mode: str,
    strategies: str | None,
    clans: str | None,
    power: bool,
    games: int,
    seed: int,
    jobs: int | None,
    strategy_files: Sequence[Path],
    as_json: bool,
    page: Path | None,
) -> None:
    """Tell what differs between two sweeps' folders, or two rule sets played now.

    Without folders both sides are played now, on the same deals: the printed rules of an edition,
    and what --against, --variant and --set make of them. Every headline number gets its difference
    with an interval, and one word: changed, equivalent (surely within its margin) or undecided.
    """
    from ethnos_sim.reports.comparison.sides import Side, compare_sides

    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"the page's name has to end in .html, not '{page.name}'")
    if folders:
        from ethnos_sim.reports.gathering import gather

        if len(folders) != 2:
            raise click.UsageError(f"two folders are compared, not {len(folders)}")
        _refuse(context)
        first, second = (Side(str(folder), gather(folder)) for folder in folders)
    else:
        from ethnos_sim.reports.comparison.played import Ruling, Table, against
        from ethnos_sim.simulator.modes import SOLO
        from ethnos_sim.strategies import load_strategy_file

        if other is None and not variants and not settings:
            raise click.UsageError(
                "say what differs: two folders, or --against EDITION, --variant V, --set NAME=VALUE"
            )
        for path in strategy_files:
            load_strategy_file(path)
        table = Table(
            players=players if players is not None else 1 if mode in SOLO else 4,
            strategies=_names(strategies),
            clans=_names(clans),
            seed=seed,
            games=games,
            power=power,
        )
        base = Ruling(edition=edition, mode=mode)
        ruling = against(base, edition=other, variants=variants, settings=settings)
        first, second = _play(table, base, ruling, jobs, as_json)
    comparison = compare_sides(first, second)
    if page is not None:
        _write(page, comparison)
    if as_json:
        from ethnos_sim.reports.comparison.record import as_record

        click.echo(json.dumps(as_record(comparison), indent=2))
        return
    _print(comparison)
    if page is not None:
        click.echo(page)


def _names(text: str | None) -> list[str] | None:
    """A list of names as written with commas; None for none."""
    if text is None:
        return None
    return [name.strip() for name in text.split(",") if name.strip()]


def _refuse(context: click.Context) -> None:
    """An error for options that say what to play, where folders say what was played."""
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name is not None
        and parameter.name not in ("folders", "as_json", "page")
        and context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{given[0]} is for rule sets played now, not for folders")


def _play(
    table: Table, base: Ruling, ruling: Ruling, jobs: int | None, quiet: bool
) -> tuple[Side, Side]:
    """Play both sides with a progress bar."""
    from joblib import cpu_count

    from ethnos_sim.experiments.progress import shown_progress
    from ethnos_sim.reports.comparison.played import plans_of, play_sides

    plans = plans_of(table, base, ruling)
    total = sum(plan.games for plan in plans)
    title = f"Playing {total:,} games: {base.label}, and {ruling.label}"
    with shown_progress(title, total, 0, quiet=quiet) as shown:
        return play_sides(
            plans, (base.label, ruling.label), jobs=jobs or cpu_count(), on_games=shown
        )


def _write(page: Path, comparison: Comparison) -> None:
    """Write the comparison as a page."""
    from ethnos_sim.commands.files import written_whole
    from ethnos_sim.reports.comparison.record import as_document
    from ethnos_sim.reports.html import as_html

    with written_whole(page) as opened:
        opened.write(as_html(as_document(comparison), ""))


def _print(comparison: Comparison) -> None:
    """What a reader sees."""
    from ethnos_sim.reports.comparison.record import (
        COLUMNS,
        number_rows,
        rank_columns,
        rank_rows,
        sentences,
    )
    from ethnos_sim.reports.comparison.sides import situation_label

    first, second = comparison.first, comparison.second
    click.echo(f"First:  {first.label}, {first.evidence.games:,} games.")
    click.echo(f"Second: {second.label}, {second.evidence.games:,} games.\n")
    for match in comparison.matched:
        print_table(situation_label(first.evidence, match.first), COLUMNS, number_rows(match))
        if match.ranks:
            print_table(
                f"Ranks of the clans by {match.ranked_by}, the strongest first",
                rank_columns(comparison),
                rank_rows(match),
            )
        for sentence in sentences(comparison, match):
            click.echo(sentence)
    counts = comparison.counts
    click.echo(
        f"Of {sum(counts.values())} numbers {counts['changed']} changed, {counts['equivalent']} "
        f"are equivalent within their margins, and {counts['undecided']} are undecided."
    )
