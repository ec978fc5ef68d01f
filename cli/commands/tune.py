"""`ethnos-sim strategies tune`: the best parameters against a line-up, and their worth."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, TableOptions, takes
from ethnos_sim.commands.tables import print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.tuning import Tuning, Values
    from ethnos_sim.experiments.statistics.intervals import Interval
    from ethnos_sim.reports.rating.shares import TuningResult
    from ethnos_sim.strategies.tuned_parameters import Tuned


MEASURED_PART = 5
"""One in this many games measures the result on fresh deals, and one in this many measures the
parameters before the search. The search has the other games."""


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions):
    """The rivals of the search, and its games."""

    against: str = option.text(
        "--against",
        "A,B,...",
        "The strategies in the other seats; a short list repeats. In solo Bruno is the rival.",
        default="champion",
    )
    games: int = option.games(
        300_000, "Two fifths are on fresh deals and measure the result.", least=MEASURED_PART
    )
    save: Path | None = option.output(
        "--save",
        "FILE.toml",
        "Put the result into a file of tuned parameters, for this edition and player count.",
    )
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")


@click.command("tune", cls=Command)
@click.argument("name")
@takes(Options)
def tune(options: Options, name: str) -> None:
    """Search the best parameters of a strategy.

    NAME may set parameters (name:parameter=value); these stay as they are, and so do clans. The
    printed share is measured on deals that the search has not played.
    """
    from ethnos_sim.experiments.execution.progress import shown_progress
    from ethnos_sim.experiments.matches.tuning import play_points, prepare_tuning, search
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.rating.shares import tuning_result
    from ethnos_sim.strategies.tuned_parameters import read_tuned, write_tuned

    rules = options.rules()
    if options.save is not None and options.save.exists():
        read_tuned(options.save)  # refused before the search
    fresh = options.games // MEASURED_PART
    tuning = prepare_tuning(
        rules,
        name,
        options.against.split(","),
        players=options.seats,
        budget=options.games - 2 * fresh,
        seed=options.seed,
        mode=options.mode,
    )
    title = (
        f"Tuning {len(tuning.searched)} parameters of {name}: about {options.games:,} games, in "
        f"{tuning.generations} generations of {tuning.candidates} and twice {fresh:,} fresh ones"
    )
    with shown_progress(title, options.games, 0, quiet=options.as_json) as on_games:
        best = search(tuning, threads=options.jobs, on_games=on_games)
        shares = play_points(
            tuning,
            [best, tuning.start],
            games=fresh,
            label=("fresh",),
            threads=options.jobs,
            on_games=on_games,
        )
    result = tuning_result(shares[0], shares[1], options.seats)
    words = [name, "--games", str(options.games)]
    words += ["--against", options.against] if tuning.rivals else []
    tuned = _tuned(tuning, best, result, options, options.command("tune", *words))
    if options.save is not None:
        old = read_tuned(options.save) if options.save.exists() else ()
        entries = {entry.key: entry for entry in (*old, tuned)}
        write_output(options.save, write_tuned(entries.values()).encode())
    if options.as_json:
        click.echo(json.dumps(_record(tuning, tuned, result), indent=2))
    else:
        _print(tuning, tuned, result, rules.title)


def _tuned(
    tuning: Tuning, best: Values, result: TuningResult, options: Options, command: str
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
        edition=options.rule_set.edition,
        players=options.seats,
        mode=options.mode,
        parameters=values,
        against=tuple(entry.name for entry in tuning.rivals),
        share=result.tuned.value,
        low=result.tuned.low,
        high=result.tuned.high,
        games=result.games,
        seed=options.seed,
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
