"""The folder of a sweep while it is being written: one writer, whole files, resumable at any time.

    plan.json        the plan: what is played and how much of it
    cells.parquet    the plan's cells, for whoever reads the tables
    entries.parquet  the line-up entries of each cell
    manifest.jsonl   one line for each finished shard
    games/, seats/   the tables: a folder for each partition, a Parquet file for each shard
    sums/            the sums of each shard's rows, in files of the same names
    sweep.lock       held while a sweep writes, then removed
    writer.json      which sweep writes, checked before and after each write, then removed

Every file is written under another name, forced to the disk and renamed in one step. So a stop at
any moment leaves whole files, and a shard is either finished or not there.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from ethnos_sim.experiments.plans.plan import Partition, Plan, Shard, canonical
from ethnos_sim.experiments.plans.plan_file import plan_text, read_plan
from ethnos_sim.experiments.storage.files import (
    UNFINISHED,
    append,
    make_folders,
    write_all,
    write_whole,
)
from ethnos_sim.experiments.storage.lock import LOCK, WRITER, locked
from ethnos_sim.experiments.storage.manifest import (
    MANIFEST,
    TABLES,
    FileRecord,
    ShardRecord,
    read_manifest,
    sha256_of,
)
from ethnos_sim.experiments.storage.repair import clear_unfinished, set_aside, whole_records
from ethnos_sim.experiments.storage.sums import SUMS
from ethnos_sim.experiments.storage.tables import CELL_FILES, cell_files
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput
from ethnos_sim.simulator.utilities.reading import read_file

PLAN = "plan.json"

#: Files that may be left by a sweep that was stopped before it wrote its plan.
BEFORE_A_PLAN = {LOCK, WRITER, MANIFEST} | {
    f".{name}{UNFINISHED}" for name in (PLAN, WRITER, MANIFEST, *CELL_FILES)
}


def stored_plan(folder: Path) -> Plan | None:
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

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Take over the folder, whose lock is held: from now on only this store can write."""
        self.folder = folder
        self.plan = plan
        self.records: list[ShardRecord] = []
        self._one_at_a_time = threading.Lock()
        self._writer = canonical({"process": os.getpid(), "token": secrets.token_hex(16)})
        write_whole(folder / WRITER, self._writer.encode())

    def take_stock(self) -> None:
        """Find the finished shards, set damaged files aside, and write the plan.

        Raises:
            Failed: a file cannot be read or written.
        """
        clear_unfinished(self.folder)
        for name in CELL_FILES:
            if (self.folder / name).is_dir() and not (self.folder / name).is_symlink():
                set_aside(self.folder, name)
        self.records = whole_records(self.folder, self.plan)
        held: dict[Partition, int] = {}
        for record in self.records:
            partition = record.shard.partition
            held[partition] = max(held.get(partition, 0), record.shard.end_round)
        self.change_plan(self.plan.with_at_least(held))

    def change_plan(self, plan: Plan) -> None:
        """Write a plan with the same games but other rounds or shard sizes, and go on with it.

        Raises:
            Failed: the plan cannot be written.
        """
        self._check_writer()
        files = {PLAN: plan_text(plan).encode(), **cell_files(plan)}
        write_all((self.folder / name, content) for name, content in files.items())
        self.plan = plan

    def add(self, shard: Shard, tables: Mapping[str, bytes], sums: bytes | None = None) -> None:
        """Write a played shard's files, then its line of the manifest.

        Args:
            shard: the shard that was played.
            tables: the file of each table.
            sums: the file of the sums of their rows, where they were computed.

        Raises:
            Failed: a file cannot be written, or another sweep has taken over the folder; the shard
                then counts as not played.
        """
        files = {
            name: FileRecord(sha256=sha256_of(content), bytes=len(content))
            for name, content in tables.items()
        }
        record = ShardRecord(plan_id=self.plan.plan_id, shard=shard, **files)
        self._check_writer()
        written = {**tables, **({} if sums is None else {SUMS: sums})}
        write_all((self.folder / record.path(name), written[name]) for name in written)
        line = record.line.encode()
        with self._one_at_a_time:
            self._check_writer()
            append(self.folder / MANIFEST, line)
            # A sweep that took over before the line was written has read a manifest without it.
            self._check_writer()
            self.records.append(record)

    def check_whole(self) -> None:
        """Check that all finished files are still in the folder.

        Raises:
            Failed: the plan, the manifest or a table is missing or was changed.
        """
        self._check_writer()
        try:
            plan_there = stored_plan(self.folder)
        except WrongInput as error:
            raise Failed(str(error)) from error
        held = {record.line for record in read_manifest(self.folder, self.plan).records}
        if plan_there != self.plan or held != {record.line for record in self.records}:
            raise Failed(f"the plan or the manifest in '{self.folder}' {_CHANGED_MEANWHILE}")
        for record in self.records:
            for table in TABLES:
                path = self.folder / record.path(table)
                if not path.is_file() or path.stat().st_size != record.files[table].bytes:
                    raise Failed(f"'{path}' {_CHANGED_MEANWHILE}")

    def leave(self) -> None:
        """Remove the lock and the writer's file, unless another sweep has taken over the folder.

        The lock is still held, so a sweep that begins now finds either both files or none.
        """
        with contextlib.suppress(OSError):
            if read_file(self.folder / WRITER, 1000).decode(errors="replace") == self._writer:
                (self.folder / WRITER).unlink()
                (self.folder / LOCK).unlink()

    def _check_writer(self) -> None:
        """Check that no other sweep has taken over the folder; Failed otherwise."""
        try:
            writer = read_file(self.folder / WRITER, 1000).decode(errors="replace")
        except OSError as error:
            raise Failed(f"the folder '{self.folder}' {_CHANGED_MEANWHILE}") from error
        if writer != self._writer:
            raise Failed(f"another sweep has taken over the folder '{self.folder}'")
        if not (self.folder / LOCK).exists() or not (self.folder / MANIFEST).exists():
            raise Failed(f"the folder '{self.folder}' {_CHANGED_MEANWHILE}")


