"""`ethnos-sim sweep`: play plans into a folder, and continue sweeps that it holds."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import errors, option
from ethnos_sim.commands.interruption import when_interrupted
from ethnos_sim.commands.options import Command, EngineOptions, takes, words_of
from ethnos_sim.commands.report import write_page
from ethnos_sim.commands.tables import count, print_table
from ethnos_sim.simulator.user_code.loading import only_read

if TYPE_CHECKING:
    from ethnos_sim.experiments.plans.plan import Plan
    from ethnos_sim.experiments.specs.spec import Changes

ENGINE_HINT = "Games are played in threads; --scheduler ADDR plays on a dask cluster."

ALL = "all"
"""Stands for every bundled spec."""


@dataclass(frozen=True, kw_only=True)
class Options(EngineOptions):
    """Changes to the specs, the folder of the results, and what to do with them."""

    folder: Path | None = option.output("--out", "DIR", "Output folder.", folder=True)
    games: int | None = option.games(
        None, "Spread evenly over the cells; the spec's number unless given."
    )
    quick: bool = option.flag("--quick", "Play the few games of the spec's quick size.")
    seed: int | None = option.number("--seed", "Random seed; the spec's unless given.")
    settings: Sequence[str] = option.settings()
    variants: Sequence[str] = option.variants()
    report: bool = option.flag("--report", "Make the page DIR/report.html afterwards.")
    verify: bool = option.flag("--verify", "Play nothing: check every file in DIR.")
    dry_run: bool = option.flag(
        "--dry-run", "Play nothing: show the games of the sweep, their time and their disk space."
    )
    shard_games: int | None = option.number(
        "--shard-games",
        "Games per file, roughly; chosen by the sweep unless given.",
        least=1,
        rare=True,
    )
    quiet: bool = option.flag("--quiet", "Show no progress.", rare=True)

    def changes(self) -> Changes:
        """The changes to the specs."""
        from ethnos_sim.experiments.specs.spec import Changes

        return Changes(
            games=self.games,
            quick=self.quick,
            seed=self.seed,
            settings=tuple(self.settings),
            variants=tuple(self.variants),
        )

    def again(self, specs: Sequence[str], *planned: str) -> str:
        """The command line that continues an interrupted sweep, with the options `planned` too."""
        repeated = ("folder", "strategy_files", "scheduler", "report")
        return shlex.join(["ethnos-sim", "sweep", *specs, *words_of(self, *planned, *repeated)])


@click.command("sweep", cls=Command, hints={"--engine": ENGINE_HINT})
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@takes(Options)
@click.pass_context
def command(context: click.Context, options: Options, specs: Sequence[str]) -> None:
    """Play many games over clan sets and player counts, into a folder.

    SPEC is a TOML file, or the name of a bundled spec, as in `sweep seats` (an unknown name lists
    them all). Without SPEC the usual sweep is played: clans in both editions with 2 to 6 players.
    With several specs, or `all` bundled ones, each sweep goes into a folder of its name below DIR,
    and --report makes one page of all sweeps.

    If DIR already holds the sweep, it is continued where it stopped. A larger --games adds games.
    """
    for spec in specs:
        option.path(spec)  # refuses an empty name
    if options.folder is None and not options.dry_run:
        from ethnos_sim.experiments.specs.spec import load_spec

        for spec in specs:
            if spec != ALL:
                load_spec(Path(spec))  # names what is known before it asks for a folder
        raise click.UsageError("give the folder for the results: --out DIR")
    if options.quick and options.games is not None:
        raise click.UsageError("--quick is a number of games; leave out --games")
    if options.verify:
        assert options.folder is not None
        context.exit(_verify(options.folder))
    if options.dry_run and len(specs) < 2 and ALL not in specs:
        with only_read():
            _describe(_planned(options, specs), options.jobs)
        return
    # The folder does not know its spec before the plan is written.
    anew = options.again(specs, "games", "quick", "seed", "settings", "variants", "shard_games")
    with when_interrupted(lambda: f"Interrupted before the first game. To begin again: {anew}"):
        options.playing()  # refuses a wrong engine before a plan is made
        play = _play_several if len(specs) > 1 or ALL in specs else _play_one
        play(options, specs)


def _play_one(options: Options, specs: Sequence[str]) -> None:
    """Play one spec: the given one, the folder's, or the usual one."""
    folder = options.folder
    assert folder is not None
    plan = _planned(options, specs)
    advice = f"Interrupted; every finished shard is kept. To go on: {_again(options, plan)}"
    with when_interrupted(lambda: advice if (folder / "plan.json").exists() else None):
        _play(plan, folder, options)
        if options.report:
            write_page((folder,), None)
            return
    click.echo(f"Next: {shlex.join(['ethnos-sim', 'report', str(folder)])}")


def _planned(options: Options, specs: Sequence[str]) -> Plan:
    """The plan of the given spec, of the folder, or of the usual spec."""
    from ethnos_sim.experiments.execution.sweep import choose_plan

    plan = choose_plan(Path(specs[0]) if specs else None, options.folder, options.changes())
    return plan if options.shard_games is None else plan.with_shards_of(options.shard_games)


