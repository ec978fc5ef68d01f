"""The manifest of a sweep: one line of JSON for every finished shard, with the hashes of its files.

A shard exists when `manifest.jsonl` has its line, which is written last. Files without a line, left
by a sweep that was killed, are never read. The paths of a shard's files follow from the shard and
are not stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import from_json

from ethnos_sim.experiments.plans.plan import Plan, Shard, canonical_json
from ethnos_sim.experiments.plans.plan_file import sealed_json
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file

MANIFEST = "manifest.jsonl"
TABLES = ("games", "seats")


def file_metadata(plan: Plan, shard: Shard) -> dict[str, str]:
    """The metadata in a shard's files, which name its plan wherever a file is moved."""
    return {
        "ethnos_sim_plan": plan.plan_id,
        "ethnos_sim_shard": shard.path,
        "ethnos_sim_version": plan.version,
    }


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]+$", max_length=64)]


class _ManifestObject(BaseModel):
    """An object in the manifest, with exactly the declared keys and types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FileRecord(_ManifestObject):
    """One Parquet file: its SHA-256, and its size in bytes."""

    sha256: Annotated[Digest, Field(min_length=64)]
    bytes: Annotated[int, Field(ge=0, lt=2**63)]


class ShardRecord(_ManifestObject):
    """A finished shard of a plan, with its file in the table `games` and its file in `seats`."""

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
        """The shard's line of the manifest, sealed by a SHA-256 of the line."""
        return sealed_json(self.model_dump(mode="json"))

    def check(self, folder: Path) -> None:
        """Check that the shard's files are as they were written.

        Raises:
            Failed: a file is missing or was changed.
        """
        for table, file in self.files.items():
            path = self.path(table)
            try:
                if (folder / path).stat().st_size != file.bytes:
                    raise Failed(f"'{path}' has another size than the manifest says")
                content = read_file(folder / path, file.bytes)
            except FileNotFoundError as error:
                raise Failed(f"'{path}' is missing") from error
            except OSError as error:
                raise Failed(f"'{path}' cannot be read: {error.strerror}") from error
            if sha256_of(content) != file.sha256:
                raise Failed(f"'{path}' was changed: its SHA-256 differs")


def sha256_of(content: bytes) -> str:
    """The SHA-256 of bytes as 64 hex digits."""
    return sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class FinishedShards:
    """The finished shards of a sweep.

    records  the records that can be used, in the order in which the shards were finished
    faults   a sentence for each line or file that cannot be used
    """

    records: tuple[ShardRecord, ...]
    faults: tuple[str, ...]


def read_manifest(folder: Path, plan: Plan) -> FinishedShards:
    """The finished shards of a folder's manifest; their files are not read.

    A record that overlaps an earlier record is a fault, since its rounds would count twice.

    Raises:
        Failed: the manifest cannot be read.
    """
    path = folder / MANIFEST
    try:
        text = read_file(path).decode(errors="replace")
    except FileNotFoundError:
        return FinishedShards((), (f"'{MANIFEST}', which names the finished games, is missing",))
    except OSError as error:
        raise Failed(f"the manifest '{path}' cannot be read: {error.strerror}") from error
    records: list[ShardRecord] = []
    faults = []
    *lines, rest = text.split("\n")
    shards: dict[object, list[Shard]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            record = _parse_record(line, plan)
            others = shards.setdefault(record.shard.partition, [])
            if any(record.shard.overlaps(other) for other in others):
                raise Failed("repeats rounds of an earlier line")
        except Failed as fault:
            faults.append(f"line {number} of '{MANIFEST}' {fault}")
        else:
            records.append(record)
            others.append(record.shard)
    if rest:
        faults.append(f"the last line of '{MANIFEST}' is incomplete")
    return FinishedShards(tuple(records), tuple(faults))


def _parse_record(line: str, plan: Plan) -> ShardRecord:
    """The record in a line of the manifest; Failed says why the line cannot be used."""
    try:
        content = from_json(line)
        del content["sha256"]
        record = ShardRecord.model_validate_json(canonical_json(content))
    except (ValueError, KeyError, TypeError) as error:
        raise Failed("is not a record of a shard") from error
    if record.line != f"{line}\n":
        raise Failed("was changed: its SHA-256 differs")
    if record.plan_id != plan.plan_id or record.shard.partition not in plan.cells_of:
        raise Failed("belongs to another plan")
    return record


def whole_shards(folder: Path, plan: Plan) -> FinishedShards:
    """The finished shards whose files are as they were written.

    Raises:
        Failed: the manifest cannot be read.
    """
    named = read_manifest(folder, plan)
    records, faults = [], [*named.faults]
    for record in named.records:
        try:
            record.check(folder)
        except Failed as fault:
            faults.append(str(fault))
        else:
            records.append(record)
    return FinishedShards(tuple(records), tuple(faults))
