"""`ethnos-sim check`: signatures must stay the same, and balance numbers must not move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, Group, StrategyFiles, takes, typed_options
from ethnos_sim.commands.tables import print_sections, say

if TYPE_CHECKING:
    from ethnos_sim.experiments.specs.spec import Changes
    from ethnos_sim.reports.gate.decision import GateResult


@dataclass(frozen=True, kw_only=True)
class BaselineOptions(StrategyFiles):
    """The baseline, and changes to its specs."""

    file: Path | None = option.file(
        "--baseline", "A baseline of your own; its signatures are in signatures.toml beside it."
    )
    only: str | None = option.given(
        "--only",
        type=click.Choice(["signatures", "balance"]),
        help="Check or record only one of the two.",
    )
    settings: Sequence[str] = option.settings()
    variants: Sequence[str] = option.variants()
    seed: int | None = option.number(
        "--seed", "Random seed; unless given, the one after the baseline's."
    )
    jobs: int = option.jobs()


@dataclass(frozen=True, kw_only=True)
class Options(BaselineOptions):
    """How much to check, and where the result goes."""

    quick: bool = option.flag(
        "--quick", "Use three times the margins and a ninth of the games, but not of worth."
    )
    markdown: Path | None = option.output(
        "--markdown", "FILE.md", "Write a summary in Markdown too."
    )


@dataclass(frozen=True, kw_only=True)
class RecordOptions(BaselineOptions):
    """The specs of a new baseline."""

    spec: Path | None = option.file(
        "--spec", "The specs to play; those of the old baseline unless given."
    )


@click.group(
    "check",
    cls=Group,
    invoke_without_command=True,
    hints={
        "--games": "The baseline says how many; '--quick' plays a ninth.",
        "--mode": 'A spec names its modes: modes = ["recruitment"].',
        "--replace": "Compare strategies with 'match', or change the baseline's spec.",
        "--junit": "--markdown FILE.md writes the same numbers.",
    },
)
@takes(Options)
@click.pass_context
def command(context: click.Context, options: Options) -> None:
    """Check that results did not change, and balance numbers did not move.

    Signatures: the whole-number tables of a small run with a fixed seed must equal the stored ones.
    Balance: fresh games are played until every number is significantly within its margin of the
    stored one, or one moved significantly by more than half its margin.

    Exit codes: 0 if all is well, 3 if a number moved, 4 if the games ran out before every number
    was decided, 5 if the games changed (a signature) and no number moved.
    """
    if context.invoked_subcommand is not None:
        if typed_options(context):
            raise click.UsageError(f"write {typed_options(context)[0]} after 'record'")
        return
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.gate.check_result import CheckResult, as_document
    from ethnos_sim.reports.gate.recording import check_signatures
    from ethnos_sim.reports.rendering.markdown import as_markdown

    changes = _changes(options)
    signatures = None if options.only == "balance" else check_signatures(options.file, changes)
    balance = None if options.only == "signatures" else _balance(options, changes)
    result = CheckResult(signatures, balance)
    document = as_document(result)
    if options.markdown is not None:
        write_output(options.markdown, as_markdown(document, "").encode())
    print_sections(document.sections)
    say(document.facts)
    context.exit(result.exit_code)


@command.command(
    "record",
    cls=Command,
    hints={"--reason": "Say in your repository's log why the numbers changed."},
)
@takes(RecordOptions)
def record(options: RecordOptions) -> None:
    """Record a new baseline: signatures and balance numbers."""
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.gate.baseline import BUNDLED, write_baseline
    from ethnos_sim.reports.gate.recording import Recording, baseline_plans, record_signatures
    from ethnos_sim.reports.study import run_study

    file, changes = options.file, _changes(options)
    if file is None and (changes.settings or changes.variants):
        raise click.UsageError("the bundled baseline is about the printed rules; give --baseline")
    if options.only != "signatures":
        path = file or BUNDLED
        study = Recording(path, *baseline_plans(path, options.spec, changes, options.seed))
        baseline = run_study(study, engine=Threads(options.jobs), quiet=False)
        write_baseline(path, baseline)
        say(study.document(baseline).facts)
    elif options.spec is not None:
        raise click.UsageError("--spec is for balance numbers; leave out --only signatures")
    if options.only != "balance":
        path, changed = record_signatures(file, changes)
        sentence = f"recorded: {', '.join(changed)}" if changed else "nothing has changed"
        click.echo(f"{path}: {sentence}.")


def _changes(options: BaselineOptions) -> Changes:
    """The changes to the baseline's specs that options ask for.

    Raises:
        UsageError: a variant is a mode, which a spec names.
    """
    from ethnos_sim.experiments.specs.spec import Changes
    from ethnos_sim.simulator.tables.modes import RECRUITMENT

    if RECRUITMENT in options.variants:
        raise click.UsageError(f'a spec names its modes: modes = ["{RECRUITMENT}"]')
    return Changes(settings=tuple(options.settings), variants=tuple(options.variants))


def _balance(options: Options, changes: Changes) -> GateResult:
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.gate.baseline import BUNDLED, read_baseline
    from ethnos_sim.reports.gate.run import FULL, QUICK, Check
    from ethnos_sim.reports.study import run_study

    path = options.file or BUNDLED
    baseline = read_baseline(path)
    seed = baseline.seed + 1 if options.seed is None else options.seed
    study = Check(baseline, path.parent, seed, QUICK if options.quick else FULL, changes)
    return run_study(study, engine=Threads(options.jobs), quiet=False)
