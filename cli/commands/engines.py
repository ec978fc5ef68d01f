"""The options that say what plays: threads, processes, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution.engines import Engine


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--engine` and `--scheduler`, for `engine_of`."""
    scheduler = click.option(
        "--scheduler", metavar="ADDR", help="The dask scheduler, as in tcp://HOST:PORT."
    )
    engine = click.option(
        "--engine",
        type=click.Choice(["threads", "processes", "dask"]),
        default="threads",
        show_default=True,
        help="What plays: threads or processes of this machine, or the workers of a dask "
        "scheduler.",
    )
    return engine(scheduler(function))


def engine_of(
    name: str, jobs: int | None, scheduler: str | None, strategy_files: Sequence[Path]
) -> Engine:
    """The engine that the options name; UsageError for an address that none of them takes."""
    from joblib import cpu_count

    if scheduler is not None and name != "dask":
        raise click.UsageError("--scheduler belongs to --engine dask")
    if name == "dask":
        from ethnos_sim.experiments.execution.cluster import Cluster, check_address

        return Cluster(check_address(scheduler), strategy_files)
    if name == "processes":
        from ethnos_sim.experiments.execution.processes import Processes

        return Processes(jobs or cpu_count(), strategy_files)
    from ethnos_sim.experiments.execution.engines import Threads

    return Threads(jobs or cpu_count())
