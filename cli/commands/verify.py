"""`ethnos-sim verify`: checks a sweep's files against its manifest, and its rows."""

from __future__ import annotations

from pathlib import Path

import click

from ethnos_sim.commands import errors


@click.command("verify")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.pass_context
def command(context: click.Context, folder: Path) -> None:
    """Check every finished shard of the sweep in DIR; exit code 1 when a fault is found."""
    from ethnos_sim.experiments.execution.verification import verify

    verified = verify(folder)
    results = verified.results
    for fault in verified.faults:
        click.echo(fault)
    state = "complete" if results.complete else f"of {results.plan.games:,} planned"
    held = f"{len(results.records):,} shards, {results.games_held:,} games, {state}"
    if verified.faults:
        click.echo(f"{held}: {len(verified.faults)} faults")
        context.exit(errors.FAILED)
    click.echo(f"{held}: every file and every row is as it should be")
