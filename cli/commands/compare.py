"""`ethnos-sim compare`: the differences between two rule sets, or two sweeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import (
    Command,
    TableOptions,
    errors_by_option,
    names_in,
    takes,
    typed_options,
)
from ethnos_sim.commands.tables import print_sections, say, write_page

if TYPE_CHECKING:
    from ethnos_sim.reports.comparison.sides import Comparison
    from ethnos_sim.simulator.rules import RuleSet

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


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions):
    """The tables and games of both sides, and the rules of the second side."""

    strategies: str = option.strategies()
    clans: str | None = option.text(
        "--clans",
        "A,B,...",
        "The clans in play. Unless given, twelve sets in which all clans appear equally often.",
    )
    games: int = option.games(
        160_000, "Each side gets half. Every second game tells what clans are worth."
    )
    no_worth: bool = option.flag("--no-worth", "Do not measure what clans are worth.", rare=True)
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")
    page: Path | None = option.output("--out", "FILE.html", "Write the comparison as a page too.")


@click.command("compare", cls=Command, epilog=EXAMPLES)
@click.argument("sides", metavar="[A] [B]", nargs=-1)
@takes(Options)
def command(options: Options, sides: Sequence[str]) -> None:
    """Compare two rule sets that are played now, or the folders of two sweeps.

    A rule set is an edition, followed by variants, a mode or values after plus signs. With one rule
    set, A is the printed rules. With none, --variant and --set make B.

    Both sides are played on the same deals. Every number gets its difference with an interval and
    a verdict: it matters, is alike (within its margin), close to the margin, or open.
    """
    from ethnos_sim.reports.comparison.sides import Side, compare_sides

    page = options.page
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"the page's name has to end in .html, not '{page.name}'")
    if any(not _is_rules(side) for side in sides):
        _check_folders(sides)
        comparison = compare_sides(*(Side.of_folder(side) for side in sides))
    else:
        with errors_by_option("compare"):
            comparison = _play_both(options, sides)
    _show(comparison, page, as_json=options.as_json)


def _play_both(options: Options, sides: Sequence[str]) -> Comparison:
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.comparison.two_rule_sets import Setup, TwoRuleSets
    from ethnos_sim.reports.study import run_study
    from ethnos_sim.simulator.tables.modes import usual_players

    chosen = _both_rules(options, sides)
    setup = Setup(
        players=options.players or usual_players(chosen[0].mode),
        strategies=names_in(options.strategies),
        clans=None if options.clans is None else names_in(options.clans),
        seed=options.seed,
        games=options.games,
        worth=not options.no_worth,
    )
    study = TwoRuleSets(*chosen, setup)
    return run_study(study, engine=Threads(options.jobs), quiet=options.as_json)


def _show(comparison: Comparison, page: Path | None, *, as_json: bool) -> None:
    """Print a comparison, as JSON or as tables, and write its page."""
    from ethnos_sim.reports.comparison.document import as_document, as_record

    if as_json:
        click.echo(json.dumps(as_record(comparison), indent=2))
    if as_json and page is None:
        return
    document = as_document(comparison)
    if page is not None:
        write_page(document, page)
    if not as_json:
        say(f"{document.facts}\n")
        print_sections(document.sections[:-1])  # Definitions are for the page.
        if page is not None:
            click.echo(page)


def _is_rules(side: str) -> bool:
    """Whether a side names a rule set, which begins with an edition."""
    from ethnos_sim.reports.comparison.two_rule_sets import folder_named

    edition = side.partition("+")[0]
    if not isinstance(folder_named(side), str):
        return False
    if (Path(edition) / "plan.json").is_file():
        raise click.UsageError(
            f"'{edition}' is an edition and also a sweep's folder here: write './{edition}' for "
            "the folder, or go to another folder to compare the edition"
        )
    return True


def _both_rules(options: Options, sides: Sequence[str]) -> tuple[RuleSet, RuleSet]:
    """The rules of both sides; the first side has the printed rules if it is not given."""
    from ethnos_sim.simulator.rules import RuleSet
    from ethnos_sim.simulator.tables.modes import STANDARD

    if len(sides) > 2:
        raise click.UsageError(f"two sides are compared, not {len(sides)}")
    given = typed_options(click.get_current_context(), "edition", "variants", "settings")
    if sides and given:
        raise click.UsageError(
            f"{given[0]} does not go with a rule set as an argument; add it to '{sides[-1]}' "
            "after a plus sign"
        )
    mode = options.mode_asked
    second = RuleSet.parse(sides[-1], mode) if sides else options.rule_set
    if len(sides) == 2:
        first = RuleSet.parse(sides[0], mode)
        if _are_alike(first, second):
            raise click.UsageError(
                f"both sides are '{first.label}'; say what differs, as in "
                f"{first.edition}+bear.on_take=2"
            )
        return first, second
    printed = RuleSet(edition=second.edition, mode=mode or STANDARD)
    if _are_alike(printed, second):
        raise click.UsageError(
            "say what differs: --variant V, --set NAME=VALUE, a rule set such as "
            "second+bear.on_take=2, or two folders"
        )
    return printed, second


def _are_alike(first: RuleSet, second: RuleSet) -> bool:
    """Whether two choices play the same rules, whatever words they are made with."""
    return first.mode == second.mode and first.rules().rules_id == second.rules().rules_id


def _check_folders(sides: Sequence[str]) -> None:
    """Raise UsageError for sides or options that do not go with folders."""
    rules = [side for side in sides if _is_rules(side)]
    if rules:
        raise click.UsageError(f"'{rules[0]}' is a rule set; folders are compared with folders")
    if len(sides) != 2:
        raise click.UsageError(f"two folders are compared, not {len(sides)}")
    context = click.get_current_context()
    played_options = context.params.keys() - {"sides", "as_json", "page"}
    given = typed_options(context, *played_options)
    if given:
        raise click.UsageError(f"{given[0]} is for rule sets played now, not for folders")
