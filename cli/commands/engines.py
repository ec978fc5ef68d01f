"""The options that say what plays: threads, processes, or the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import StrategyFiles

if TYPE_CHECKING:
    from ethnos_sim.experiments.execution.engines import Engine


@dataclass(frozen=True, kw_only=True)
class EngineOptions(StrategyFiles):
    """What plays, and with which strategies of the user's own."""

    jobs: int = option.jobs("Threads or processes; all cores unless given.")
    engine: str = option.given(
        "--engine",
        default="threads",
        type=click.Choice(["threads", "processes", "dask"]),
        help="What plays: threads or processes of this machine, or the workers of a dask "
        "scheduler.",
    )
    scheduler: str | None = option.text(
        "--scheduler", "ADDR", "The dask scheduler, as in tcp://HOST:PORT."
    )

    def playing(self) -> Engine:
        """The engine asked for; UsageError for an address that none of them takes."""
        if self.scheduler is not None and self.engine != "dask":
            raise click.UsageError("--scheduler belongs to --engine dask")
        if self.engine == "dask":
            from ethnos_sim.experiments.execution.cluster import Cluster, check_address

            return Cluster(check_address(self.scheduler), self.strategy_files)
        if self.engine == "processes":
            from ethnos_sim.experiments.execution.processes import Processes

            return Processes(self.jobs, self.strategy_files)
        from ethnos_sim.experiments.execution.engines import Threads

        return Threads(self.jobs)

    def engine_words(self) -> list[str]:
        """The same options as words of a command line that goes on."""
        words = [part for path in self.strategy_files for part in ("--strategies-from", str(path))]
        words += ["--engine", self.engine] * (self.engine != "threads")
        return words + (["--scheduler", self.scheduler] if self.scheduler is not None else [])
