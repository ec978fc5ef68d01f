"""Checking a sweep's folder: every file of a finished shard is as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.evidence.gathering import summing_identity
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.storage.manifest import ShardRecord, whole_shards
from ethnos_sim.experiments.storage.results import Results, load_plan
from ethnos_sim.experiments.storage.sums import SUMS, has_sums, read_sums
from ethnos_sim.experiments.storage.tables import cell_files
from ethnos_sim.simulator.utilities.reading import read_file


@dataclass(frozen=True, slots=True)
class Verification:
    """The results without damaged shards, and a sentence for every fault of the folder."""

    results: Results
    faults: tuple[str, ...]


def verify_folder(folder: Path) -> Verification:
    """Check the hashes of the plan, of the manifest, and of every finished shard and its sums.

    Raises:
        WrongInput: the folder holds no sweep.
        Failed: its manifest cannot be read.
    """
    plan = load_plan(folder)
    held = whole_shards(folder, plan)
    of_sums = filter(None, (_sums_fault(folder, record) for record in held.records))
    faults = (*held.faults, *of_sums, *_cell_faults(folder, plan))
    return Verification(Results(folder, plan, held.records), faults)


def _sums_fault(folder: Path, record: ShardRecord) -> str | None:
    """A sentence if a shard's sums are damaged; None if they are whole, missing or outdated."""
    by = summing_identity()
    if not has_sums(folder, record, by) or read_sums(folder, record, by) is not None:
        return None
    return f"'{record.path(SUMS)}' is damaged (a report makes it again)"


def _cell_faults(folder: Path, plan: Plan) -> Iterator[str]:
    """A sentence for each file of `cell_files` that is missing or differs from the plan."""
    for name, wanted in cell_files(plan).items():
        try:
            content = read_file(folder / name)
            # polars does not read the first four bytes, but other programs do.
            same_start = content[:4] == wanted[:4]
            if not (same_start and pl.read_parquet(content).equals(pl.read_parquet(wanted))):
                yield f"'{name}' differs from the plan"
        except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
            yield f"'{name}' is missing or cannot be read"