_CHANGED_MEANWHILE = (
    "was removed or changed while the sweep was running; the same command again plays what is lost"
)


def check_folder(folder: Path, plan: Plan) -> None:
    """Check without writing anything that a folder can be used for the sweep of a plan.

    Raises:
        WrongInput: the folder cannot be written, or holds something else.
    """
    before = stored_plan(folder)
    if before is not None and before.plan_id != plan.plan_id:
        raise WrongInput(_another_plan(folder, before, plan))
    try:
        others = {path.name for path in folder.iterdir()} - BEFORE_A_PLAN
    except FileNotFoundError:
        others = set()
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be used: {error.strerror}") from error
    if before is None and others:
        raise WrongInput(f"the folder '{folder}' is not empty and holds no sweep; give another one")
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise WrongInput(f"the folder '{folder}' cannot be written")


@contextlib.contextmanager
def open_store(folder: Path, plan: Plan) -> Iterator[Store]:
    """Open a folder for the sweep of a plan: a new one, an empty one, or one with the same plan.

    The folder takes over the rounds and shard sizes of the given plan, but never fewer rounds than
    it holds. Damaged shards are set aside, to be played again.

    Raises:
        WrongInput: the folder cannot be written, holds something else, or another sweep writes.
        Failed: a file in it cannot be read or written.
    """
    check_folder(folder, plan)
    try:
        make_folders(folder)
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be made: {error.strerror}") from error
    with locked(folder):
        store = Store(folder, plan)
        try:
            store.take_stock()
            yield store
        finally:
            store.leave()


def _another_plan(folder: Path, before: Plan, plan: Plan) -> str:
    """The message that refuses a folder with another plan and says how the plans differ."""
    differing = [key for key, value in plan.identity.items() if before.identity[key] != value]
    what = ", ".join(differing)
    if {"kernel", "strategies"}.issuperset(differing):
        return (
            f"the sweep \"{before.name}\" in '{folder}' was begun with another state of the "
            f"program ({what}); go on with that one, or give another folder"
        )
    return (
        f"the folder '{folder}' holds another sweep, \"{before.name}\" (other {what}); "
        "give another folder"
    )
