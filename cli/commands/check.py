"""`ethnos-sim check`: signatures must stay the same, and balance numbers must not move."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.options import (
    changes_option,
    jobs_option,
    read_path,
    strategy_files_option,
    typed_options,
    writable_path,
)
from ethnos_sim.commands.tables import print_sections, print_text

if TYPE_CHECKING:
    from ethnos_sim.experiments.specs.spec import SpecChanges
    from ethnos_sim.reports.gate.decision import BalanceResult
    from ethnos_sim.simulator.rules import RuleSet


baseline_option = click.option(
    "--baseline",
    "baseline_file",
    metavar="FILE.toml",
    type=read_path,
    help="A baseline of your own; its signatures are in signatures.toml beside it.",
)
only_option = click.option(
    "--only", type=click.Choice(["signatures", "balance"]), help="Check or record only this part."
)


@click.group("check", invoke_without_command=True)
@click.option(
    "--quick",
    is_flag=True,
    help="Play a twelfth of the games, and allow three times the margins, except for worth.",
)
@click.option(
    "--markdown", metavar="FILE.md", type=writable_path, help="Write a summary in Markdown too."
)
@baseline_option
@only_option
@changes_option
@jobs_option
@strategy_files_option
@click.pass_context
def command(
    context: click.Context,
    quick: bool,
    markdown: Path | None,
    baseline_file: Path | None,
    only: str | None,
    changes: RuleSet,
    jobs: int,
    strategy_files: Sequence[Path],
) -> None:
    """Check that results did not change, and balance numbers did not move.

    Signatures: the whole-number tables of a small run with a fixed seed must equal the stored ones.
    Balance: a new number must differ from the stored one by significantly less than its margin.

    Exit codes: 0 if all is well, 3 if a number moved significantly by more than half its margin, 4
    if the games are too few to decide on every number, 5 if the games changed (a signature) and no
    number moved.
    """
    if context.invoked_subcommand is not None:
        if typed := typed_options():
            raise click.UsageError(f"write {typed[0]} after 'record'")
        return
    from ethnos_sim.experiments.specs.spec import SpecChanges
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.reports.gate.check_result import CheckResult, as_document
    from ethnos_sim.reports.gate.recording import check_signatures
    from ethnos_sim.reports.rendering.markdown import as_markdown

    changed = SpecChanges(settings=changes.values, variants=changes.variants)
    signatures = None if only == "balance" else check_signatures(baseline_file, changed)
    balance = None if only == "signatures" else _check_balance(baseline_file, quick, changed, jobs)
    result = CheckResult(signatures, balance)
    document = as_document(result)
    if markdown is not None:
        write_output(markdown, as_markdown(document).encode())
    print_sections(document.sections)
    print_text(document.facts)
    context.exit(result.exit_code)


@command.command("record")
@click.option(
    "--spec",
    metavar="FILE.toml",
    type=read_path,
    help="A file with the specs to play; by default the specs of the old baseline.",
)
@baseline_option
@only_option
@jobs_option
@strategy_files_option
def record(
    spec: Path | None,
    baseline_file: Path | None,
    only: str | None,
    jobs: int,
    strategy_files: Sequence[Path],
) -> None:
    """Record a new baseline: signatures and balance numbers."""
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.gate.baseline import BUNDLED, write_baseline
    from ethnos_sim.reports.gate.recording import BaselineRecording, new_baseline, record_signatures
    from ethnos_sim.reports.study import run_study

    if only != "signatures":
        target = baseline_file or BUNDLED
        study = BaselineRecording(target, *new_baseline(target, spec))
        baseline = run_study(study, engine=Threads(jobs), quiet=False)
        write_baseline(target, baseline)
        print_text(study.counts_sentence(baseline))
    elif spec is not None:
        raise click.UsageError("--spec is for balance numbers; leave out --only signatures")
    if only != "balance":
        click.echo(record_signatures(baseline_file))


def _check_balance(
    baseline_file: Path | None, quick: bool, changes: SpecChanges, jobs: int
) -> BalanceResult:
    """Play fresh games, and decide for every balance number whether it moved."""
    from ethnos_sim.experiments.execution.engines import Threads
    from ethnos_sim.reports.gate.balance_check import BalanceCheck
    from ethnos_sim.reports.gate.baseline import BUNDLED, read_baseline
    from ethnos_sim.reports.study import run_study

    path = baseline_file or BUNDLED
    study = BalanceCheck(read_baseline(path), path.parent, quick, changes)
    return run_study(study, engine=Threads(jobs), quiet=False)
