"""`ethnos-sim strategies rate`: a tournament; its win shares, and who beats whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.options import (
    TableOptions,
    games_option,
    jobs_option,
    json_option,
    table_options,
)
from ethnos_sim.commands.tables import Number, print_json, print_table, print_text

if TYPE_CHECKING:
    from ethnos_sim.reports.rating.rating import Rating


@click.command("rate")
@click.option(
    "--strategies",
    metavar="A,B,...",
    help="Two strategies or more.  [default: all that do not look ahead]",
)
@games_option(200_000, "Every table plays the same deals, at least 20.")
@jobs_option
@json_option
@table_options
def rate(table: TableOptions, strategies: str | None, games: int, jobs: int, as_json: bool) -> None:
    """Rate strategies by a tournament in all seats.

    Each strategy takes one seat at tables where another strategy has all other seats. There it
    beats the other strategy if its seat clearly wins more than an even share. The intervals of all
    pairs hold at once.
    """
    from ethnos_sim.experiments.matches.tournament import default_strategies
    from ethnos_sim.reports.rating.rating import rate_strategies

    rules = table.rule_set.rules()
    names = strategies.split(",") if strategies else default_strategies()
    rating = rate_strategies(
        names,
        rules,
        players=table.players,
        games=games,
        seed=table.seed,
        mode=table.rule_set.mode,
        jobs=jobs,
        quiet=as_json,
    )
    if as_json:
        print_json(_rating_record(table, rating, rules.rules_id))
    else:
        _print_rating(rating, f"{rules.title}, {table.players} players, {table.rule_set.mode} mode")


def _rating_record(table: TableOptions, rating: Rating, rules_id: str) -> dict[str, object]:
    """The result for `--json`."""
    return {
        "edition": table.rule_set.edition,
        "rules_id": rules_id,
        "players": table.players,
        "mode": table.rule_set.mode,
        "seed": table.seed,
        "games": rating.games,
        "deals": rating.deals,
        "strategies": rating.shares.to_dicts(),
        "pairs": rating.pairs.to_dicts(),
    }


def _print_rating(rating: Rating, title: str) -> None:
    """Print the win shares of the strategies, then those of all pairs."""
    print_table(
        f"{title}: {rating.games:,} games",
        ["strategy", "win share", "95 % low", "95 % high"],
        [
            [row["strategy"], *(_percent_cell(row[end]) for end in ("value", "low", "high"))]
            for row in rating.shares.iter_rows(named=True)
        ],
    )
    names = rating.shares["strategy"].to_list()
    pairs = rating.pairs.select("strategy", "rival", "value", "beats").iter_rows()
    among = {(name, rival): _percent_cell(share, beats) for name, rival, share, beats in pairs}
    print_table(
        "Win share of one seat (row) among rivals of one strategy (column); "
        f"1/{rating.players} is even, * beats",
        ["", *names],
        [[name, *(among.get((name, rival), "") for rival in names)] for name in names],
    )
    print_text(f"{rating.deals:,} deals at every table, each in all its seatings.")


def _percent_cell(share: float, beats: bool = False) -> Number:
    """A share of wins; at a terminal, a star marks a strategy that beats its rivals."""
    return Number(f"{share:.1%}{'*' * beats}", share)
