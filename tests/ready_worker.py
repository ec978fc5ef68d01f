"""Import what a worker needs before it plays, once for all workers that are forked."""

import dask_on_loopback  # noqa: F401
import distributed.cli.dask_worker  # noqa: F401
from inside.experiments.plans import kernel_source

from ethnos_sim.experiments import make_plan, parse_spec, prepare_tables, strategy_sources

PLAN = make_plan(
    parse_spec(
        {
            "games": 8,
            "players": [4],
            "clan_sets": {"sample": 1},
            "line_ups": [["greedy", "random"]],
        },
        "ready",
    )
)
prepare_tables(PLAN)
kernel_source()
strategy_sources(PLAN.strategies)
