"""Workers on a cluster: preparing a plan and playing its shards.

A worker gets the plan and the user's strategy files as bytes. It plays only if it runs the same
program, with the same rules and strategies, that made the plan.
"""

from __future__ import annotations

import pickle
import threading
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ethnos_sim.experiments.execution.playing import (
    PackedShard,
    PlanTables,
    play_shard,
    prepare_plan,
)
from ethnos_sim.experiments.plans.hashes import kernel_hash, package_version, strategy_hashes
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.experiments.plans.plan_file import plan_text, read_plan
from ethnos_sim.simulator.custom_powers.registry import loaded_power
from ethnos_sim.simulator.user_code.loading import file_with_content
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.strategies import load_strategy_file

_preparing_lock = threading.Lock()


def power_files(plan: Plan) -> list[Path]:
    """The files of a plan's custom powers, one for each clan that has a custom power.

    Raises:
        PowerError: a file was not loaded, or its code has changed.
    """
    custom = [text for about in plan.editions for text in about.rules.all_custom_powers]
    return [loaded_power(reference).file for reference in custom]


def pack_plan(plan: Plan, strategy_files: Sequence[Path]) -> bytes:
    """A plan's text, and the paths and contents of its users' files, as bytes for the workers."""
    paths = dict.fromkeys([*(path.resolve() for path in strategy_files), *power_files(plan)])
    files = tuple((str(path), path.read_bytes()) for path in paths)
    return zlib.compress(pickle.dumps((plan_text(plan), files)))


def play_packed_shard(packed: bytes, shard: Shard) -> PackedShard:
    """Play a shard of a packed plan.

    Raises:
        Failed: this worker does not run the program that the plan was made with.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    with _preparing_lock:
        plan, tables = _packed_tables(packed)
    return play_shard(plan, tables, shard).packed()


def program_differences(packed: bytes) -> list[str]:
    """A phrase for each difference of this worker's program from the one that packed the plan."""
    plan = _unpack_plan(packed)
    differing = []
    if package_version() != plan.version:
        differing.append(f"version {package_version()} instead of {plan.version}")
    if kernel_hash() != plan.kernel:
        differing.append("other code of the simulator")
    differing += [
        f"rules {about.rules.rules_id} instead of {about.rules_id} ({about.key})"
        for about in plan.editions
        if about.rules.rules_id != about.rules_id
    ]
    sources = strategy_hashes(plan.strategies)
    changed = [name for name, source in sources.items() if source != plan.strategies[name]]
    if changed:
        differing.append(f"other code of the strategies {', '.join(changed)}")
    return differing


@lru_cache(maxsize=1)
def _unpack_plan(packed: bytes) -> Plan:
    """The packed plan; its users' files are loaded."""
    text, files = pickle.loads(zlib.decompress(packed))
    for path, content in files:
        load_strategy_file(file_with_content(Path(path), content))
    return read_plan(text)


@lru_cache(maxsize=1)
def _packed_tables(packed: bytes) -> tuple[Plan, PlanTables]:
    """The packed plan and its tables; Failed where this worker runs another program."""
    if differing := program_differences(packed):
        raise Failed(f"a worker on this machine has {'; '.join(differing)}")
    plan = _unpack_plan(packed)
    return plan, prepare_plan(plan)
