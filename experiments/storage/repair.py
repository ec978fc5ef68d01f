"""Repairing a sweep's folder: remove unfinished files, and set damaged ones aside."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.storage.files import UNFINISHED, append, make_folders, write_whole
from ethnos_sim.experiments.storage.manifest import (
    MANIFEST,
    TABLES,
    ShardRecord,
    read_manifest,
    whole,
)
from ethnos_sim.experiments.storage.sums import SUMS
from ethnos_sim.simulator.utilities.errors import Failed

log = logging.getLogger("ethnos_sim")

SET_ASIDE = "set-aside"


def clear_unfinished(folder: Path) -> None:
    """Remove the files that were being made when a sweep was stopped."""
    for path in (*folder.glob(f".*{UNFINISHED}"), *_files_of_tables(folder)):
        if path.name.startswith(".") and path.name.endswith(UNFINISHED):
            with contextlib.suppress(OSError):
                path.unlink()


def _files_of_tables(folder: Path) -> Iterator[Path]:
    """All files below the folders of tables and sums, and links or folders in place of files."""
    for table in (*TABLES, SUMS):
        for root, folders, files in os.walk(folder / table):
            for name in [*folders]:
                if name.endswith(".parquet") or os.path.islink(os.path.join(root, name)):
                    folders.remove(name)
                    files.append(name)
            yield from (Path(root, name) for name in files)


def strangers(folder: Path, records: Iterable[ShardRecord]) -> list[str]:
    """The files among the tables that no record names, as paths below the folder."""
    known = {record.path(table) for record in records for table in (*TABLES, SUMS)}
    present = {path.relative_to(folder).as_posix() for path in _files_of_tables(folder)}
    return sorted(present - known)


def whole_records(folder: Path, plan: Plan) -> list[ShardRecord]:
    """The finished shards whose files are whole; all other files among the tables are set aside.

    A file stays in place as long as any good record names it.
    """
    manifest = read_manifest(folder, plan)
    faults: list[str] = []
    records = [record for record, _ in whole(folder, manifest.records, faults)]
    for fault in faults:
        log.warning("%s; its shard is set aside and played again", fault)
    for _, sentence in manifest.unusable:
        log.warning("%s; it is set aside", sentence)
    if manifest.unusable:
        aside = folder / SET_ASIDE / MANIFEST
        if not aside.exists():
            write_whole(aside, b"")
        append(aside, "".join(f"{line}\n" for line, _ in manifest.unusable).encode())
    for path in strangers(folder, records):
        set_aside(folder, path)
    if manifest.faults or faults:
        lines = "".join(record.line for record in records)
        write_whole(folder / MANIFEST, lines.encode())
    return records


def set_aside(folder: Path, path: str) -> None:
    """Move a file to the folder SET_ASIDE, which nothing reads, under a name that is free."""
    target = folder / SET_ASIDE / path
    try:
        make_folders(target.parent)
        names = set(os.listdir(target.parent))
        free = next(n for n in count() if (f"{target.name}.{n}" if n else target.name) not in names)
        os.replace(folder / path, f"{target}.{free}" if free else target)
    except OSError as error:
        raise Failed(f"'{folder / path}' cannot be set aside: {error.strerror}") from error
