"""`ethnos-sim balance`: search the values that bring the clans, or other numbers, to a goal."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.interruption import when_interrupted
from ethnos_sim.commands.options import Command, EngineOptions, errors_by_option, names_in, takes
from ethnos_sim.commands.tables import print_sections
from ethnos_sim.experiments.defaults import STRONGEST

EXAMPLES = """\b
Examples:
  balance --vary bear.on_take --vary koi.prestige_4_6
  balance --vary bear.on_take=0..6 --vary raccoon.coins --budget 10m
  balance mine.toml --out mine
"""

EFFECTS_HINT = "The bundled sweep 'sensitivity' moves one value at a time."

_TIME = re.compile(r"(?P<count>[0-9]{1,6}(\.[0-9]+)?)\s*(?P<unit>s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def seconds(text: str) -> float:
    """Read a length of time, such as 90s, 10m or 2h, in seconds; BadParameter for other texts."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise click.BadParameter(
            f"'{text}' is not a time such as 10m; for a number of games use --games"
        )
    return float(match["count"]) * _SECONDS[match["unit"]]


@dataclass(frozen=True, kw_only=True)
class Options(EngineOptions):
    """The values, goals, games and players of a search; most options are keys of the spec."""

    dimensions: Sequence[str] = option.several(
        "--vary",
        "NAME[=LOW..HIGH[:STEP]]",
        "A value to vary; NAME[0] is the first number of a list. May be given again.",
    )
    targets: Sequence[str] = option.several(
        "--target", "NUMBER[=GOAL]", "A number to bring near to its goal; clan-spread unless given."
    )
    keeps: Sequence[str] = option.several(
        "--keep", "NUMBER[=MARGIN]", "A number to keep within a margin of its present value."
    )
    edition: str = option.rules()
    players: int = option.number("--players", "Players at a table.", default=4, least=2, most=6)
    mode: str = option.text(
        "--mode", "MODE", "standard or recruitment.", default="standard", rare=True
    )
    settings: Sequence[str] = option.settings("Starting values, as in bear.on_take=2.")
    variants: Sequence[str] = option.variants()
    strategies: str | None = option.text(
        "--strategies", "A,B,...", f"Who plays.  [default: {STRONGEST}]"
    )
    validators: Sequence[str] = option.several(
        "--validate-with",
        "A",
        "A strategy that validates by playing all seats; may be given again.  [default: champion, "
        "greedy]",
        rare=True,
    )
    games: int | None = option.games(
        None, "Half of them search, the rest validate the result; 400,000 unless given."
    )
    budget: float | None = option.given(
        "--budget", metavar="TIME", type=seconds, help="A time, as in 10m, in place of --games."
    )
    validation_games: int | None = option.given(
        "--validation-games",
        metavar="N",
        type=option.Whole(),
        help="The games of each validation strategy, out of all games.",
        rare=True,
    )
    tuning_games: int | None = option.given(
        "--tuning-games",
        metavar="N",
        type=option.Whole(),
        help="The games that tune players for a rule set, out of all games; 0 for none.",
        rare=True,
    )
    seed: int = option.seed()
    folder: Path = option.output(
        "--out",
        "DIR",
        "Folder for evaluations, validations and results; a search in it is continued.",
        folder=True,
        default=Path("balance-results"),
    )
    quiet: bool = option.flag("--quiet", "Show no progress.", rare=True)


OPTIONS_OF_SPEC = ("edition", "players", "mode", "seed", "validation_games", "tuning_games")
"""Options that set a key of the spec."""


