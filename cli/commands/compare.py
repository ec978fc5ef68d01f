"""`ethnos-sim compare`: what differs between two rule sets, or two sweeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import (
    edition_option,
    jobs_option,
    names_in,
    seed_option,
    strategies_from_option,
)
from ethnos_sim.commands.tables import print_sections

if TYPE_CHECKING:
    from ethnos_sim.reports.comparison.played import RuleChoice
    from ethnos_sim.reports.comparison.sides import Comparison


EXAMPLES = """\b
Examples:
  compare second+bear.on_take=2          what one value does
  compare --set bear.on_take=2           the same
  compare first second                   the editions
  compare second+a.toml second+b.toml    variant against variant
  compare second+a.toml second+a.toml+recruitment
  compare results-a results-b            two folders that sweep made
  compare results+printed results+mild   two rule sets of one folder
"""


@click.command("compare", epilog=EXAMPLES)
@click.argument("sides", metavar="[A] [B]", nargs=-1)
@edition_option
@click.option(
    "--variant",
    "variants",
    metavar="V",
    multiple=True,
    help="What B has: a variant's name, its file, or recruitment; several combine.",
)
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A rule value that B has, as in bear.on_take=2; may be given again.",
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
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=40_000,
    show_default=True,
    help="Of each side, with nobody restricted; clan power takes three times as many more.",
)
@click.option("--no-power", is_flag=True, help="Do not measure clan power (restricted play).")
@seed_option
@jobs_option
@strategies_from_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--out",
    "page",
    metavar="FILE.html",
    type=OutputPath(),
    help="Write the comparison as a page too.",
)
@click.pass_context
def command(
    context: click.Context,
    sides: Sequence[str],
    edition: str,
    variants: Sequence[str],
    settings: Sequence[str],
    players: int | None,
    mode: str,
    strategies: str | None,
    clans: str | None,
    games: int,
    no_power: bool,
    seed: int,
    jobs: int | None,
    as_json: bool,
    page: Path | None,
) -> None:
    """Tell what differs between two rule sets that are played now, or two sweeps' folders.

    A rule set is an edition with what it changes after plus signs: variants, a mode, values. Where
    A is left out, and where --variant and --set stand for B, it is the printed rules.

    Both sides are played on the same deals. Every number gets its difference with an interval and
    one word: changed, equivalent (within its margin) or undecided.
    """
    from ethnos_sim.reports.comparison.sides import Side, compare_sides

    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"the page's name has to end in .html, not '{page.name}'")
    if any(not _is_rules(side) for side in sides):
        _refuse(context, sides)
        comparison = compare_sides(*(Side.of_folder(side) for side in sides))
    else:
        from joblib import cpu_count

        from ethnos_sim.reports.comparison.played import Setup, compare_rules
        from ethnos_sim.simulator.modes import SOLO

        chosen = _rules(context, sides, edition, mode, variants, settings)
        setup = Setup(
            players=players if players is not None else 1 if chosen[0].mode in SOLO else 4,
            strategies=None if strategies is None else names_in(strategies),
            clans=None if clans is None else names_in(clans),
            seed=seed,
            games=games,
            power=not no_power,
        )
        comparison = compare_rules(*chosen, setup, jobs=jobs or cpu_count(), quiet=as_json)
    _tell(comparison, page, as_json=as_json)


def _tell(comparison: Comparison, page: Path | None, *, as_json: bool) -> None:
    """Print a comparison, as JSON or as tables, and write its page."""
    from ethnos_sim.reports.comparison.record import as_record
    from ethnos_sim.reports.comparison_document import as_document

    if as_json:
        click.echo(json.dumps(as_record(comparison), indent=2))
    if as_json and page is None:
        return

    document = as_document(comparison)
    if page is not None:
        from ethnos_sim.commands.files import written_whole
        from ethnos_sim.reports.rendering.html import as_html

        with written_whole(page) as opened:
            opened.write(as_html(document, ""))
    if not as_json:
        click.echo(f"{document.facts}\n")
        print_sections(document.sections[:-1])  # Definitions are for the page.
        if page is not None:
            click.echo(page)


def _is_rules(side: str) -> bool:
    """Whether a side is a rule set, by the edition that it begins with."""
    from ethnos_sim.simulator.rules import RulesError, edition_name

    edition = side.partition("+")[0]
    if Path(edition).suffix != ".toml":
        try:
            edition_name(edition)
        except RulesError:
            return False
    if (Path(edition) / "plan.json").is_file():
        raise click.UsageError(
            f"'{edition}' is an edition, and a sweep's folder here: write './{edition}' for the "
            "folder, and compare the edition in another folder"
        )
    return True


def _rules(
    context: click.Context,
    sides: Sequence[str],
    edition: str,
    mode: str,
    variants: Sequence[str],
    settings: Sequence[str],
) -> tuple[RuleChoice, RuleChoice]:
    """The rules of both sides; the printed ones where the first is not given."""
    from ethnos_sim.reports.comparison.played import RuleChoice

    if len(sides) > 2:
        raise click.UsageError(f"two sides are compared, not {len(sides)}")
    given = _given(context, ("edition", "variants", "settings"))
    if sides and given:
        raise click.UsageError(
            f"{given[0]} does not go with a rule set that is written out; put it into "
            f"'{sides[-1]}' after a plus sign"
        )
    if not sides and not variants and not settings:
        raise click.UsageError(
            "say what differs: --variant V, --set NAME=VALUE, a rule set such as "
            "second+bear.on_take=2, or two folders"
        )
    if not sides:
        second = RuleChoice.of(edition, mode, variants, settings)
    else:
        second = RuleChoice.parse(sides[-1], mode)
    if len(sides) == 2:
        return RuleChoice.parse(sides[0], mode), second
    return RuleChoice(edition=second.edition, mode=mode), second


def _given(context: click.Context, names: Sequence[str]) -> list[str]:
    """Those of some parameters that the command line gives, as it writes them."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]


def _refuse(context: click.Context, sides: Sequence[str]) -> None:
    """An error for what does not go with folders: other counts, rules, and what to play."""
    from ethnos_sim.reports.comparison.sides import folder_and_words
    from ethnos_sim.simulator.errors import nearest
    from ethnos_sim.simulator.rules import EDITIONS

    rules = [side for side in sides if _is_rules(side)]
    if rules:
        raise click.UsageError(f"'{rules[0]}' is a rule set; folders are compared with folders")
    for side in sides:
        folder, _ = folder_and_words(side)
        if not Path(folder).is_dir():
            hint = nearest(folder, EDITIONS)
            raise click.UsageError(f"'{folder}' is neither an edition nor a folder{hint}")
    if len(sides) != 2:
        raise click.UsageError(f"two folders are compared, not {len(sides)}")
    others = [each.name for each in context.command.params if each.name is not None]
    given = _given(context, [n for n in others if n not in ("sides", "as_json", "page")])
    if given:
        raise click.UsageError(f"{given[0]} is for rule sets played now, not for folders")
