"""The folder of a sweep while it is being written: one writer, whole files, resumable at any time.

    plan.json        the plan: what is played and how much of it
    manifest.jsonl   a line a finished shard
    games/, seats/   the tables, a Parquet file a shard, in a folder for each partition
    sweep.lock       held while a sweep writes

Every file is made beside its place, forced to the disk and put there in one step, so a stop at any
moment leaves whole files, and a shard is either finished or not there.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from ethnos_sim.experiments.files import UNFINISHED, write_whole
from ethnos_sim.experiments.manifest import (
    FileRecord,
    ShardRecord,
    checked,
    read_manifest,
    sha256_of,
)
from ethnos_sim.experiments.plan import Partition, Plan, Shard, read_plan
from ethnos_sim.simulator.errors import Failed, WrongInput

log = logging.getLogger("ethnos_sim")

PLAN = "plan.json"
MANIFEST = "manifest.jsonl"
LOCK = "sweep.lock"
SET_ASIDE = "set-aside"


def stored_plan(folder: Path) -> Plan | None:
    """The plan of a sweep's folder, or None where the folder holds no sweep.

    Raises:
        WrongInput: the folder's plan.json cannot be read or is no plan.
    """
    path = folder / PLAN
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise WrongInput(f"the plan '{path}' cannot be read: {error}") from error
    try:
        return read_plan(text)
    except WrongInput as error:
        raise WrongInput(f"the plan '{path}' cannot be used: {error}") from error


class Store:
    """A sweep's folder opened for writing. Made by `open_store`; safe for use by several threads.

    `records` are the finished shards, in the order in which they were finished.
    """

    def __init__(self, folder: Path, plan: Plan, records: list[ShardRecord]) -> None:
        """Keep the folder, whose lock is held, its plan and its finished shards."""
        self.folder = folder
        self.plan = plan
        self.records = records
        self._one_at_a_time = threading.Lock()

    def change_plan(self, plan: Plan) -> None:
        """Write a plan with the same games but other rounds or shard sizes, and go on with it.

        Raises:
            Failed: it cannot be written.
        """
        write_whole(self.folder / PLAN, plan.to_json().encode())
        self.plan = plan

    def add(
        self,
        shard: Shard,
        tables: Mapping[str, bytes],
        rows: Mapping[str, int],
        counts: Mapping[str, Mapping[str, int]],
    ) -> None:
        """Write a played shard's files, then its line of the manifest.

        Args:
            shard: what was played.
            tables: the Parquet file of each table.
            rows: how many rows each has.
            counts: sums of columns of each.

        Raises:
            Failed: something cannot be written; the shard then counts as not played.
        """
        files = {}
        for table, content in tables.items():
            path = f"{table}/{shard.path}"
            write_whole(self.folder / path, content)
            files[table] = FileRecord(path, sha256_of(content), rows[table], len(content))
        record = ShardRecord(shard, files, counts)
        line = record.line(self.plan).encode()
        with self._one_at_a_time:
            _append(self.folder / MANIFEST, line)
            self.records.append(record)


def _append(path: Path, line: bytes) -> None:
    """Add a line to a file and force it to the disk; a line that fails is taken back."""
    try:
        with path.open("ab", buffering=0) as file:
            end = file.tell()
            try:
                if file.write(line) != len(line):
                    raise OSError(None, "the disk took only a part of it")
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error


def check_folder(folder: Path, plan: Plan) -> None:
    """See, without writing anything, whether a folder can be used for the sweep of a plan.

    Raises:
        WrongInput: the folder cannot be written, or holds something else.
    """
    before = stored_plan(folder)
    if before is not None and before.plan_id != plan.plan_id:
        raise WrongInput(_another_plan(folder, before, plan))
    try:
        strangers = {path.name for path in folder.iterdir()} - {LOCK, f".{PLAN}{UNFINISHED}"}
    except FileNotFoundError:
        strangers = set()
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be used: {error.strerror}") from error
    if before is None and strangers:
        raise WrongInput(f"the folder '{folder}' is not empty and holds no sweep; give another one")
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise WrongInput(f"the folder '{folder}' cannot be written")


@contextlib.contextmanager
def open_store(folder: Path, plan: Plan) -> Iterator[Store]:
    """Open a folder for the sweep of a plan: a new one, an empty one, or one with the same plan.

    The rounds and shard sizes of the plan given become the folder's, but never fewer rounds than it
    holds. Finished shards that are not whole are set aside, to be played again.

    Raises:
        WrongInput: the folder cannot be written, holds something else, or another sweep writes.
        Failed: its manifest cannot be read.
    """
    check_folder(folder, plan)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be made: {error.strerror}") from error
    with _locked(folder):
        _clear_unfinished(folder)
        records = _whole_records(folder, plan)
        held: dict[Partition, int] = {}
        for record in records:
            partition = record.shard.partition
            held[partition] = max(held.get(partition, 0), record.shard.end_round)
        store = Store(folder, plan, records)
        try:
            store.change_plan(plan.with_at_least(held))
        except Failed as error:
            raise WrongInput(str(error)) from error
        yield store


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system takes back however the process ends."""
    path = folder / LOCK
    try:
        file = path.open("a+")
    except OSError as error:
        raise WrongInput(f"the folder '{folder}' cannot be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            writer = file.read().strip() or "unknown"
            raise WrongInput(
                f"another sweep (process {writer}) is writing to the folder '{folder}'"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _clear_unfinished(folder: Path) -> None:
    """Remove what a killed sweep left of files that it did not finish."""
    for path in folder.rglob(f"*{UNFINISHED}"):
        path.unlink()


def _whole_records(folder: Path, plan: Plan) -> list[ShardRecord]:
    """The finished shards whose files are whole; the others are set aside."""
    manifest = read_manifest(folder, plan)
    for line, sentence in manifest.foreign.items():
        log.warning("%s; it is set aside", sentence)
        aside = folder / SET_ASIDE / MANIFEST
        aside.parent.mkdir(parents=True, exist_ok=True)
        _append(aside, f"{line}\n".encode())
    whole: list[ShardRecord] = []
    for record, fault in checked(folder, plan, manifest.records):
        if fault is None:
            whole.append(record)
        else:
            log.warning("%s; its shard is set aside and played again", fault)
            _set_aside(folder, record)
    if manifest.torn or manifest.foreign or len(whole) < len(manifest.records):
        lines = "".join(record.line(plan) for record in whole)
        write_whole(folder / MANIFEST, lines.encode())
    return whole


def _set_aside(folder: Path, record: ShardRecord) -> None:
    """Move a shard's files to where nothing reads them, beside what was set aside before."""
    for file in record.files.values():
        target = folder / SET_ASIDE / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        taken = len(list(target.parent.glob(f"{target.name}*")))
        with contextlib.suppress(FileNotFoundError):
            os.replace(folder / file.path, f"{target}.{taken}" if taken else target)


def _another_plan(folder: Path, before: Plan, plan: Plan) -> str:
    """The sentence that refuses a folder with another plan and says in what it differs."""
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
