"""The stored sums of each shard: reports use them, and they can be recomputed from the rows."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from inside import module_with
from inside.experiments.evidence import gather, summed_by
from inside.experiments.storage import (
    ShardRecord,
    path_of_sums,
    read_sums,
    sums_file,
)

from ethnos_sim.experiments import read_manifest, stored_plan, verify

manifest = module_with("experiments.storage", "ShardRecord")


def records(folder: Path) -> tuple[ShardRecord, ...]:
    return read_manifest(folder, stored_plan(folder)).records


def all_arrays(folder: Path) -> dict[str, np.ndarray]:
    """All sums that a report uses, by their subject."""
    evidence = gather(folder)
    arrays = {}
    for kind in ("sets", "line_ups", "given_up", "solo"):
        for about, sums in getattr(evidence, kind).items():
            arrays |= {f"{kind} {about} {name}": array for name, array in sums.arrays.items()}
    arrays |= {f"turns {about}": array for about, array in evidence.turns.items()}
    return arrays


def assert_same(sums: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> None:
    assert sums.keys() == wanted.keys()
    for name, array in wanted.items():
        assert np.array_equal(sums[name], array), name


def test_each_shard_has_sums_beside_it_when_it_is_written(swept) -> None:
    for record in records(swept.folder):
        assert read_sums(swept.folder, record, summed_by()) is not None, record.shard


def test_stored_sums_equal_the_sums_of_rows_and_replace_reading_them(copy, monkeypatch):
    shutil.rmtree(copy / "sums")
    of_rows = all_arrays(copy)
    made_again = {record.shard: read_sums(copy, record, summed_by()) for record in records(copy)}
    assert None not in made_again.values()

    def read(record: ShardRecord, folder: Path) -> None:
        raise AssertionError(f"the rows of {record.shard.path} are read")

    monkeypatch.setattr(manifest.ShardRecord, "check", read)
    assert_same(all_arrays(copy), of_rows)


@pytest.mark.parametrize("harm", ["cut off", "turned over", "another program's"])
def test_damaged_sums_are_computed_again_from_the_rows(copy, swept, harm: str) -> None:
    record = records(copy)[0]
    path = copy / path_of_sums(record)
    content = bytearray(path.read_bytes())
    if harm == "cut off":
        del content[len(content) // 2 :]
    elif harm == "turned over":
        content[len(content) // 3] ^= 255
    else:
        digests = {table: file.sha256 for table, file in record.files.items()}
        content[:] = sums_file({"counts": np.ones(3, np.int64)}, digests, "another")
    path.write_bytes(content)
    assert_same(all_arrays(copy), all_arrays(swept.folder))
    assert read_sums(copy, record, summed_by()) is not None


def test_changed_rows_are_not_summed(copy) -> None:
    record = records(copy)[0]
    (copy / path_of_sums(record)).unlink()
    path = copy / record.path("seats")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    games = gather(copy).games
    assert games == sum(stored_plan(copy).games_of(record.shard) for record in records(copy)[1:])


def test_a_folder_without_sums_is_reported_and_verified(copy) -> None:
    shutil.rmtree(copy / "sums")
    assert verify(copy).faults == ()
    assert gather(copy).games == stored_plan(copy).games
