"""The folder of a sweep: whole files, one writer, nothing finished is ever lost or taken twice."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from inside import module_with
from inside.experiments.storage import parquet
from planned import plan_of

from ethnos_sim.experiments import (
    about_file,
    missing_shards,
    open_store,
    read_manifest,
    sealed,
    stored_plan,
)
from ethnos_sim.simulator import Failed, WrongInput

stores = module_with("experiments.storage", "open_store")

ROWS = {"games": 1, "seats": 2}


def tables_of(plan, shard) -> dict[str, bytes]:
    """Small tables that say which shard of which plan they are."""
    about = about_file(plan, shard)
    return {
        table: parquet({"row": np.arange(rows, dtype=np.uint8)}, about)
        for table, rows in ROWS.items()
    }


def add(store, shard) -> None:
    store.add(shard, tables_of(store.plan, shard))


def add_all(store) -> None:
    for shard in missing_shards(store.plan, [record.shard for record in store.records]):
        add(store, shard)


@pytest.fixture
def written(small_plan, tmp_path) -> list:
    """The records of all shards, which were written to the test's folder before."""
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
        return list(store.records)


def files_below(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def test_a_finished_shard_is_there_when_the_folder_is_opened_again(small_plan, tmp_path) -> None:
    with open_store(tmp_path / "out", small_plan) as store:
        add_all(store)
        written = list(store.records)
    with open_store(tmp_path / "out", small_plan) as store:
        assert store.records == written
    assert stored_plan(tmp_path / "out") == small_plan
    assert missing_shards(small_plan, [record.shard for record in written]) == []


def test_files_lie_by_edition_players_and_mode(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
        for record in store.records:
            for table, file in record.files.items():
                part = record.shard.partition
                expected = (
                    f"{table}/edition={part.edition}/players={part.players}/mode={part.mode}/"
                )
                assert record.path(table).startswith(expected)
                assert (tmp_path / record.path(table)).stat().st_size == file.bytes


def test_a_torn_last_line_is_dropped_and_its_shard_played_again(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
        count = len(store.records)
    path = tmp_path / "manifest.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    with open_store(tmp_path, small_plan) as store:
        assert len(store.records) == count - 1
        add_all(store)
    manifest = read_manifest(tmp_path, small_plan)
    assert len(manifest.records) == count
    assert not manifest.faults


def test_what_a_killed_sweep_left_unfinished_is_cleared_away(small_plan, tmp_path, written) -> None:
    left = tmp_path / "seats" / ".x.parquet.unfinished"
    left.write_bytes(b"half of a file")
    with open_store(tmp_path, small_plan):
        assert not left.exists()


def test_a_folder_keeps_the_rounds_it_holds(small_plan, tmp_path, written) -> None:
    with open_store(tmp_path, small_plan.with_total(24)) as store:
        assert store.plan.rounds == small_plan.rounds
    with open_store(tmp_path, small_plan.with_total(4800)) as store:
        assert store.plan.games == 4800
    assert stored_plan(tmp_path).games == 4800


def test_another_plan_is_refused_with_what_differs(
    small_plan, small_spec, tmp_path, written
) -> None:
    before = files_below(tmp_path)
    other = plan_of({**small_spec, "seed": 8})
    with (
        pytest.raises(WrongInput, match=r'another sweep, "Small" \(other seed\)'),
        open_store(tmp_path, other),
    ):
        pass
    assert files_below(tmp_path) == before
    assert stored_plan(tmp_path) == small_plan


def test_another_state_of_the_program_is_refused(small_plan, tmp_path) -> None:
    import dataclasses

    with open_store(tmp_path, small_plan):
        pass
    other = dataclasses.replace(small_plan, kernel="0123456789abcdef")
    with (
        pytest.raises(WrongInput, match=r"another state of the program \(kernel\)"),
        open_store(tmp_path, other),
    ):
        pass


def test_a_folder_with_something_else_in_it_is_refused(small_plan, tmp_path) -> None:
    (tmp_path / "letter.txt").write_text("Dear", encoding="utf-8")
    with (
        pytest.raises(WrongInput, match="not empty and holds no sweep"),
        open_store(tmp_path, small_plan),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"plan_id":"0123456789abcdef"}', "\xff"])
def test_a_foreign_line_is_named_and_set_aside(small_plan, tmp_path, line, caplog, written) -> None:
    path = tmp_path / "manifest.jsonl"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"\n", f"\n{line}\n".encode("latin-1"), 1))
    with open_store(tmp_path, small_plan) as store:
        assert store.records == written
    assert "line 2 of" in caplog.text
    assert path.read_bytes() == before
    assert len((tmp_path / "set-aside" / "manifest.jsonl").read_bytes().splitlines()) == 1


def test_a_shard_of_another_plan_is_named_and_set_aside(
    small_plan, small_spec, tmp_path, caplog
) -> None:
    """Even where somebody made the manifest fit: files say themselves where they belong."""
    other = plan_of({**small_spec, "seed": 8})
    with open_store(tmp_path, small_plan) as store:
        shard, *others = missing_shards(small_plan, [])
        store.add(shard, tables_of(other, shard))
        for each in others:
            add(store, each)
    with open_store(tmp_path, small_plan) as store:
        assert {record.shard for record in store.records} == set(others)
    assert "belongs to another plan" in caplog.text
    assert missing_shards(small_plan, others) == [shard]


def test_shards_set_aside_one_after_another_are_all_kept(small_plan, tmp_path) -> None:
    for _ in range(3):
        with open_store(tmp_path, small_plan) as store:
            add_all(store)
            path = tmp_path / next(
                record.path("seats")
                for record in store.records
                if record.shard == missing_shards(small_plan, [])[0]
            )
        path.write_bytes(path.read_bytes()[:-1])
    with open_store(tmp_path, small_plan):
        pass
    assert len(list((tmp_path / "set-aside" / "seats").rglob("*.parquet*"))) == 3


def test_two_sweeps_cannot_write_to_one_folder(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan):
        program = (
            "import sys\n"
            "from pathlib import Path\n"
            "from ethnos_sim.experiments import open_store, stored_plan\n"
            "folder = Path(sys.argv[1])\n"
            "with open_store(folder, stored_plan(folder)):\n"
            "    print('opened')\n"
        )
        second = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True
        )
    assert second.stdout == ""
    assert f"another sweep (process {os.getpid()}) is writing" in second.stderr
    with open_store(tmp_path, small_plan) as store:
        assert store.records == []