def _again(options: Options, plan: Plan) -> str:
    """The command line that continues a plan's sweep, with the files of its powers."""
    from ethnos_sim.experiments.execution.workers import power_files
    from ethnos_sim.simulator.utilities.errors import PowerError

    # A sweep with nothing left to play needs no powers. Any other sweep without them fails later.
    with suppress(PowerError):
        powers = [Path(os.path.relpath(file)) for file in power_files(plan)]
        files = tuple(dict.fromkeys([*options.strategy_files, *powers]))
        return replace(options, strategy_files=files).again(())
    return options.again(())


def _play_several(options: Options, specs: Sequence[str]) -> None:
    """Play several bundled specs, each into its own folder, and make one page of them."""
    from ethnos_sim.experiments.execution.sweep import plan_study

    for name, given in {
        "--games": options.games,
        "--set": options.settings,
        "--variant": options.variants,
        "--dry-run": options.dry_run,
    }.items():
        if given:
            raise click.UsageError(f"{name} is for one spec, not for several")
    folder = options.folder
    assert folder is not None
    again = options.again(specs, "quick", "seed")
    advice = f"Interrupted; every finished shard is kept. To go on: {again}"
    with when_interrupted(lambda: advice):
        names = () if ALL in specs else specs
        plans = plan_study(names, folder, quick=options.quick, seed=options.seed)
        print_table(
            "Experiments",
            ("name", "cells", "games"),
            [
                (into.name, count(len(plan.cells)), count(plan.games))
                for into, plan in plans.items()
            ],
        )
        for place, (into, plan) in enumerate(plans.items(), 1):
            click.echo(f"{place} of {len(plans)}: {into.name}")
            _play(plan, into, options)
        if options.report:
            write_page(tuple(plans), folder / "report.html")


def _verify(folder: Path) -> int:
    from ethnos_sim.experiments.execution.verification import verify

    verified = verify(folder)
    results = verified.results
    for fault in verified.faults:
        click.echo(fault)
    state = "complete" if results.complete else f"of {results.plan.games:,} planned"
    summary = f"{len(results.records):,} shards, {results.games_held:,} games, {state}"
    if verified.faults:
        faults = len(verified.faults)
        click.echo(f"{summary}: {faults} fault{'s' * (faults > 1)}")
        return errors.FAILED
    click.echo(f"{summary}: every file is as it was written")
    return errors.DONE


def _play(plan: Plan, folder: Path, options: Options) -> None:
    from ethnos_sim.experiments.execution.sweep import sweep

    swept = sweep(plan, folder, engine=options.playing(), quiet=options.quiet)
    played = swept.played
    if played.games:
        click.echo(
            f"Played {played.games:,} games in {played.seconds:.1f} s, "
            f"{played.games_per_second:,.0f} games/s."
        )
    else:
        click.echo("Nothing was left to play.")
    megabytes = swept.bytes_held / 1e6
    click.echo(f"{folder} holds {swept.games_held:,} games in {megabytes:,.1f} MB.")


def _describe(plan: Plan, jobs: int) -> None:
    """Print the games of a plan by partition, and the time and space that they take."""
    from ethnos_sim.experiments.execution.calibration import needs_of
    from ethnos_sim.experiments.execution.playing import prepare_tables
    from ethnos_sim.experiments.execution.progress import in_words
    from ethnos_sim.experiments.plans.plan import missing_shards
    from ethnos_sim.simulator.custom_powers.registry import NOT_RUN

    rows = [
        (
            partition.edition,
            *((partition.rules,) if partition.rules else ()),
            str(partition.players),
            partition.mode,
            count(len({cell.clans for cell in cells})),
            count(len({cell.line_up for cell in cells})),
            count(len(cells)),
            count(plan.rounds[partition] * plan.games_per_round(partition)),
        )
        for partition, cells in plan.cells_of.items()
    ]
    rules_column = ("rules",) if any(partition.rules for partition in plan.cells_of) else ()
    counts = ("players", "mode", "clan sets", "line-ups", "cells", "games")
    print_table(plan.name, ("edition", *rules_column, *counts), rows)
    click.echo(
        f"{plan.extent}.\n{len(missing_shards(plan, [])):,} shards, seed {plan.seed}, "
        f"plan {plan.plan_id}"
    )
    if any(NOT_RUN in str(value) for edition in plan.editions for value in edition.values.values()):
        click.echo(
            "Not measured: the rules have custom powers, and a dry run does not run their Python."
        )
        return
    needs = needs_of(plan, prepare_tables(plan), jobs)
    threads = "1 thread" if jobs == 1 else f"{jobs} threads"
    click.echo(
        f"{needs.games:,} games, about {in_words(needs.seconds)} with {threads} of this machine, "
        f"{needs.games / needs.seconds:,.0f} games/s, up to {needs.bytes / 1e6:,.0f} MB"
    )
    click.echo(
        "Measured by playing for a moment with another seed: no game of the sweep was played, and "
        "nothing was written."
    )
