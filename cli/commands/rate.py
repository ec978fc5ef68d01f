"""`ethnos-sim strategies rate`: a tournament, its ratings, payoffs, cycles and equilibrium."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, TableOptions, takes
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.designs.populations import Population
    from ethnos_sim.reports.rating.rating import Rating

#: The most cycles that are printed; --json has all of them.
MOST_CYCLES = 10


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions):
    """The strategies of the tournament, and where its results go."""

    strategies: str | None = option.text(
        "--strategies", "A,B,...", "Two or more.  [default: all that do not look ahead]"
    )
    games: int = option.games(200_000, "Every table plays the same deals, at least 20.")
    out: Path | None = option.output(
        "--out",
        "DIR",
        "Write tables (Parquet, CSV), the payoff figure and the populations into DIR.",
        folder=True,
    )
    populations: Path | None = option.output(
        "--populations",
        "FILE.toml",
        "Put the populations into FILE, in place of those for this edition and player count.",
        rare=True,
    )
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")


@click.command("rate", cls=Command)
@takes(Options)
def rate(options: Options) -> None:
    """Rate strategies by a tournament in all seats.

    Every table of two strategies is played, and tables of three and more. The rating is
    Plackett-Luce's, by winners; 400 points more mean ten times the odds. The equilibrium is the
    mixture of strategies that none can beat on average; a copy of a strategy does not change the
    parts of others.
    """
    from ethnos_sim.experiments.designs.populations import with_populations
    from ethnos_sim.experiments.matches.tournament import rated_strategies
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.figures import check_drawn
    from ethnos_sim.reports.rating.rating import rate_strategies

    if options.out is not None:
        check_drawn()  # the results include a figure
    rules = options.rules()
    listed = options.strategies
    if options.populations is not None:
        with_populations(options.populations, ())  # refused before the games
    names = listed.split(",") if listed is not None else rated_strategies()
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
    strategies = ",".join(rating.played.tournament.strategies)
    words = ["--strategies", strategies, "--games", str(options.games)]
    command = options.command("rate", *words)
    rated = _populations(rating, options, command)
    record = _record(options, rating, rules.rules_id, rated, command)
    if options.out is not None:
        _write(options.out, rating, rated, record)
    if options.populations is not None:
        text = with_populations(options.populations, rated)
        write_output(options.populations, text.encode())
    if options.as_json:
        click.echo(json.dumps(record, indent=2))
    else:
        _print(rating, options, rules.title, command)


def _populations(rating: Rating, options: TableOptions, command: str) -> list[Population]:
    from ethnos_sim.experiments.designs.populations import Population
    from ethnos_sim.reports.rating.rating import populations

    return [
        Population(
            name=name,
            edition=options.edition,
            players=options.seats,
            mode=options.mode,
            weights=weights,
            command=command,
            seed=options.seed,
        )
        for name, weights in populations(rating).items()
    ]


def _write(
    folder: Path,
    rating: Rating,
    rated: Sequence[Population],
    record: dict[str, object],
) -> None:
    from ethnos_sim.experiments.designs.populations import written
    from ethnos_sim.experiments.storage.files import write_all, write_whole
    from ethnos_sim.reports.figures import payoff_figure
    from ethnos_sim.reports.rendering.storage import table_files

    write_all(table_files(folder, rating.tables))
    table = rating.played.tournament.matches[0].tables[0]
    title = f"{table.rules.title}, {table.players} players: {rating.games:,} games"
    for kind, content in payoff_figure(rating.payoffs, table.players, title).items():
        write_whole(folder / f"payoffs.{kind}", content)
    write_whole(folder / "populations.toml", written(rated).encode())
    write_whole(folder / "rating.json", (json.dumps(record, indent=2) + "\n").encode())


def _numbers(row: dict[str, Any], *names: str) -> dict[str, dict[str, float | None]]:
    """Values and their intervals for JSON."""
    ends = {"value": "", "low": "_low", "high": "_high"}
    return {name: {key: row[name + end] for key, end in ends.items()} for name in names}


def _record(
    options: TableOptions,
    rating: Rating,
    rules_id: str,
    rated: Sequence[Population],
    command: str,
) -> dict[str, object]:
    return {
        "edition": options.edition,
        "rules_id": rules_id,
        "players": options.seats,
        "mode": options.mode,
        "seed": options.seed,
        "games": rating.games,
        "deals": rating.ratings["deals"][0],
        "command": command,
        "strategies": [
            {"name": row["strategy"], **_numbers(row, "rating", "mixture", "against_mixture")}
            for row in rating.ratings.iter_rows(named=True)
        ],
        "payoffs": [
            {key: row[key] for key in ("strategy", "rival")}
            | _numbers(row, "alone", "duel")
            | {"beats": row["beats"]}
            for row in rating.payoffs.iter_rows(named=True)
            if row["strategy"] != row["rival"]
        ],
        "cycles": [list(cycle) for cycle in rating.cycles],
        "populations": {population.name: dict(population.weights) for population in rated},
    }


def _print(rating: Rating, options: TableOptions, title: str, command: str) -> None:
    print_table(
        f"{title}, {options.seats} players, {options.mode} mode: {rating.games:,} games",
        ["strategy", "rating", "95 % interval", "equilibrium", "95 % interval", "against it"],
        [
            [
                row["strategy"],
                f"{row['rating']:+.0f}",
                f"{row['rating_low']:+.0f} to {row['rating_high']:+.0f}",
                f"{row['mixture']:.1%}",
                f"{row['mixture_low']:.0%} to {row['mixture_high']:.0%}",
                f"{100 * row['against_mixture']:+.1f} pp",
            ]
            for row in rating.ratings.iter_rows(named=True)
        ],
    )
    shares_of = rating.payoffs.pivot("rival", index="strategy", values="alone")
    print_table(
        "Win share of one seat (row) if the column's strategy fills all other seats; "
        f"1/{options.seats} is even",
        ["", *rating.strategies],
        [
            [name, *("" if share is None else f"{share:.1%}" for share in shares)]
            for name, *shares in shares_of.rows()
        ],
    )
    cycles = [" > ".join((*cycle, cycle[0])) for cycle in rating.cycles[:MOST_CYCLES]]
    click.echo(f"Significant cycles (Holm over all pairs, 5 %): {'; '.join(cycles) or 'none'}.")
    click.echo(
        f"{rating.ratings['deals'][0]:,} deals at every table, each in all its seatings.\n{command}"
    )