def test_a_manifest_line_that_cannot_be_written_is_taken_back(
    small_plan, tmp_path, monkeypatch
) -> None:
    with open_store(tmp_path, small_plan) as store:
        shards = missing_shards(small_plan, [])
        add(store, shards[0])
        before = (tmp_path / "manifest.jsonl").read_bytes()
        monkeypatch.setattr(stores, "write_whole", lambda path, content: None)
        monkeypatch.setattr(
            os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError(errno.EIO, "broken"))
        )
        with pytest.raises(Failed, match="broken"):
            add(store, shards[1])
        assert (tmp_path / "manifest.jsonl").read_bytes() == before


def test_a_file_that_a_good_record_names_is_never_set_aside(small_plan, tmp_path, written) -> None:
    """A record with a wrong hash stands before the right one of the same shard."""
    path = tmp_path / "manifest.jsonl"
    first = written[0]
    line = path.read_text().splitlines()[0].replace(first.files["games"].sha256, 64 * "0")
    path.write_text(sealed(json.loads(line)) + path.read_text(), encoding="utf-8")
    with open_store(tmp_path, small_plan) as store:
        assert store.records == written
        assert all((tmp_path / first.path(table)).is_file() for table in ROWS)


def test_two_sweeps_cannot_both_succeed_even_without_the_lock(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan) as before:
        first, second, *_ = missing_shards(small_plan, [])
        add(before, first)
        (tmp_path / "sweep.lock").unlink()
        with open_store(tmp_path, small_plan) as after:
            assert [record.shard for record in after.records] == [first]
            for commit in (lambda: add(before, second), before.check_whole):
                with pytest.raises(Failed, match="another sweep has taken over"):
                    commit()
            add(after, second)
            after.check_whole()
            assert [record.shard for record in after.records] == [first, second]


