"""The sums of a shard in a file beside its tables, so that nobody has to add its rows up again.

What the sums are of is not this module's business: they are arrays of whole numbers by name. A file
tells of which rows and by which program they were made, and holds a digest of them. One that is
missing, damaged, of other rows or of another program is as good as none.
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

from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.storage.manifest import TABLES, ShardRecord, read_table
from ethnos_sim.experiments.storage.own_folder import make_folder
from ethnos_sim.experiments.storage.tables import parquet
from ethnos_sim.simulator.errors import Failed
from ethnos_sim.simulator.reading import read_file

#: The folder of these files, which stands beside those of the tables.
SUMS = "sums"

_ABOUT = "ethnos_sim_sums"

#: The largest file that is read.
_MOST_BYTES = 256_000_000

Arrays = Mapping[str, np.ndarray]
"""Sums by name, int64."""


def sums_file(sums: Arrays, tables: Mapping[str, str], by: str) -> bytes:
    """Sums as the bytes of a file.

    Args:
        sums: what is stored.
        tables: the SHA-256 of the file of each table whose rows were added up.
        by: stands for the program that did.
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
    """What tells that numbers, and what is said of them, are as they were written."""
    said = {key: about[key] for key in ("tables", "by", "arrays")}
    return sha256(numbers.tobytes() + json.dumps(said, sort_keys=True).encode()).hexdigest()


def path_of_sums(record: ShardRecord) -> str:
    """Where the sums of a shard lie below its sweep's folder."""
    return record.path(SUMS)


def _of(record: ShardRecord) -> dict[str, str]:
    return {table: record.files[table].sha256 for table in TABLES}


def has_sums(folder: Path, record: ShardRecord, by: str) -> bool:
    """Whether a shard's tables have their sizes, and a file says that it is of their sums.

    Only what the file says is read. `read_sums` sees whether its numbers are whole.
    """
    try:
        for table, file in record.files.items():
            if (folder / record.path(table)).stat().st_size != file.bytes:
                return False
        with (folder / path_of_sums(record)).open("rb") as sums:
            about = json.loads(pl.read_parquet_metadata(sums)[_ABOUT])
        return bool(about["tables"] == _of(record) and about["by"] == by)
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return False
    except pl.exceptions.PanicException:
        return False


def read_sums(folder: Path, record: ShardRecord, by: str) -> dict[str, np.ndarray] | None:
    """The sums of a shard; None where no whole file has them.

    Args:
        folder: the sweep's.
        record: the shard's.
        by: stands for the program that would add up the rows.
    """
    try:
        content = read_file(folder / path_of_sums(record), _MOST_BYTES)
        frame = read_table(content, path_of_sums(record))
        about = json.loads(pl.read_parquet_metadata(BytesIO(content))[_ABOUT])
        numbers = frame["sum"].to_numpy()
        whole = numbers.dtype == np.int64 and about["sha256"] == _digest(numbers, about)
        if not whole or about["tables"] != _of(record) or about["by"] != by:
            return None
        found, first = {}, 0
        for name, *shape in about["arrays"]:
            size = int(np.prod(shape))
            found[name] = numbers[first : first + size].reshape(shape)
            first += size
        return found
    except (OSError, ValueError, KeyError, TypeError, Failed):
        return None


def write_sums(folder: Path, record: ShardRecord, sums: Arrays, by: str) -> None:
    """Write sums that were made again beside their shard, where that can be done."""
    path = path_of_sums(record)
    with contextlib.suppress(Failed):
        make_folder(folder, Path(path).parent)
        write_whole(folder / path, sums_file(sums, _of(record), by))
