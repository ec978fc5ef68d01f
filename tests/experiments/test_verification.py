"""`verify` finds rows that were changed, are missing, or are impossible."""

import json

import polars as pl
import pytest
from inside.experiments.storage import PLAN_KEY, SHARD_KEY
from sweeps import forge

from ethnos_sim import open_results
from ethnos_sim.experiments import open_store, read_manifest, stored_plan, verify


def first_record(folder):
    return read_manifest(folder, stored_plan(folder)).records[0]


def one_more(column: str, where: int = 0):
    """A change that adds 1 to a column in one row."""
    row = pl.int_range(pl.len()) == where
    return lambda frame: frame.with_columns(pl.when(row).then(pl.col(column) + 1).otherwise(column))


def test_an_untouched_sweep_is_whole(swept, printed) -> None:
    assert verify(swept.folder).faults == ()
    assert f"{swept.plan.games} games, complete" in printed(
        "sweep", "--verify", "--out", swept.folder
    )


@pytest.mark.parametrize("table", ["games", "seats"])
def test_a_missing_or_cut_off_file_is_found(copy, table) -> None:
    path = copy / first_record(copy).path(table)
    path.write_bytes(path.read_bytes()[:-4])
    assert "another size" in verify(copy).faults[0]
    path.unlink()
    assert "is missing" in verify(copy).faults[0]


@pytest.mark.parametrize(
    ("table", "change", "told"),
    [
        ("seats", one_more("sea"), "not the sum of its sources"),
        ("seats", one_more("won"), "do not add up to one"),
        ("seats", one_more("game"), "its seats belong to other games"),
        ("seats", lambda frame: frame.head(frame.height - 1), "rows instead of"),
        ("seats", lambda frame: frame.drop("sea", "cards").with_columns(sea=0, cards=1), "columns"),
        ("games", one_more("game"), "not the planned ones"),
        ("games", one_more("winners"), "winners differ from its seats"),
        ("games", lambda frame: frame.head(0), "rows instead of"),
    ],
)
def test_impossible_rows_are_found_even_with_matching_hashes(copy, table, change, told):
    forge(copy, table, change)
    faults = verify(copy).faults
    assert any(told in fault for fault in faults), faults


def test_an_edited_line_of_the_manifest_is_found(copy) -> None:
    manifest = copy / "manifest.jsonl"
    entry, *rest = manifest.read_text(encoding="utf-8").splitlines()
    content = json.loads(entry)
    content["seats"]["bytes"] += 1
    manifest.write_text("\n".join([json.dumps(content), *rest]) + "\n", encoding="utf-8")
    assert verify(copy).faults[0] == "line 1 of 'manifest.jsonl' was changed: its SHA-256 differs"


@pytest.mark.parametrize(
    ("key", "told"), [(PLAN_KEY, "belongs to another plan"), (SHARD_KEY, "is another shard's")]
)
def test_a_file_of_another_plan_is_found_even_with_a_matching_hash(copy, key, told) -> None:
    forge(copy, "seats", about={key: "0123456789abcdef"})
    assert any(told in fault for fault in verify(copy).faults)
    assert open_results(copy).games_held == 0


def test_tables_of_a_running_sweep_without_a_manifest_line_are_no_fault(copy) -> None:
    manifest = copy / "manifest.jsonl"
    *lines, _ = manifest.read_text(encoding="utf-8").splitlines(keepends=True)
    with open_store(copy, stored_plan(copy)):
        manifest.write_text("".join(lines), encoding="utf-8")
        assert verify(copy).faults == ()
    left = "belongs to no finished shard (the same sweep, run again, sets it aside)"
    assert any(left in fault for fault in verify(copy).faults)
