"""`ethnos-sim compare`: the differences between two rule sets, or two sweeps."""

from __future__ import annotations

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
from ethnos_sim.commands.tables import print_answer

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
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")
    page: Path | None = option.output("--out", "FILE.html", "Write the comparison as a page too.")


@click.command("compare", cls=Command, epilog=EXAMPLES)
@click.argument("words", metavar="[A] [B]", nargs=-1)
@takes(Options)
def command(options: Options, words: Sequence[str]) -> None:
    """Compare two rule sets that are played now, or the folders of two sweeps.

    A rule set is an edition, followed by variants, a mode or values after plus signs. With one rule
    set, A is the printed rules. With none, --variant and --set make B.

    Both sides are played on the same deals. Every number gets its difference with an interval and
    a verdict: it matters, is alike (within its margin), close to the margin, or open.
    """
    from ethnos_sim.reports.comparison.document import as_document, as_record
    from ethnos_sim.reports.comparison.sides import Side, compare_sides
    from ethnos_sim.reports.comparison.two_rule_sets import named
    from ethnos_sim.simulator.rules import RuleSet

    page = options.page
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"the page's name has to end in .html, not '{page.name}'")
    if len(words) > 2:
        raise click.UsageError(f"two sides are compared, not {len(words)}")
    sides = [named(word, options.mode_asked) for word in words]
    rules = [side for side in sides if isinstance(side, RuleSet)]
    if len(rules) < len(sides):
        _check_folders(words, rules)
        comparison = compare_sides(*map(Side.of_folder, words))
    else:
        with errors_by_option("compare"):
            comparison = _play_both(options, words, rules)
    record = as_record(comparison) if options.as_json else None
    print_answer(as_document(comparison), page, record)


def _play_both(options: Options, words: Sequence[str], rules: Sequence[RuleSet]) -> Comparison:
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.comparison.two_rule_sets import Setup, TwoRuleSets
    from ethnos_sim.reports.study import run_study
    from ethnos_sim.simulator.tables.modes import usual_players

    chosen = _both_rules(options, words, rules)
    setup = Setup(
        players=options.players or usual_players(chosen[0].mode),
        strategies=names_in(options.strategies),
        clans=None if options.clans is None else names_in(options.clans),
        seed=options.seed,
        games=options.games,
    )
    study = TwoRuleSets(*chosen, setup)
    return run_study(study, engine=Threads(options.jobs), quiet=options.as_json)


def _both_rules(
    options: Options, words: Sequence[str], rules: Sequence[RuleSet]
) -> tuple[RuleSet, RuleSet]:
    """The rules of both sides; the first side has the printed rules if it is not given."""
    from ethnos_sim.simulator.rules import RuleSet
    from ethnos_sim.simulator.tables.modes import STANDARD

    given = typed_options(click.get_current_context(), "edition", "variants", "settings")
    if words and given:
        raise click.UsageError(
            f"{given[0]} does not go with a rule set as an argument; add it to '{words[-1]}' "
            "after a plus sign"
        )
    second = rules[-1] if rules else options.rule_set
    printed = RuleSet(edition=second.edition, mode=options.mode_asked or STANDARD)
    first = rules[0] if len(rules) == 2 else printed
    alike = first.mode == second.mode and first.rules().rules_id == second.rules().rules_id
    if alike and len(rules) == 2:
        raise click.UsageError(
            f"both sides are '{first.label}'; say what differs, as in "
            f"{first.edition}+bear.on_take=2"
        )
    if alike:
        raise click.UsageError(
            "say what differs: --variant V, --set NAME=VALUE, a rule set such as "
            "second+bear.on_take=2, or two folders"
        )
    return first, second


def _check_folders(words: Sequence[str], rules: Sequence[RuleSet]) -> None:
    """Raise UsageError for sides or options that do not go with folders."""
    if rules:
        raise click.UsageError("rules are compared with rules, and folders with folders")
    if len(words) != 2:
        raise click.UsageError(f"two folders are compared, not {len(words)}")
    context = click.get_current_context()
    given = typed_options(context, *(context.params.keys() - {"words", "as_json", "page"}))
    if given:
        raise click.UsageError(f"{given[0]} is for rule sets played now, not for folders")