@pytest.mark.parametrize(
    "remove",
    [
        lambda folder: folder.rename(folder.with_name("elsewhere")),
        lambda folder: (folder / "sweep.lock").unlink(),
        lambda folder: (folder / "manifest.jsonl").unlink(),
        lambda folder: (folder / "writer.json").unlink(),
    ],
    ids=["folder", "lock", "manifest", "writer"],
)
def test_a_folder_that_vanishes_while_it_is_written_to_is_not_made_again(
    small_plan, tmp_path, remove
) -> None:
    folder = tmp_path / "out"
    with open_store(folder, small_plan) as store:
        first, second, *_ = missing_shards(small_plan, [])
        add(store, first)
        remove(folder)
        with pytest.raises(Failed, match="was removed or changed while the sweep was running"):
            add(store, second)
        assert folder.exists() == (not (tmp_path / "elsewhere").exists())
        assert [record.shard for record in store.records] == [first]


@pytest.mark.parametrize("name", ["plan.json", "manifest.jsonl", "table"])
def test_what_is_held_is_said_of_what_was_looked_at(small_plan, tmp_path, name) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
        store.check_whole()
        record = store.records[-1]
        path = tmp_path / (record.path("seats") if name == "table" else name)
        path.write_bytes(path.read_bytes()[:-1])
        with pytest.raises(Failed):
            store.check_whole()


@pytest.mark.parametrize("name", ["games", "seats", "games/edition=second", "set-aside"])
def test_nothing_is_written_through_a_link_to_a_folder(small_plan, tmp_path, name) -> None:
    folder, outside = tmp_path / "out", tmp_path / "outside"
    with open_store(folder, small_plan) as store:
        add_all(store)
    outside.mkdir()
    (outside / "own.parquet").write_bytes(b"somebody's own")
    path = folder / name
    if path.exists():
        path.rename(folder / "moved")
    path.symlink_to(outside)
    (folder / "manifest.jsonl").write_bytes(b"nonsense\n")
    with pytest.raises(Failed, match="is a link"), open_store(folder, small_plan):
        pass
    assert files_below(outside) == [(outside / "own.parquet").relative_to(outside)]


@pytest.mark.parametrize("name", ["sweep.lock", "writer.json", "plan.json", "manifest.jsonl"])
def test_a_link_in_the_place_of_a_file_is_never_written_through(small_plan, tmp_path, name) -> None:
    folder, victim = tmp_path / "out", tmp_path / "victim"
    with open_store(folder, small_plan) as store:
        add(store, missing_shards(small_plan, [])[0])
    victim.write_bytes((folder / name).read_bytes())
    (folder / name).unlink()
    (folder / name).symlink_to(victim)
    before = victim.read_bytes()
    with contextlib.suppress(Failed, WrongInput), open_store(folder, small_plan) as store:
        add_all(store)
    assert victim.read_bytes() == before


def test_what_no_record_names_among_the_tables_is_set_aside(small_plan, tmp_path, written) -> None:
    stray = tmp_path / written[0].path("games").replace("rounds-", "strays-")
    stray.write_bytes(b"rows of nobody")
    stray.with_name("rounds-9.parquet").mkdir()
    with open_store(tmp_path, small_plan) as store:
        assert store.records == written
    assert not stray.exists()
    assert (tmp_path / "set-aside" / stray.relative_to(tmp_path)).read_bytes() == b"rows of nobody"
