"""`ethnos-sim check`: signatures that have to stay, and balance numbers that may not move."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.game_options import jobs_option, strategies_from_option
from ethnos_sim.commands.tables import print_report_table, print_sections

if TYPE_CHECKING:
    from ethnos_sim.reports.gate.checked import Checked
    from ethnos_sim.reports.gate.plays import Instead
    from ethnos_sim.reports.gate.run import GateResult


@click.command("check")
@click.option(
    "--baseline",
    "file",
    metavar="FILE.toml",
    type=click.Path(path_type=Path),
    help="A baseline of your own; its signatures lie beside it as signatures.toml.",
)
@click.option(
    "--only",
    type=click.Choice(["signatures", "balance"]),
    help="Check one of the two only.",
)
@click.option("--quick", is_flag=True, help="Three times the margins, a ninth of the games.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Random seed of the fresh games; unless given, the one after the baseline's.",
)
@jobs_option
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Check with a rule value changed, as in bear.on_take=6; may be given again.",
)
@click.option(
    "--variant",
    "variants",
    metavar="V",
    multiple=True,
    help="Check with a variant: its name or file, or recruitment; several combine.",
)
@click.option("--mode", help="Check with this mode in place of the standard one.")
@click.option(
    "--replace",
    "replaced",
    metavar="NAME=STRATEGY",
    multiple=True,
    help="Check with a strategy in another's place, as in greedy=greedy:patience=5.",
)
@strategies_from_option
@click.option("--update", is_flag=True, help="Record the signatures as they are now.")
@click.option("--new-baseline", is_flag=True, help="With --update: play the balance numbers anew.")
@click.option("--reason", metavar="TEXT", help="Why; goes into the log. --update needs it.")
@click.option(
    "--spec",
    metavar="FILE.toml",
    type=click.Path(path_type=Path),
    help="With --new-baseline: what to play; unless given, what the old baseline is about.",
)
@click.option("--junit", metavar="FILE.xml", type=click.Path(path_type=Path), help="JUnit XML.")
@click.option("--markdown", metavar="FILE.md", type=click.Path(path_type=Path), help="A summary.")
@click.pass_context
def command(
    context: click.Context,
    file: Path | None,
    only: str | None,
    quick: bool,
    seed: int | None,
    jobs: int | None,
    settings: Sequence[str],
    variants: Sequence[str],
    mode: str | None,
    replaced: Sequence[str],
    update: bool,
    new_baseline: bool,
    reason: str | None,
    spec: Path | None,
    junit: Path | None,
    markdown: Path | None,
) -> None:
    """Check that results did not change, and balance numbers did not move.

    Signatures: the whole-number tables of a small run with a fixed seed have to be the stored
    ones. Balance: fresh games are played until every number lies significantly within its margin
    around the stored one, or one moved significantly by more than half of it.

    Ends with 0 where all is well, 3 where a signature changed or a number moved, 4 where the games
    ran out before every number was decided.
    """
    from joblib import cpu_count

    from ethnos_sim.reports.gate.checked import as_document

    instead = _instead(settings, variants, mode, replaced)
    threads = jobs or cpu_count()
    if update or new_baseline:
        if not update:
            raise click.UsageError("--new-baseline goes with --update")
        _update(file, only, instead, reason, new_baseline, spec, seed, threads)
        return
    if reason is not None or spec is not None:
        raise click.UsageError("--reason and --spec go with --update")
    checked = _check(file, only, instead, seed, quick, threads)
    document = as_document(checked)
    if junit is not None:
        from ethnos_sim.reports.gate.junit import as_junit

        _write(junit, as_junit(checked))
    if markdown is not None:
        from ethnos_sim.reports.rendering.markdown import as_markdown

        _write(markdown, as_markdown(document, ""))
    print_sections(document.sections)
    click.echo(document.facts)
    context.exit(checked.exit_code)


def _instead(
    settings: Sequence[str], variants: Sequence[str], mode: str | None, replaced: Sequence[str]
) -> Instead:
    """What is played in place of what the baseline is about; WrongInput for what cannot be."""
    from ethnos_sim.reports.gate.plays import Instead
    from ethnos_sim.simulator.modes import MODES, RECRUITMENT, SOLO, check_mode

    if RECRUITMENT in variants:
        mode = RECRUITMENT
    if mode is not None and check_mode(mode) in SOLO:
        known = ", ".join(each for each in MODES if each not in SOLO)
        raise click.UsageError(f"--mode {mode} cannot stand in for standard; it takes {known}")
    strategies = {}
    for each in replaced:
        name, equals, strategy = each.partition("=")
        if not (equals and name.strip() and strategy.strip()):
            raise click.UsageError(f"write --replace NAME=STRATEGY, not '{each}'")
        strategies[name.strip()] = strategy.strip()
    return Instead(
        settings=tuple(settings),
        variants=tuple(each for each in variants if each != RECRUITMENT),
        mode=mode,
        strategies=strategies,
    )


def _check(
    file: Path | None,
    only: str | None,
    instead: Instead,
    seed: int | None,
    quick: bool,
    threads: int,
) -> Checked:
    """Compute the signatures, then run the gate."""
    from ethnos_sim.reports.gate.checked import Checked
    from ethnos_sim.reports.gate.recording import check_signatures

    asked = only != "balance" and not instead.other_players
    signatures = check_signatures(file, instead) if asked else None
    balance = None if only == "signatures" else _balance(file, instead, seed, quick, threads)
    return Checked(signatures, balance)


def _balance(
    file: Path | None, instead: Instead, seed: int | None, quick: bool, threads: int
) -> GateResult:
    """Run the gate with a progress bar."""
    from ethnos_sim.experiments.execution.progress import shown_progress
    from ethnos_sim.reports.gate.baseline import BUNDLED, read_baseline
    from ethnos_sim.reports.gate.plays import gate_plans
    from ethnos_sim.reports.gate.run import FULL, QUICK, run_gate

    path = file or BUNDLED
    baseline = read_baseline(path)
    size = QUICK if quick else FULL
    chosen = baseline.seed + 1 if seed is None else seed
    plans = gate_plans(
        baseline.plays, folder=path.parent, seed=chosen, share=size.share, instead=instead
    )
    total = sum(plan.games for plan in plans)
    title = f"Checking {len(baseline.rows)} numbers with up to {total:,} fresh games"
    with shown_progress(title, total, 0, quiet=False) as shown:
        return run_gate(
            baseline,
            folder=path.parent,
            seed=chosen,
            size=size,
            instead=instead,
            jobs=threads,
            on_games=shown,
        )


def _update(
    file: Path | None,
    only: str | None,
    instead: Instead,
    reason: str | None,
    new_baseline: bool,
    spec: Path | None,
    seed: int | None,
    threads: int,
) -> None:
    """Record signatures, and a new baseline where one is asked for."""
    from ethnos_sim.experiments.execution.progress import shown_progress
    from ethnos_sim.reports.gate.checked import noisy_table
    from ethnos_sim.reports.gate.recording import (
        baseline_plans,
        record_baseline,
        record_signatures,
    )

    if reason is None or not reason.strip():
        raise click.UsageError('--update needs a reason, for the log: --reason "..."')
    if spec is not None and not new_baseline:
        raise click.UsageError("--spec goes with --new-baseline")
    if instead.other_players:
        raise click.UsageError("--update does not go with --mode, --variant recruitment, --replace")
    if file is None and (instead.settings or instead.variants):
        raise click.UsageError("the bundled baseline is about the printed rules; give --baseline")
    if new_baseline and only != "signatures":
        planned = baseline_plans(file, spec, instead, seed)
        title = f"Playing {planned.games:,} games for a new baseline"
        with shown_progress(title, planned.games, 0, quiet=False) as shown:
            count, left_out = record_baseline(planned, reason, jobs=threads, on_games=shown)
        if left_out:
            print_report_table(noisy_table(left_out))
        noisy = f"{len(left_out)} are too noisy to guard"
        click.echo(f"{planned.file}: {count} numbers recorded, {noisy}.")
    if only != "balance":
        path, changed = record_signatures(file, instead, reason)
        said = f"recorded: {', '.join(changed)}" if changed else "nothing has changed"
        click.echo(f"{path}: {said}.")


def _write(path: Path, text: str) -> None:
    """Write an output file whole."""
    from ethnos_sim.commands.files import written_whole

    with written_whole(path) as opened:
        opened.write(text)
