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

from ethnos_sim.experiments.storage.files import write_all
from ethnos_sim.experiments.storage.manifest import TABLES, ShardRecord
from ethnos_sim.experiments.storage.tables import parquet
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file

#: The folder of the files of sums, beside the folders of the tables.
SUMS = "sums"

_ABOUT = "ethnos_sim_sums"

#: The largest file that is read.
_MOST_BYTES = 256_000_000

#: What reading a damaged file may raise.
_NO_SUMS = (
    *(OSError, ValueError, KeyError, TypeError),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)

Arrays = Mapping[str, np.ndarray]
"""Sums by name, int64."""


def sums_file(sums: Arrays, tables: Mapping[str, str], by: str) -> bytes:
    """Sums as the bytes of a file.

    Args:
        sums: the sums to store.
        tables: the SHA-256 of the file of each table whose rows were added up.
        by: identifies the program that added them up.
    """
    numbers = np.concatenate([array.ravel() for array in sums.values()])
    about = {
        "tables": dict(tables),
        "by": by,
        "arrays": [[name, *array.shape] for name, array in sums.items()],
    }
    about["sha256"] = _digest(numbers, about)
    return parquet({"sum": numbers}, {_ABOUT: json.dumps(about)})


def _digest(numbers: np.ndarray, about: Mapping[str, Any]) -> str:
    """The digest of the sums and of the file's metadata."""
    said = {key: about[key] for key in ("tables", "by", "arrays")}
    return sha256(numbers.tobytes() + json.dumps(said, sort_keys=True).encode()).hexdigest()


def _of(record: ShardRecord) -> dict[str, str]:
    return {table: record.files[table].sha256 for table in TABLES}


def has_sums(folder: Path, record: ShardRecord, by: str) -> bool:
    """Whether there is a file of sums of this shard by this program; `read_sums` checks it."""
    try:
        with (folder / record.path(SUMS)).open("rb") as sums:
            about = json.loads(pl.read_parquet_metadata(sums)[_ABOUT])
        return bool(about["tables"] == _of(record) and about["by"] == by)
    except _NO_SUMS:
        return False


def read_sums(folder: Path, record: ShardRecord, by: str) -> dict[str, np.ndarray] | None:
    """The sums of a shard; None where the file is missing, damaged or outdated.

    Args:
        folder: the sweep's folder.
        record: the shard's record.
        by: identifies the program that would add up the rows.
    """
    try:
        content = read_file(folder / record.path(SUMS), _MOST_BYTES)
        about = json.loads(pl.read_parquet_metadata(BytesIO(content))[_ABOUT])
        numbers = pl.read_parquet(content)["sum"].to_numpy()
        whole = numbers.dtype == np.int64 and about["sha256"] == _digest(numbers, about)
        if not whole or about["tables"] != _of(record) or about["by"] != by:
            return None
        arrays, first = {}, 0
        for name, *shape in about["arrays"]:
            size = int(np.prod(shape))
            arrays[name] = numbers[first : first + size].reshape(shape)
            first += size
        return arrays
    except _NO_SUMS:
        return None


def write_sums(folder: Path, record: ShardRecord, sums: Arrays, by: str) -> None:
    """Write sums beside their shard; if they cannot be written, do nothing."""
    with contextlib.suppress(Failed):
        write_all([(folder / record.path(SUMS), sums_file(sums, _of(record), by))])
