"""Repairing a sweep's folder: whole shards stay, and other files of the tables are set aside."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
from itertools import chain, count
from pathlib import Path

from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.storage.files import UNFINISHED, write_synced_file
from ethnos_sim.experiments.storage.manifest import MANIFEST, TABLES, ShardRecord, whole_shards
from ethnos_sim.experiments.storage.sums import SUMS
from ethnos_sim.simulator.utilities.errors import Failed

log = logging.getLogger("ethnos_sim")

SET_ASIDE_FOLDER = "set-aside"


def repair_folder(folder: Path, plan: Plan) -> tuple[ShardRecord, ...]:
    """Repair a folder so that only whole shards are left in it, and return these shards.

    Unfinished files of a sweep that was stopped are removed. Other files that are not of a whole
    shard are set aside. The manifest then names whole shards only.

    Raises:
        Failed: a file cannot be read, moved or written.
    """
    whole = whole_shards(folder, plan)
    for fault in whole.faults:
        log.warning("%s; what is lost is played again", fault)
    known = {folder / record.path(table) for record in whole.records for table in (*TABLES, SUMS)}
    of_tables = [path for table in (*TABLES, SUMS) for path in (folder / table).rglob("*")]
    for path in (*folder.glob(f".*{UNFINISHED}"), *of_tables):
        if path.name.endswith(UNFINISHED):
            with contextlib.suppress(OSError):
                path.unlink()
        elif path not in known and not path.is_dir():
            _set_aside(folder, path)
    if whole.faults:
        lines = "".join(record.line for record in whole.records)
        write_synced_file(folder / MANIFEST, lines.encode())
    return whole.records


def _set_aside(folder: Path, path: Path) -> None:
    """Move a file to SET_ASIDE_FOLDER, which nothing reads, under a name that is free."""
    target = folder / SET_ASIDE_FOLDER / path.relative_to(folder)
    names = chain([target], (target.with_name(f"{target.name}.{n}") for n in count(1)))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, next(name for name in names if not os.path.lexists(name)))
    except OSError as error:
        raise Failed(f"'{path}' cannot be set aside: {error.strerror}") from error
