"""`ethnos-sim balance`: which values bring the clans, or any headline number, nearest to a goal."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.engines import engine_of, engine_options
from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import (
    edition_option,
    jobs_option,
    seed_option,
    strategy_files_option,
    variant_option,
)
from ethnos_sim.commands.interruption import when_interrupted
from ethnos_sim.commands.tables import print_sections

if TYPE_CHECKING:
    from ethnos_sim.experiments.balancing.spec import BalanceSpec
    from ethnos_sim.experiments.execution.engines import Engine

EXAMPLES = """\b
Examples:
  balance --over bear.on_take --over koi.prestige_4_6
  balance --over bear.on_take=0..6 --over raccoon.coins --keep length --budget 10m
  balance mine.toml --out mine
"""

_TIME = re.compile(r"(?P<count>\d+(\.\d+)?)\s*(?P<unit>s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}

#: Parts of a time that the search, and each population that judges, get.
SEARCH_PART = 0.5

OPTIONS_OF_SPEC = {
    "edition": "edition",
    "players": "players",
    "mode": "mode",
    "seed": "seed",
    "fresh": "fresh",
    "adapt": "adapt",
}
"""Options that stand for a key of the spec."""


@click.command("balance", epilog=EXAMPLES)
@click.argument("file", metavar="[SPEC.toml]", required=False, type=click.Path(path_type=Path))
@edition_option
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True)
@click.option("--mode", default="standard", show_default=True, help="standard or recruitment.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Begin elsewhere.")
@variant_option
@click.option(
    "--over",
    "overs",
    metavar="NAME[=LOW..HIGH[:STEP]]",
    multiple=True,
    help="A value to move; NAME[0] is the first number of a list. May be given again.",
)
@click.option(
    "--target",
    "targets",
    metavar="NUMBER[=GOAL]",
    multiple=True,
    help="What to bring near to its goal; clan-spread unless given.",
)
@click.option(
    "--keep",
    "keeps",
    metavar="NUMBER[=MARGIN]",
    multiple=True,
    help="What has to stay within a margin of where it is.",
)
@click.option("--strategies", metavar="A,B,...", help="Who plays; as in compare unless given.")
@click.option("--judge", "judges", metavar="A", multiple=True, help="Who judges besides, alone.")
@click.option(
    "--budget", metavar="GAMES|TIME", help="Games of the search, or a time for all, as in 10m."
)
@click.option("--fresh", type=int, help="Games of each population that judges; a third of it.")
@click.option("--adapt", type=int, help="Games that tune players for each rule set; 0 for none.")
@seed_option
@jobs_option
@strategy_files_option
@engine_options
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    type=OutputPath(folder=True),
    default="balance-results",
    show_default=True,
    help="Where looks, judgements and results go; a search there goes on.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.option(
    "--effects", is_flag=True, help="Search nothing: rank what each value does; all unless named."
)
@click.pass_context
def command(
    context: click.Context,
    /,
    file: Path | None,
    folder: Path,
    jobs: int | None,
    strategy_files: Sequence[Path],
    quiet: bool,
    effects: bool,
    budget: str | None,
    engine: str,
    scheduler: str | None,
    **given: Any,
) -> None:
    """Search the values that make the clans equal, or bring other numbers to their goals.

    Finalists are judged on fresh deals, by several populations; nothing is recommended that may be
    luck. SPEC.toml says the same as the options, which come first.
    """
    # Fits are small, and threads of BLAS would wait for each other and for those that play.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"

    from joblib import cpu_count

    from ethnos_sim.reports.balancing.effects import as_document as effects_document
    from ethnos_sim.reports.balancing.effects import screen_values
    from ethnos_sim.reports.balancing.run import (
        PAGE_FILE,
        VARIANT_FILE,
        prepare,
        run_search,
        write_page,
    )
    from ethnos_sim.reports.balancing.told import as_document

    workers = jobs or cpu_count()
    plays = engine_of(engine, jobs, scheduler, strategy_files)
    raw, source = _raw(context, file, given)
    spec = _with_budget(raw, source, folder, budget, plays, effects=effects)
    prepared = prepare(spec, effects=effects)
    say = _sayer(quiet)
    advice = "Interrupted; every look is kept. To go on, run the same command again."
    with when_interrupted(lambda: advice):
        if effects:
            words = [target["number"] for target in raw.get("targets", [])]
            document = effects_document(screen_values(prepared, words, folder, plays, say))
            write_page(document, folder)
        else:
            document = as_document(
                run_search(prepared, folder, engine=plays, jobs=workers, quiet=quiet, say=say)
            )
    click.echo(f"{document.facts}\n")
    print_sections(document.sections)
    for path in (folder / VARIANT_FILE, folder / PAGE_FILE):
        if path.exists():
            click.echo(path)


def _raw(
    context: click.Context, file: Path | None, given: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """The spec's keys: those of the file, and above them what options say."""
    from ethnos_sim.experiments.balancing.spec import moved_value, read_balance_spec

    raw: dict[str, Any] = {} if file is None else read_balance_spec(file)
    default = click.core.ParameterSource.DEFAULT
    for option, key in OPTIONS_OF_SPEC.items():
        told = file is None or context.get_parameter_source(option) != default
        if told and given[option] is not None:
            raw[key] = given[option]
    if given["variants"]:
        raw["variant"] = list(given["variants"])
    if given["settings"]:
        raw["set"] = list(given["settings"])
    if given["overs"]:
        raw["values"] = [*raw.get("values", []), *map(moved_value, given["overs"])]
    for option, key, number in (("targets", "targets", "goal"), ("keeps", "keep", "margin")):
        if given[option]:
            raw[key] = [_number(text, number) for text in given[option]]
    if given["strategies"]:
        raw["strategies"] = [name.strip() for name in given["strategies"].split(",")]
    if given["judges"]:
        raw["judges"] = list(given["judges"])
    return raw, "balance" if file is None else str(file)


