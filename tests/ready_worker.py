"""Import what a worker needs before it plays, once for all workers that are forked."""

import dask_on_loopback  # noqa: F401
from inside.experiments import prepare_plan
from inside.experiments.plans import kernel_hash
from sweeps import plan_of

prepare_plan(
    plan_of({"games": 8, "players": [4], "clan_sets": {"sample": 1}, "line_ups": [["greedy"]]})
)
kernel_hash()
