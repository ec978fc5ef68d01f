"""The manifest of a sweep: one line of JSON for every finished shard, with hashes and counts.

A shard exists when its line stands in `manifest.jsonl`; the line is written last. Files that no
line names, left by a sweep that was killed, are never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from ethnos_sim.experiments.plan import Partition, Plan, Shard, canonical
from ethnos_sim.simulator.errors import Failed

TABLES = ("games", "seats")

#: What a file says in its own metadata: which plan and which shard it is of.
PLAN_KEY = "ethnos_sim_plan"
SHARD_KEY = "ethnos_sim_shard"


def about_file(plan: Plan, shard: Shard) -> dict[str, str]:
    """The metadata of a shard's files, so that a file found alone tells where it belongs."""
    return {
        PLAN_KEY: plan.plan_id,
        SHARD_KEY: shard.path,
        "ethnos_sim_version": plan.version,
    }


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One Parquet file: its path below the sweep's folder, SHA-256, rows and size in bytes."""

    path: str
    sha256: str
    rows: int
    bytes: int

    def fault(self, folder: Path) -> str | None:
        """What is wrong with the file in this folder, or None when it is whole."""
        file = folder / self.path
        try:
            if file.stat().st_size != self.bytes:
                return f"'{self.path}' has another size than the manifest says"
            with file.open("rb") as opened:
                digest = sha256_of(opened.read())
        except FileNotFoundError:
            return f"'{self.path}' is missing"
        except OSError as error:
            return f"'{self.path}' cannot be read: {error.strerror}"
        return None if digest == self.sha256 else f"'{self.path}' was changed: its SHA-256 differs"


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """A finished shard: its files by table, and sums of columns by table."""

    shard: Shard
    files: Mapping[str, FileRecord]
    counts: Mapping[str, Mapping[str, int]]

    def faults(self, folder: Path, plan: Plan) -> list[str]:
        """What is wrong with the shard's files; empty when they are whole and this plan's."""
        found = [record.fault(folder) for record in self.files.values()]
        if not any(found):
            found = [
                _stranger(folder, record.path, self.shard, plan) for record in self.files.values()
            ]
        return [fault for fault in found if fault is not None]

    def line(self, plan: Plan) -> str:
        """The shard's line of the manifest."""
        tables = {
            table: {
                "path": record.path,
                "sha256": record.sha256,
                "rows": record.rows,
                "bytes": record.bytes,
                "counts": dict(self.counts[table]),
            }
            for table, record in self.files.items()
        }
        content = {
            "plan_id": plan.plan_id,
            "partition": self.shard.partition.path,
            "first_round": self.shard.first_round,
            "rounds": self.shard.rounds,
            **tables,
        }
        return canonical(content) + "\n"


def _stranger(folder: Path, path: str, shard: Shard, plan: Plan) -> str | None:
    """What a file says of itself that is not so here, or None where it belongs."""
    try:
        about = pl.read_parquet_metadata(folder / path)
    except (pl.exceptions.PolarsError, OSError):
        return f"'{path}' is no Parquet file"
    if about.get(PLAN_KEY) != plan.plan_id:
        return f"'{path}' belongs to another plan"
    if about.get(SHARD_KEY) != shard.path:
        return f"'{path}' is another shard's"
    return None


def sha256_of(content: bytes) -> str:
    """The SHA-256 of bytes as 64 hex digits."""
    return sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says.

    records   finished shards, in the order in which they were finished
    foreign   lines that are no record of a shard of this plan, with a sentence for each
    torn      whether the last line was written in part only, when the machine stopped
    """

    records: tuple[ShardRecord, ...]
    foreign: Mapping[str, str]
    torn: bool


def read_manifest(folder: Path, plan: Plan) -> Manifest:
    """The manifest of a sweep's folder; an empty one where there is none.

    Raises:
        Failed: it cannot be read.
    """
    path = folder / "manifest.jsonl"
    if not path.exists():
        return Manifest((), {}, torn=False)
    try:
        text = path.read_bytes().decode(errors="replace")
    except OSError as error:
        raise Failed(f"the manifest '{path}' cannot be read: {error.strerror}") from error
    *lines, rest = text.split("\n")
    partitions = {partition.path: partition for partition in plan.cells_of}
    records = []
    foreign = {}
    for number, line in enumerate(lines, start=1):
        try:
            content = json.loads(line)
            if content["plan_id"] != plan.plan_id:
                foreign[line] = f"line {number} of '{path}' belongs to another plan"
                continue
            shard = Shard(
                partitions[content["partition"]], content["first_round"], content["rounds"]
            )
            records.append(_record(shard, content))
        except (ValueError, KeyError, TypeError):
            foreign[line] = f"line {number} of '{path}' is no record of a shard"
    return Manifest(tuple(records), foreign, rest != "")


def _record(shard: Shard, content: Mapping[str, Any]) -> ShardRecord:
    """A shard's record from its line."""
    files = {
        table: FileRecord(
            path=content[table]["path"],
            sha256=content[table]["sha256"],
            rows=content[table]["rows"],
            bytes=content[table]["bytes"],
        )
        for table in TABLES
    }
    return ShardRecord(shard, files, {table: content[table]["counts"] for table in TABLES})


def checked(
    folder: Path, plan: Plan, records: Sequence[ShardRecord]
) -> Iterator[tuple[ShardRecord, str | None]]:
    """Every record with what is wrong with it, or None where it can be used.

    Rounds that an earlier record has already make the later one a fault: they would count twice.
    """
    taken: dict[Partition, list[Shard]] = {}
    for record in records:
        faults = record.faults(folder, plan)
        shard = record.shard
        used = taken.setdefault(shard.partition, [])
        if any(_overlap(shard, before) for before in used):
            yield record, f"'{shard.path}' repeats rounds of another shard"
        elif faults:
            yield record, faults[0]
        else:
            used.append(shard)
            yield record, None


def _overlap(one: Shard, other: Shard) -> bool:
    """Whether two shards of a partition share rounds."""
    return one.first_round < other.end_round and other.first_round < one.end_round


def bytes_of(records: Sequence[ShardRecord]) -> int:
    """The size of all files of finished shards, in bytes."""
    return sum(file.bytes for record in records for file in record.files.values())
