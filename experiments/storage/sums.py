"""The sums of a shard in a file beside its tables, so that its rows are added up only once.

In this module, sums are a mapping from names to arrays of whole numbers. A file says from which
rows and by which program its sums were made, and holds a digest of them. A file that is missing,
damaged, or from other rows or another program counts as missing.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.storage.files import write_files
from ethnos_sim.experiments.storage.manifest import TABLES, ShardRecord
from ethnos_sim.experiments.storage.tables import parquet_bytes
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file

#: The folder of the files of sums, beside the folders of the tables.
SUMS = "sums"

_METADATA_KEY = "ethnos_sim_sums"

#: The largest file of sums that is read, in bytes.
_MOST_BYTES = 256_000_000

#: The exceptions that reading a damaged file may raise.
_DAMAGE_ERRORS = (
    *(OSError, ValueError, KeyError, TypeError),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)

SumsByName = Mapping[str, np.ndarray]
"""Arrays of sums (int64), by name."""


def sums_file(sums: SumsByName, tables: Mapping[str, str], program: str) -> bytes:
    """Sums as the bytes of a Parquet file.

    Args:
        sums: the sums to store.
        tables: by table, the SHA-256 of the file whose rows were added up.
        program: the identity (`summing_identity`) of the program that added them up.
    """
    numbers = np.concatenate([array.ravel() for array in sums.values()])
    about = {
        "tables": dict(tables),
        "by": program,
        "arrays": [[name, *array.shape] for name, array in sums.items()],
    }
    about["sha256"] = _sums_digest(numbers, about)
    return parquet_bytes({"sum": numbers}, {_METADATA_KEY: json.dumps(about)})


def _sums_digest(numbers: np.ndarray, about: Mapping[str, Any]) -> str:
    """The digest of the sums and of the file's metadata."""
    hashed = {key: about[key] for key in ("tables", "by", "arrays")}
    return sha256(numbers.tobytes() + json.dumps(hashed, sort_keys=True).encode()).hexdigest()


def _table_hashes(record: ShardRecord) -> dict[str, str]:
    return {table: record.files[table].sha256 for table in TABLES}


def has_sums(folder: Path, record: ShardRecord, program: str) -> bool:
    """Whether a shard has a file of sums by this program; `read_sums` checks the sums."""
    try:
        with (folder / record.path(SUMS)).open("rb") as sums:
            about = json.loads(pl.read_parquet_metadata(sums)[_METADATA_KEY])
        return bool(about["tables"] == _table_hashes(record) and about["by"] == program)
    except _DAMAGE_ERRORS:
        return False


def read_sums(folder: Path, record: ShardRecord, program: str) -> dict[str, np.ndarray] | None:
    """The sums of a shard; None where the file is missing, damaged or outdated.

    Args:
        folder: the sweep's folder.
        record: the shard's record.
        program: the identity of the program that would add up the rows.
    """
    try:
        content = read_file(folder / record.path(SUMS), _MOST_BYTES)
        about = json.loads(pl.read_parquet_metadata(BytesIO(content))[_METADATA_KEY])
        numbers = pl.read_parquet(content)["sum"].to_numpy()
        whole = numbers.dtype == np.int64 and about["sha256"] == _sums_digest(numbers, about)
        if not whole or about["tables"] != _table_hashes(record) or about["by"] != program:
            return None
        arrays, first = {}, 0
        for name, *shape in about["arrays"]:
            size = int(np.prod(shape))
            arrays[name] = numbers[first : first + size].reshape(shape)
            first += size
        return arrays
    except _DAMAGE_ERRORS:
        return None


def write_sums(folder: Path, record: ShardRecord, sums: SumsByName, program: str) -> None:
    """Write sums beside the tables of their shard; if they cannot be written, do nothing."""
    with contextlib.suppress(Failed):
        write_files([(folder / record.path(SUMS), sums_file(sums, _table_hashes(record), program))])