def _number(text: str, what: str) -> dict[str, Any]:
    """A number with its goal or margin from a word, as in length=60."""
    name, equals, value = text.partition("=")
    found: dict[str, Any] = {"number": name.strip()}
    if equals:
        try:
            found[what] = float(value)
        except ValueError:
            raise click.UsageError(f"'{value}' is no {what} for {name}") from None
    return found


def _with_budget(
    raw: dict[str, Any],
    source: str,
    folder: Path,
    budget: str | None,
    engine: Engine,
    *,
    effects: bool,
) -> BalanceSpec:
    """The spec with its budget in games; a time is turned into games once, and kept."""
    from ethnos_sim.experiments.balancing.spec import parse_balance_spec
    from ethnos_sim.reports.balancing.journal import stored_identity

    asked = str(raw.pop("budget", "")) if budget is None else budget
    if not asked:
        return parse_balance_spec(raw, source)
    match = _TIME.fullmatch(asked.strip())
    if match is None:
        if not asked.replace("_", "").isdecimal():
            raise click.UsageError(f"the budget '{asked}' is no number of games and no time as 10m")
        return parse_balance_spec(raw | {"budget": int(asked)}, source)
    stored = stored_identity(folder)
    if stored is not None:
        kept = {key: stored["spec"][key] for key in ("budget", "fresh", "adapt")}
        return parse_balance_spec(raw | kept, source)
    seconds = float(match["count"]) * _SECONDS[match["unit"]]
    return _timed(raw, source, seconds, engine, effects=effects)


def _timed(
    raw: dict[str, Any], source: str, seconds: float, engine: Engine, *, effects: bool
) -> BalanceSpec:
    """The spec with the games that fit into a time, by the speed of a moment of play."""
    from ethnos_sim.experiments.balancing.spec import parse_balance_spec
    from ethnos_sim.reports.balancing.run import looks_of, prepare

    spec = parse_balance_spec(raw, source)
    prepared = prepare(spec, effects=effects)
    looks = looks_of(prepared, engine)
    looks.play(0, [prepared.space.start], [range(1)])
    rounds = 2
    while True:
        started = time.perf_counter()
        (played,) = looks.play(0, [prepared.space.start], [range(rounds)])
        took = time.perf_counter() - started
        if took > min(2.0, seconds / 20):
            break
        rounds *= 2
    games = int(played.games / took * seconds)
    if effects:
        return parse_balance_spec({**raw, "budget": max(10_000, games)}, source)
    populations = 1 + len(spec.judges) + bool(spec.adapt)
    search = max(10_000, int(games * SEARCH_PART))
    shares: dict[str, int] = {"budget": search}
    shares["fresh"] = max(10_000, int(games * (1 - SEARCH_PART) / (populations + bool(spec.adapt))))
    if spec.adapt:
        # Three rule sets are tuned for.
        shares["adapt"] = max(1, shares["fresh"] // 3)
    return parse_balance_spec({**raw, **shares}, source)


def _sayer(quiet: bool) -> Callable[[str], None]:
    """What tells how far a search is, on standard error."""
    started = time.monotonic()

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"{time.monotonic() - started:5.0f} s  {line}", err=True)

    return say
