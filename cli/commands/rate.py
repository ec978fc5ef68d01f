"""`ethnos-sim strategies rate`: a tournament; its win shares, and who beats whom."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, TableOptions, takes
from ethnos_sim.commands.tables import Number, print_table, say

if TYPE_CHECKING:
    from ethnos_sim.reports.rating.rating import Rating


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions):
    """The strategies of the tournament and its games."""

    strategies: str | None = option.text(
        "--strategies", "A,B,...", "Two or more.  [default: all that do not look ahead]"
    )
    games: int = option.games(200_000, "Every table plays the same deals, at least 20.")
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")


@click.command("rate", cls=Command)
@takes(Options)
def rate(options: Options) -> None:
    """Rate strategies by a tournament in all seats.

    Each strategy takes one seat at tables where another strategy has all other seats. A strategy
    beats another one if its seat clearly wins more than an even share there; intervals of all pairs
    hold together.
    """
    from ethnos_sim.experiments.matches.tournament import rated_strategies
    from ethnos_sim.reports.rating.rating import rate_strategies

    rules = options.rules()
    names = options.strategies.split(",") if options.strategies else rated_strategies()
    rating = rate_strategies(
        names,
        rules,
        players=options.seats,
        games=options.games,
        seed=options.seed,
        mode=options.mode,
        jobs=options.jobs,
        quiet=options.as_json,
    )
    words = ["--strategies", ",".join(names), "--games", str(options.games)]
    command = options.command("rate", *words)
    if options.as_json:
        click.echo(json.dumps(_record(options, rating, rules.rules_id, command), indent=2))
    else:
        _print(rating, f"{rules.title}, {options.seats} players, {options.mode} mode", command)


def _record(options: Options, rating: Rating, rules_id: str, command: str) -> dict[str, object]:
    return {
        "edition": options.rule_set.edition,
        "rules_id": rules_id,
        "players": options.seats,
        "mode": options.mode,
        "seed": options.seed,
        "games": rating.games,
        "deals": rating.deals,
        "command": command,
        "strategies": rating.shares.to_dicts(),
        "pairs": rating.pairs.to_dicts(),
    }


def _print(rating: Rating, title: str, command: str) -> None:
    print_table(
        f"{title}: {rating.games:,} games",
        ["strategy", "win share", "95 % low", "95 % high", "beats"],
        [
            [
                row["strategy"],
                *(_percent(row[end]) for end in ("value", "low", "high")),
                ", ".join(rating.beaten_by(row["strategy"])) or "nobody",
            ]
            for row in rating.shares.iter_rows(named=True)
        ],
    )
    names = rating.shares["strategy"].to_list()
    pairs = rating.pairs.select("strategy", "rival", "value", "beats").iter_rows()
    among = {(one, other): _percent(share, beats) for one, other, share, beats in pairs}
    print_table(
        "Win share of one seat (row) among rivals of one strategy (column); "
        f"1/{rating.players} is even, * beats",
        ["", *names],
        [[one, *(among.get((one, other), "") for other in names)] for one in names],
    )
    say(f"{rating.deals:,} deals at every table, each in all its seatings.\n{command}")


def _percent(share: float, beats: bool = False) -> Number:
    """A share, with a star at a terminal if it beats a rival."""
    return Number(f"{share:.1%}{'*' * beats}", share)
