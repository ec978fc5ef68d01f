"""`ethnos-sim compare`: the differences between two rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

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

EXAMPLES = """\b
Examples:
  compare second+bear.on_take=2          what one value does
  compare second+recruitment             what the Recruitment mode does
  compare first second                   the editions
  compare second+a.toml second+b.toml    variant against variant
"""


@click.command("compare", epilog=EXAMPLES)
@click.argument("sides", metavar="[A] B", nargs=-1)
@strategies_option
@clans_option("By default, twelve sets in which all clans appear equally often.")
@games_option(160_000, "Each side gets half. In every second game each seat gives up a clan.")
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
    """Compare two rule sets, from games that are played now.

    A rule set is an edition, followed by variants, a mode or values after plus signs. Without A, B
    is compared with the printed rules of its edition, in its own mode.

    Both sides are played on the same deals. Every number gets its difference with an interval, and
    a verdict: matters, alike (within its margin), close to the margin, or open.
    """
    from ethnos_sim.reports.comparison.comparison_study import compare
    from ethnos_sim.reports.comparison.document import as_document, as_record

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


def _both_sides(words: Sequence[str]) -> tuple[str, str]:
    """Both rule sets as words; if only one is given, the first has the printed rules."""
    from ethnos_sim.simulator.rules import RuleSet

    if not 1 <= len(words) <= 2:
        raise click.UsageError("write one rule set or two, as in `compare second+bear.on_take=2`")
    *others, second = map(RuleSet.parse, words)
    mode = second.mode if second.variants or second.values else "standard"
    first = others[0] if others else RuleSet(edition=second.edition, mode=mode)
    if first.mode == second.mode and first.rules().rules_id == second.rules().rules_id:
        raise click.UsageError(
            f"both sides are '{first.label}'; say what differs, as in "
            f"{first.edition}+bear.on_take=2"
        )
    return first.word, second.word
