"""`ethnos-sim strategies tune`: the best parameters against a line-up, and their worth."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.command import Command
from ethnos_sim.commands.options import (
    TableOptions,
    games_option,
    jobs_option,
    json_option,
    table_options,
    writable,
)
from ethnos_sim.commands.tables import print_json, print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.tuning import Tuning, Values
    from ethnos_sim.experiments.statistics.intervals import Interval
    from ethnos_sim.reports.rating.shares import TuningResult
    from ethnos_sim.strategies.tuned_parameters import Tuned


MEASURED_PART = 5
"""One in this many games measures the result on fresh deals, and one in this many measures the
parameters before the search. The search has the other games."""


@click.command("tune", cls=Command)
@click.argument("name")
@click.option(
    "--against",
    metavar="A,B,...",
    default="champion",
    show_default=True,
    help="The strategies in the other seats; a short list repeats. In solo Bruno is the rival.",
)
@games_option(300_000, "Two fifths are on fresh deals and measure the result.", least=MEASURED_PART)
@click.option(
    "--save",
    metavar="FILE.toml",
    type=writable,
    help="Add the result to a file of tuned parameters, for this edition and number of players.",
)
@jobs_option
@json_option
@table_options
def tune(
    table: TableOptions,
    name: str,
    against: str,
    games: int,
    save: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Search the best parameters of a strategy.

    NAME may set parameters (name:parameter=value); these stay as they are, and so do clans. The
    printed share is measured on deals that the search has not played.
    """
    from ethnos_sim.experiments.execution.progress import shown_progress
    from ethnos_sim.experiments.matches.tuning import play_points, prepare_tuning, search
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.rating.shares import tuning_result
    from ethnos_sim.strategies.tuned_parameters import read_tuned, write_tuned

    rules = table.rule_set.rules()
    old = read_tuned(save) if save is not None and save.exists() else ()
    fresh = games // MEASURED_PART
    tuning = prepare_tuning(
        rules,
        name,
        against.split(","),
        players=table.players,
        budget=games - 2 * fresh,
        seed=table.seed,
        mode=table.rule_set.mode,
    )
    title = (
        f"Tuning {len(tuning.searched)} parameters of {name}: about {games:,} games, in "
        f"{tuning.generations} generations of {tuning.candidates} and twice {fresh:,} fresh ones"
    )
    with shown_progress(title, games, 0, quiet=as_json) as on_games:
        best = search(tuning, threads=jobs, on_games=on_games)
        shares = play_points(
            tuning,
            [best, tuning.start],
            games=fresh,
            label=("fresh",),
            threads=jobs,
            on_games=on_games,
        )
    result = tuning_result(shares[0], shares[1], table.players)
    words = [name, "--games", str(games), *(["--against", against] if tuning.rivals else [])]
    again = table.command("strategies", "tune", *words)
    tuned = _tuned(tuning, best, result, table, again)
    if save is not None:
        entries = {entry.key: entry for entry in (*old, tuned)}
        write_output(save, write_tuned(entries.values()).encode())
    if as_json:
        print_json(_record(tuning, tuned, result))
    else:
        _print(tuning, tuned, result, rules.title)


def _tuned(
    tuning: Tuning, best: Values, result: TuningResult, table: TableOptions, command: str
) -> Tuned:
    from ethnos_sim.strategies import ClanParameter
    from ethnos_sim.strategies.tuned_parameters import Tuned

    declared = zip(tuning.entry.strategy.parameters, tuning.entry.values, strict=True)
    values = {
        parameter.name: value
        for parameter, value in declared
        if not isinstance(parameter, ClanParameter)
    }
    values.update(zip((parameter.name for parameter in tuning.searched), best, strict=True))
    return Tuned(
        edition=table.rule_set.edition,
        players=table.players,
        mode=table.rule_set.mode,
        parameters=values,
        against=tuple(entry.name for entry in tuning.rivals),
        share=result.tuned.value,
        low=result.tuned.low,
        high=result.tuned.high,
        games=result.games,
        seed=table.seed,
        command=command,
    )


def _record(tuning: Tuning, tuned: Tuned, result: TuningResult) -> dict[str, object]:
    return {
        **asdict(tuned),
        "strategy": tuning.entry.name,
        "line_up": _line_up(tuning, tuned),
        "first": asdict(result.first),
        "gain": asdict(result.gain),
    }


def _print(tuning: Tuning, tuned: Tuned, result: TuningResult, title: str) -> None:
    print_table(
        f"{tuning.entry.name}: {title}, {tuned.players} player{'s' * (tuned.players > 1)}, "
        f"{tuned.mode} mode, against {', '.join(tuned.against) or 'Bruno'}",
        ["parameter", "range", "first", "tuned"],
        [
            [
                parameter.name,
                f"{parameter.low:g} to {parameter.high:g}",
                f"{first:g}",
                f"{tuned.parameters[parameter.name]:g}",
            ]
            for parameter, first in zip(tuning.searched, tuning.start, strict=True)
        ],
    )
    click.echo(f"Win share of a seat on fresh deals: {_words(result.tuned)}.")
    click.echo(f"With the first parameters on the same deals: {_words(result.first)}.")
    click.echo(f"Gain: {_words(result.gain, signed=True)}; {result.games:,} games each.\n")
    click.echo(f"{_line_up(tuning, tuned)}\n{tuned.command}")


def _line_up(tuning: Tuning, tuned: Tuned) -> str:
    """The strategy with its tuned parameters, as in a line-up."""
    return tuning.text(tuple(tuned.parameters[parameter.name] for parameter in tuning.searched))


def _words(share: Interval, *, signed: bool = False) -> str:
    """A share with its interval in percent; with `signed`, a difference in percentage points."""
    sign, unit = ("+", "pp") if signed else ("", "%")
    return (
        f"{100 * share.value:{sign}.2f} {unit} "
        f"({100 * share.low:{sign}.2f} to {100 * share.high:{sign}.2f})"
    )
