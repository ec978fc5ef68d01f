"""The manifest of a sweep: one line of JSON for every finished shard, with hashes and counts.

A shard exists when its line stands in `manifest.jsonl`; the line is written last. Files that no
line names, left by a sweep that was killed, are never read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.plan import Plan, Shard, canonical
from ethnos_sim.simulator.errors import Failed

TABLES = ("games", "seats")


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

    def faults(self, folder: Path) -> list[str]:
        """What is wrong with the shard's files; empty when it is whole."""
        faults = (record.fault(folder) for record in self.files.values())
        return [fault for fault in faults if fault is not None]

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


def sha256_of(content: bytes) -> str:
    """The SHA-256 of bytes as 64 hex digits."""
    return sha256(content).hexdigest()


def read_manifest(folder: Path, plan: Plan) -> tuple[list[ShardRecord], bool]:
    """The finished shards of a sweep's folder, in the order in which they were finished.

    Returns:
        The records, and whether the last line is torn: written in part when the machine stopped.

    Raises:
        Failed: a whole line is no record of a shard of this plan.
    """
    path = folder / "manifest.jsonl"
    if not path.exists():
        return [], False
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(f"the manifest '{path}' cannot be read: {error}") from error
    *lines, rest = text.split("\n")
    partitions = {partition.path: partition for partition in plan.cells_of}
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            content = json.loads(line)
            if content["plan_id"] != plan.plan_id:
                raise Failed(f"line {number} of '{path}' belongs to another plan")
            shard = Shard(
                partitions[content["partition"]], content["first_round"], content["rounds"]
            )
            records.append(_record(shard, content))
        except (ValueError, KeyError, TypeError) as error:
            raise Failed(f"line {number} of '{path}' is no record of a shard") from error
    return records, rest != ""


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


def bytes_of(records: Sequence[ShardRecord]) -> int:
    """The size of all files of finished shards, in bytes."""
    return sum(file.bytes for record in records for file in record.files.values())
