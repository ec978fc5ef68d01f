"""The stored sums of each shard: reports use them, and they can be recomputed from the rows."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from inside import module_with
from inside.experiments import find_plan, read_manifest, verify_folder
from inside.experiments.evidence import gather_evidence, summing_identity
from inside.experiments.storage import ShardRecord, read_sums, sums_file
from sweeps import sums_in

gathering = module_with("experiments.evidence", "gather_evidence")


def records(folder: Path) -> tuple[ShardRecord, ...]:
    return read_manifest(folder, find_plan(folder)).records


def test_each_shard_has_sums_beside_it_when_it_is_written(swept) -> None:
    for record in records(swept.folder):
        assert read_sums(swept.folder, record, summing_identity()) is not None, record.shard


def test_stored_sums_equal_the_sums_of_rows_and_replace_reading_them(copy, monkeypatch):
    shutil.rmtree(copy / "sums")
    assert verify_folder(copy).faults == ()
    of_rows = sums_in(copy)
    again = [read_sums(copy, record, summing_identity()) for record in records(copy)]
    assert all(again)

    monkeypatch.setattr(gathering, "_shard_rows", lambda *_: pytest.fail("rows are read"))
    assert sums_in(copy) == of_rows


def test_sums_of_another_program_are_computed_again_from_the_rows(copy, swept) -> None:
    """What damaged sums do is tried by `tests/faults`."""
    record = records(copy)[0]
    digests = {table: file.sha256 for table, file in record.files.items()}
    others = sums_file({"counts": np.ones(3, np.int64)}, digests, "another")
    (copy / record.path("sums")).write_bytes(others)
    assert sums_in(copy) == sums_in(swept.folder)
    assert read_sums(copy, record, summing_identity()) is not None


def test_changed_rows_are_not_summed(copy) -> None:
    record = records(copy)[0]
    path = copy / record.path("seats")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    games = gather_evidence(copy).games
    assert games == sum(find_plan(copy).games_of(record.shard) for record in records(copy)[1:])
