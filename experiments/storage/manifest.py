"""The manifest of a sweep: one line of JSON for every finished shard, with the hashes of its files.

A shard exists when `manifest.jsonl` has its line, which is written last. Files without a line, left
by a sweep that was killed, are never read. The paths of a shard's files follow from the shard and
are not stored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Annotated

import polars as pl
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import from_json

from ethnos_sim.experiments.plans.plan import Plan, Shard, canonical
from ethnos_sim.experiments.plans.plan_file import sealed
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file

MANIFEST = "manifest.jsonl"
TABLES = ("games", "seats")

#: The first bytes of every Parquet file.
PARQUET = b"PAR1"

#: The key of a file's metadata that holds its plan.
PLAN_KEY = "ethnos_sim_plan"
#: The key that holds its shard.
SHARD_KEY = "ethnos_sim_shard"


def about_file(plan: Plan, shard: Shard) -> dict[str, str]:
    """The metadata of a shard's files: the plan and the shard, in case a file is found alone."""
    return {
        PLAN_KEY: plan.plan_id,
        SHARD_KEY: shard.path,
        "ethnos_sim_version": plan.version,
    }


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]+$", max_length=64)]


class _Stored(BaseModel):
    """An object in the manifest: it has exactly the declared keys, with the declared types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FileRecord(_Stored):
    """One Parquet file: its SHA-256, and its size in bytes."""

    sha256: Annotated[Digest, Field(min_length=64)]
    bytes: Annotated[int, Field(ge=0, lt=2**63)]


class ShardRecord(_Stored):
    """A finished shard of a plan, and its file of each table."""

    plan_id: Digest
    shard: Shard
    games: FileRecord
    seats: FileRecord

    @property
    def files(self) -> Mapping[str, FileRecord]:
        """The files by table."""
        return {"games": self.games, "seats": self.seats}

    def path(self, table: str) -> str:
        """The path of the shard's file of a table, below the sweep's folder."""
        return f"{table}/{self.shard.path}"

    @property
    def line(self) -> str:
        """The shard's line of the manifest, which includes its SHA-256."""
        return sealed(self.model_dump(mode="json"))

    def read(self, folder: Path) -> dict[str, bytes]:
        """The files' contents by table.

        Raises:
            Failed: a file is missing, differs from the manifest, or belongs to another shard.
        """
        contents = {}
        for table, file in self.files.items():
            path = self.path(table)
            try:
                size = (folder / path).stat().st_size
                content = read_file(folder / path, file.bytes) if size == file.bytes else b""
            except FileNotFoundError as error:
                raise Failed(f"'{path}' is missing") from error
            except OSError as error:
                raise Failed(f"'{path}' cannot be read: {error.strerror}") from error
            if size != file.bytes:
                raise Failed(f"'{path}' has another size than the manifest says")
            if sha256_of(content) != file.sha256:
                raise Failed(f"'{path}' was changed: its SHA-256 differs")
            contents[table] = content
        for table, content in contents.items():
            path = self.path(table)
            with _readable(path):
                about = pl.read_parquet_metadata(BytesIO(content))
            if about.get(PLAN_KEY) != self.plan_id:
                raise Failed(f"'{path}' belongs to another plan")
            if about.get(SHARD_KEY) != self.shard.path:
                raise Failed(f"'{path}' is another shard's")
        return contents


def read_table(content: bytes, path: str) -> pl.DataFrame:
    """The table in the bytes of a Parquet file; Failed where they are not one."""
    # polars checks only the end of a file, but other readers also check its beginning.
    if not content.startswith(PARQUET):
        raise Failed(f"'{path}' cannot be read as a Parquet file")
    with _readable(path):
        return pl.read_parquet(BytesIO(content))


@contextlib.contextmanager
def _readable(path: str) -> Iterator[None]:
    """Raise Failed instead of polars' error for bytes that are not a Parquet file."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise Failed(f"'{path}' cannot be read as a Parquet file") from error


def sha256_of(content: bytes) -> str:
    """The SHA-256 of bytes as 64 hex digits."""
    return sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a manifest.

    records   finished shards without repetitions, in the order in which they were finished
    unusable lines that hold no record of the plan's shards, or repeat one, each with a sentence
    faults a sentence for every fault of the manifest
    """

    records: tuple[ShardRecord, ...]
    unusable: tuple[tuple[str, str], ...]
    faults: tuple[str, ...]


def read_manifest(folder: Path, plan: Plan) -> Manifest:
    """The manifest of a sweep's folder.

    Raises:
        Failed: the file cannot be read.
    """
    path = folder / MANIFEST
    try:
        text = read_file(path).decode(errors="replace")
    except FileNotFoundError:
        return Manifest((), (), (f"'{MANIFEST}' is missing, which names the finished games",))
    except OSError as error:
        raise Failed(f"the manifest '{path}' cannot be read: {error.strerror}") from error
    *lines, rest = text.split("\n")
    records: dict[str, ShardRecord] = {}
    unusable = []
    for number, line in enumerate(lines, start=1):
        try:
            record = _record(line, plan)
            if records.setdefault(line, record) is not record:
                raise Failed("repeats an earlier one")
        except Failed as fault:
            unusable.append((line, f"line {number} of '{MANIFEST}' {fault}"))
    faults = [sentence for _, sentence in unusable]
    if rest:
        faults.append(f"the last line of '{MANIFEST}' is incomplete")
    return Manifest(tuple(records.values()), tuple(unusable), tuple(faults))


def _record(line: str, plan: Plan) -> ShardRecord:
    """The record of a plan's shard in a line; Failed says why the line cannot be used."""
    try:
        content = from_json(line)
        del content["sha256"]
        record = ShardRecord.model_validate_json(canonical(content))
    except (ValueError, KeyError, TypeError) as error:
        raise Failed("is not a record of a shard") from error
    if record.line != f"{line}\n":
        raise Failed("was changed: its SHA-256 differs")
    if record.plan_id != plan.plan_id:
        raise Failed("belongs to another plan")
    if record.shard.partition not in plan.cells_of:
        raise Failed("is of no cell of the plan")
    return record


def whole(
    folder: Path,
    records: Sequence[ShardRecord],
    faults: list[str],
    need_not_be_read: Callable[[ShardRecord], bool] = lambda record: False,
) -> Iterator[tuple[ShardRecord, dict[str, bytes]]]:
    """The records that can be used, each with the contents of its files by table.

    A record that overlaps an earlier one is a fault, since its rounds would count twice.

    Args:
        folder: the sweep's folder.
        records: the records of its manifest.
        faults: gets a sentence for each record that cannot be used.
        need_not_be_read: whether to leave a shard's files unread; its contents are then empty.
    """
    used: dict[object, list[Shard]] = {}
    for record in records:
        shard = record.shard
        others = used.setdefault(shard.partition, [])
        try:
            if any(shard.overlaps(other) for other in others):
                raise Failed(f"'{shard.path}' repeats rounds of another shard")
            contents = {} if need_not_be_read(record) else record.read(folder)
        except Failed as fault:
            faults.append(str(fault))
        else:
            others.append(shard)
            yield record, contents