@click.command("balance", cls=Command, epilog=EXAMPLES, hints={"--effects": EFFECTS_HINT})
@click.argument("file", metavar="[SPEC.toml]", required=False, type=option.path)
@takes(Options)
def command(options: Options, file: Path | None) -> None:
    """Search the rule values that make the clans equal, or bring other numbers to goals.

    Finalists are validated on fresh deals by several populations, and nothing is recommended that
    may be luck. SPEC.toml has the same settings as the options, which override it.
    """
    from ethnos_sim.experiments.balancing.spec import parse_balance_spec
    from ethnos_sim.reports.balancing.document import as_document
    from ethnos_sim.reports.balancing.numbers import prepare
    from ethnos_sim.reports.balancing.run import PAGE_FILE, VARIANT_FILE, run_search

    folder, plays = options.folder, options.playing()
    raw, source = _spec_keys(options, file)
    say = _progress_printer(options.quiet)
    with errors_by_option("balance"):
        raw = _with_games(options, raw, source)
        prepared = prepare(parse_balance_spec(raw, source))
    advice = "Interrupted; every evaluation is kept. To go on, run the same command again."
    with when_interrupted(lambda: advice):
        arguments: dict[str, Any] = {"jobs": options.jobs, "quiet": options.quiet, "say": say}
        document = as_document(run_search(prepared, folder, engine=plays, **arguments))
    say(f"{document.facts}\n")
    print_sections(document.sections)
    for path in (folder / VARIANT_FILE, folder / PAGE_FILE):
        if path.exists():
            click.echo(path)


def _spec_keys(options: Options, file: Path | None) -> tuple[dict[str, Any], str]:
    """The keys of the spec; options override keys of the file."""
    from ethnos_sim.experiments.balancing.spec import moved_value, read_balance_spec
    from ethnos_sim.simulator.rules import RuleSet

    raw: dict[str, Any] = {} if file is None else read_balance_spec(file)
    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    rules = RuleSet.parse(options.edition, options.mode, options.variants, options.settings)
    for name in OPTIONS_OF_SPEC:
        stated = file is None or context.get_parameter_source(name) != default
        value = getattr(rules if name in ("edition", "mode") else options, name)
        if stated and value is not None:
            raw[name] = value
    lists = {
        "variant": rules.variants,
        "set": rules.values,
        "targets": [_number(text, "goal", "--target") for text in options.targets],
        "keep": [_number(text, "margin", "--keep") for text in options.keeps],
        "strategies": names_in(options.strategies or ""),
        "validators": options.validators,
    }
    raw |= {key: list(value) for key, value in lists.items() if value}
    if options.dimensions:
        raw["values"] = [*raw.get("values", []), *map(moved_value, options.dimensions)]
    return raw, "balance" if file is None else str(file)


def _number(text: str, what: str, typed: str) -> dict[str, Any]:
    """Read a number with its goal or margin, as in length=60."""
    name, equals, value = text.partition("=")
    record: dict[str, Any] = {"number": name.strip()}
    if equals:
        try:
            record[what] = float(value)
        except ValueError:
            raise click.UsageError(f"{typed}: '{value}' is not a {what} for {name}") from None
    return record


def _with_games(options: Options, raw: dict[str, Any], source: str) -> dict[str, Any]:
    """Divide `--games` or `--budget` among keys of the spec; `--budget` keeps a stored division."""
    from ethnos_sim.reports.balancing.evaluations import stored_identity
    from ethnos_sim.reports.balancing.run import divided_games

    if options.games is not None and options.budget is not None:
        raise click.UsageError(
            "--budget and --games are two ways to say how long to search; give one of them"
        )
    if options.games is None and options.budget is None:
        return raw
    stored = stored_identity(options.folder)
    if stored is not None and options.budget is not None:
        return raw | {
            key: stored["spec"][key] for key in ("search_games", "validation_games", "tuning_games")
        }
    engine = None if options.budget is None else options.playing()
    budget = options.budget or options.games or 0
    divided = divided_games(raw, source, budget, engine)
    given = {key: raw[key] for key in ("validation_games", "tuning_games") if key in raw}
    return divided | given


def _progress_printer(quiet: bool) -> Callable[[str], None]:
    """A function that prints progress lines with the time to standard error."""
    started = time.monotonic()

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"{time.monotonic() - started:5.0f} s  {line}", err=True)

    return say
