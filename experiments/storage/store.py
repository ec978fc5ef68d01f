"""The folder of a sweep while it is being written: one writer, whole files, resumable at any time.

    plan.json        the plan: what is played and how much of it
    cells.parquet    the plan's cells, for whoever reads the tables
    entries.parquet  the line-up entries of each cell
    manifest.jsonl   one line for each finished shard
    games/, seats/   the tables: a folder for each partition, a Parquet file for each shard
    sums/            the sums of each shard's rows, in files of the same names
    sweep.lock       held while a sweep writes, then removed

Every file is written under another name and renamed in one step. So a stop at any moment leaves
whole files, and a shard is either finished or not there. A file that a loss of power damages
differs from its hash, and its shard is played again.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ethnos_sim.experiments.plans.plan import Partition, Plan, Shard
from ethnos_sim.experiments.plans.plan_file import plan_text, read_plan
from ethnos_sim.experiments.storage.files import (
    UNFINISHED,
    append_line,
    nearest_existing_path,
    write_files,
    write_synced_file,
)
from ethnos_sim.experiments.storage.manifest import MANIFEST, FileRecord, ShardRecord, sha256_of
from ethnos_sim.experiments.storage.repair import repair_folder
from ethnos_sim.experiments.storage.sums import SUMS
from ethnos_sim.experiments.storage.tables import cell_files
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput
from ethnos_sim.simulator.utilities.reading import read_file

PLAN, LOCK = "plan.json", "sweep.lock"


def find_plan(folder: Path) -> Plan | None:
    """The plan of a sweep's folder, or None where the folder holds no sweep.

    Raises:
        WrongInput: the folder's plan.json cannot be read or is not a plan.
    """
    path = folder / PLAN
    try:
        text = read_file(path).decode()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise WrongInput(f"the plan '{path}' cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WrongInput(f"the plan '{path}' cannot be used: it is not text") from error
    try:
        return read_plan(text)
    except WrongInput as error:
        raise WrongInput(f"the plan '{path}' cannot be used: {error}") from error


class Store:
    """A sweep's folder opened for writing. Made by `open_store`; safe for use by several threads.

    `records` are the finished shards, in the order in which they were finished.
    """

    def __init__(self, folder: Path, plan: Plan, records: Sequence[ShardRecord]) -> None:
        """Begin with the records of the folder's finished shards."""
        self.folder = folder
        self.plan = plan
        self.records = [*records]
        self._manifest_lock = threading.Lock()

    def add_shard(
        self, shard: Shard, tables: Mapping[str, bytes], sums: bytes | None = None
    ) -> None:
        """Write a played shard's files, then its line of the manifest.

        Args:
            shard: the shard that was played.
            tables: the file of each table.
            sums: the file of the sums of the tables' rows, or None if they were not computed.

        Raises:
            Failed: a file cannot be written, or the folder was removed; the shard then counts as
                not played.
        """
        files = {
            name: FileRecord(sha256=sha256_of(content), bytes=len(content))
            for name, content in tables.items()
        }
        record = ShardRecord(plan_id=self.plan.plan_id, shard=shard, **files)
        if not (self.folder / MANIFEST).exists():
            raise Failed(
                f"the folder '{self.folder}' was removed or changed while the sweep was running; "
                "run the same command again to play what is lost"
            )
        written = {**tables, **({} if sums is None else {SUMS: sums})}
        write_files((self.folder / record.path(name), written[name]) for name in written)
        with self._manifest_lock:
            append_line(self.folder / MANIFEST, record.line.encode())
            self.records.append(record)


def check_folder(folder: Path, plan: Plan) -> None:
    """Check without writing anything that a folder can be used for the sweep of a plan.

    Raises:
        WrongInput: the folder cannot be written, or holds another sweep or other files.
    """
    before = find_plan(folder)
    if before is not None and before.plan_id != plan.plan_id:
        raise WrongInput(_other_plan_message(folder, before, plan))
    try:
        others = {path.name for path in folder.iterdir()} - {LOCK, MANIFEST}
    except FileNotFoundError:
        others = set()
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be used: {error.strerror}") from error
    if before is None and not all(name.endswith(UNFINISHED) for name in others):
        raise WrongInput(f"the folder '{folder}' is not empty and holds no sweep; name another one")
    there = nearest_existing_path(folder)
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise WrongInput(f"the folder '{folder}' cannot be written")


@contextlib.contextmanager
def open_store(folder: Path, plan: Plan) -> Iterator[Store]:
    """Open a folder for the sweep of a plan: a new one, an empty one, or one with the same plan.

    The folder gets the rounds and shard sizes of the plan, but never fewer rounds than it has
    finished. Damaged shards are set aside and will be played again.

    Raises:
        WrongInput: the folder cannot be used (see `check_folder`), or another sweep writes to it.
        Failed: a file in it cannot be read or written.
    """
    check_folder(folder, plan)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be made: {error.strerror}") from error
    with _hold_lock(folder):
        if not (folder / PLAN).exists():
            write_synced_file(folder / MANIFEST, b"")
        records = repair_folder(folder, plan)
        finished: dict[Partition, int] = {}
        for shard in (record.shard for record in records):
            finished[shard.partition] = max(finished.get(shard.partition, 0), shard.end_round)
        plan = plan.with_least_rounds(finished)
        write_synced_file(folder / PLAN, plan_text(plan).encode())
        write_files((folder / name, content) for name, content in cell_files(plan).items())
        yield Store(folder, plan, records)


@contextlib.contextmanager
def _hold_lock(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, whose file is removed at the end.

    The system releases the lock, however the process ends.

    Raises:
        WrongInput: another sweep holds the lock, or the folder cannot be written.
    """
    import filelock

    lock = filelock.FileLock(folder / LOCK, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise WrongInput(f"another sweep is writing to the folder '{folder}'") from error
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        # Remove the file before the release, or it could be the file of the next sweep's lock.
        with contextlib.suppress(OSError):
            (folder / LOCK).unlink()
        lock.release()


def _other_plan_message(folder: Path, before: Plan, plan: Plan) -> str:
    """The message that refuses a folder with another plan and says how the plans differ."""
    differing = [key for key, value in plan.identity.items() if before.identity[key] != value]
    what = ", ".join(differing)
    if {"kernel", "strategies"}.issuperset(differing):
        return (
            f"the sweep \"{before.name}\" in '{folder}' was begun with other code of the "
            f"program ({what}); continue it with that code, or name another folder"
        )
    return (
        f"the folder '{folder}' holds another sweep, \"{before.name}\" (other {what}); "
        "name another folder"
    )
