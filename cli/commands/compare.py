"""`ethnos-sim compare`: the differences between two rule sets, or two sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.command import Command, typed_options
from ethnos_sim.commands.options import (
    clans_option,
    errors_by_option,
    games_option,
    jobs_option,
    json_option,
    page_option,
    players_option,
    seed_option,
    strategies_option,
    strategy_files_option,
)
from ethnos_sim.commands.tables import show_document

if TYPE_CHECKING:
    from ethnos_sim.simulator.rules import RuleSet

EXAMPLES = """\b
Examples:
  compare second+bear.on_take=2          what one value does
  compare second+recruitment             what the Recruitment mode does
  compare first second                   the editions
  compare second+a.toml second+b.toml    variant against variant
  compare results-a results-b            two folders that sweep made
  compare results+printed results+mild   two rule sets of one folder
"""


@click.command("compare", cls=Command, epilog=EXAMPLES)
@click.argument("sides", metavar="[A] B", nargs=-1)
@strategies_option
@clans_option("Unless given, twelve sets in which all clans appear equally often.")
@games_option(160_000, "Each side gets half. Every second game tells what clans are worth.")
@page_option
@jobs_option
@json_option
@players_option
@seed_option
@strategy_files_option
def command(
    sides: Sequence[str],
    strategies: str,
    clans: list[str] | None,
    games: int,
    out: Path | None,
    jobs: int,
    as_json: bool,
    players: int | None,
    seed: int,
    strategy_files: Sequence[Path],
) -> None:
    """Compare two rule sets that are played now, or the folders of two sweeps.

    A rule set is an edition, followed by variants, a mode or values after plus signs. Without A it
    is compared with the printed rules of its edition, in its own mode.

    Both sides are played on the same deals. Every number gets its difference with an interval and
    a verdict: it matters, is alike (within its margin), close to the margin, or open.
    """
    from ethnos_sim.reports.comparison.document import as_document, as_record
    from ethnos_sim.reports.comparison.two_rule_sets import compare

    first, second = _both_sides(sides)
    with errors_by_option("compare"):
        comparison = compare(
            first,
            second,
            players=players,
            strategies=strategies,
            clans=clans,
            games=games,
            seed=seed,
            jobs=jobs,
            quiet=as_json,
        )
    show_document(as_document(comparison), as_record(comparison), out, as_json=as_json)


def _both_sides(words: Sequence[str]) -> Sequence[str]:
    """The words of both sides; UsageError if they cannot be compared."""
    from ethnos_sim.reports.comparison.two_rule_sets import named
    from ethnos_sim.simulator.rules import RuleSet

    if len(words) > 2:
        raise click.UsageError(f"two sides are compared, not {len(words)}")
    rules = [side for side in (named(word, None) for word in words) if isinstance(side, RuleSet)]
    if len(rules) == len(words):
        return _both_rules(rules)
    if rules:
        raise click.UsageError("rules are compared with rules, and folders with folders")
    if len(words) != 2:
        raise click.UsageError("two folders are compared, not 1")
    played_options = click.get_current_context().params.keys() - {"sides", "as_json", "out"}
    if given := typed_options(*played_options):
        raise click.UsageError(f"{given[0]} is for rule sets played now, not for folders")
    return words


def _both_rules(rules: Sequence[RuleSet]) -> Sequence[str]:
    """The words of both rule sets; the first has the printed rules if it is not given."""
    from ethnos_sim.simulator.rules import RuleSet

    if not rules:
        raise click.UsageError(
            "say what differs: a rule set such as second+bear.on_take=2, or two folders"
        )
    *others, second = rules
    mode = second.mode if second.variants or second.values else "standard"
    first = others[0] if others else RuleSet(edition=second.edition, mode=mode)
    if first.mode == second.mode and first.rules().rules_id == second.rules().rules_id:
        raise click.UsageError(
            f"both sides are '{first.label}'; say what differs, as in "
            f"{first.edition}+bear.on_take=2"
        )
    return first.word, second.word
