"""The folder of a sweep: whole files, one writer, and no finished shard lost or counted twice."""

import contextlib
import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commands import python
from inside import module_with
from inside.experiments.storage import about_file, parquet

from ethnos_sim.experiments import missing_shards, open_store, read_manifest, sealed, stored_plan
from ethnos_sim.simulator import Failed, WrongInput

stores = module_with("experiments.storage", "open_store")

ROWS = {"games": 1, "seats": 2}


def tables_of(plan, shard) -> dict[str, bytes]:
    """Small tables that name their shard and plan."""
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
def folder(tmp_path) -> Path:
    """The folder of the sweep."""
    return tmp_path / "out"


@pytest.fixture
def opened(small_plan, folder):
    """Return a function that opens the store, for the small plan unless another one is given."""
    return lambda plan=small_plan: open_store(folder, plan)


@pytest.fixture
def written(opened) -> list:
    """The records of all shards, which are written beforehand."""
    with opened() as store:
        add_all(store)
        return list(store.records)


def files_below(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def test_a_finished_shard_is_kept_when_the_folder_is_opened_again(
    small_plan, folder, opened, written
) -> None:
    with opened() as store:
        assert store.records == written
    assert stored_plan(folder) == small_plan
    assert missing_shards(small_plan, [record.shard for record in written]) == []


def test_files_lie_by_edition_players_and_mode(folder, written) -> None:
    for record in written:
        part = record.shard.partition
        for table, file in record.files.items():
            below = f"{table}/edition={part.edition}/players={part.players}/mode={part.mode}/"
            assert record.path(table).startswith(below)
            assert (folder / record.path(table)).stat().st_size == file.bytes


def test_a_torn_last_line_is_dropped_and_its_shard_played_again(
    small_plan, folder, opened, written
) -> None:
    path = folder / "manifest.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    with opened() as store:
        assert len(store.records) == len(written) - 1
        add_all(store)
    manifest = read_manifest(folder, small_plan)
    assert len(manifest.records) == len(written)
    assert not manifest.faults


def test_unfinished_files_of_a_killed_sweep_are_removed(folder, opened, written) -> None:
    left = folder / "seats" / ".x.parquet.unfinished"
    left.write_bytes(b"half of a file")
    with opened():
        assert not left.exists()


def test_a_folder_keeps_its_rounds(small_plan, folder, opened, written) -> None:
    with opened(small_plan.with_total(24)) as store:
        assert store.plan.rounds == small_plan.rounds
    with opened(small_plan.with_total(4800)) as store:
        assert store.plan.games == 4800
    assert stored_plan(folder).games == 4800


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 8}, r'another sweep, "Small" \(other seed\)'),
        ({"kernel": "0123456789abcdef"}, r"another state of the program \(kernel\)"),
    ],
)
def test_another_plan_is_refused_with_the_difference(
    small_plan, folder, opened, written, change, said
) -> None:
    before = files_below(folder)
    with pytest.raises(WrongInput, match=said), opened(replace(small_plan, **change)):
        pass
    assert files_below(folder) == before
    assert stored_plan(folder) == small_plan


def test_a_folder_with_something_else_in_it_is_refused(folder, opened) -> None:
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear", encoding="utf-8")
    with pytest.raises(WrongInput, match="not empty and holds no sweep"), opened():
        pass
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"plan_id":"0123456789abcdef"}', "\xff"])
def test_a_foreign_line_is_named_and_set_aside(folder, opened, line, caplog, written) -> None:
    path = folder / "manifest.jsonl"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"\n", f"\n{line}\n".encode("latin-1"), 1))
    with opened() as store:
        assert store.records == written
    assert "line 2 of" in caplog.text
    assert path.read_bytes() == before
    assert len((folder / "set-aside" / "manifest.jsonl").read_bytes().splitlines()) == 1


def test_a_shard_of_another_plan_is_named_and_set_aside(small_plan, opened, caplog) -> None:
    """It is found even if the manifest agrees, because files name the plan that they belong to."""
    shard, *others = missing_shards(small_plan, [])
    with opened() as store:
        store.add(shard, tables_of(replace(small_plan, seed=8), shard))
        for process in others:
            add(store, process)
    with opened() as store:
        assert {record.shard for record in store.records} == set(others)
    assert "belongs to another plan" in caplog.text
    assert missing_shards(small_plan, others) == [shard]


def test_shards_set_aside_one_after_another_are_all_kept(folder, opened, written) -> None:
    path = folder / written[0].path("seats")
    for _ in range(3):
        with opened() as store:
            add_all(store)
        path.write_bytes(path.read_bytes()[:-1])
    with opened():
        pass
    assert len(list((folder / "set-aside" / "seats").rglob("*.parquet*"))) == 3


def test_two_sweeps_cannot_write_to_one_folder(folder, opened) -> None:
    with opened():
        program = (
            "import sys\n"
            "from pathlib import Path\n"
            "from ethnos_sim.experiments import open_store, stored_plan\n"
            "folder = Path(sys.argv[1])\n"
            "with open_store(folder, stored_plan(folder)):\n"
            "    print('opened')\n"
        )
        second = python("-c", program, str(folder), code=None)
    assert second.stdout == ""
    assert f"another sweep (process {os.getpid()}) is writing" in second.stderr
    with opened() as store:
        assert store.records == []


def test_a_manifest_line_that_cannot_be_written_whole_is_removed(
    small_plan, folder, opened, monkeypatch
) -> None:
    def broken(descriptor: int) -> None:
        raise OSError(errno.EIO, "broken")

    first, second, *_ = missing_shards(small_plan, [])
    with opened() as store:
        add(store, first)
        before = (folder / "manifest.jsonl").read_bytes()
        monkeypatch.setattr(stores, "write_whole", lambda path, content: None)
        monkeypatch.setattr(os, "fsync", broken)
        with pytest.raises(Failed, match="broken"):
            add(store, second)
        assert (folder / "manifest.jsonl").read_bytes() == before


def test_a_file_that_a_good_record_names_is_never_set_aside(folder, opened, written) -> None:
    """A record with a wrong hash stands before the right record of the same shard."""
    path = folder / "manifest.jsonl"
    first = written[0]
    line = path.read_text().splitlines()[0].replace(first.files["games"].sha256, 64 * "0")
    path.write_text(sealed(json.loads(line)) + path.read_text(), encoding="utf-8")
    with opened() as store:
        assert store.records == written
        assert all((folder / first.path(table)).is_file() for table in ROWS)


def test_two_sweeps_cannot_both_succeed_even_without_the_lock(small_plan, folder, opened) -> None:
    first, second, *_ = missing_shards(small_plan, [])
    with opened() as before:
        add(before, first)
        (folder / "sweep.lock").unlink()
        with opened() as after:
            assert [record.shard for record in after.records] == [first]
            for commit in (lambda: add(before, second), before.check_whole):
                with pytest.raises(Failed, match="another sweep has taken over"):
                    commit()
            add(after, second)
            after.check_whole()
            assert [record.shard for record in after.records] == [first, second]


def test_a_sweep_that_has_ended_leaves_no_lock(folder, opened) -> None:
    with opened() as store:
        assert (folder / "sweep.lock").exists()
        add_all(store)
    with contextlib.suppress(KeyboardInterrupt), opened():
        raise KeyboardInterrupt
    assert not {"sweep.lock", "writer.json"} & {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["", "sweep.lock", "manifest.jsonl", "writer.json"])
def test_a_folder_that_vanishes_during_a_write_is_not_made_again(
    small_plan, folder, opened, name
) -> None:
    first, second, *_ = missing_shards(small_plan, [])
    with opened() as store:
        add(store, first)
        (folder / name).rename(folder.with_name("elsewhere"))
        with pytest.raises(Failed, match="was removed or changed while the sweep was running"):
            add(store, second)
        assert folder.exists() == bool(name)
        assert [record.shard for record in store.records] == [first]


@pytest.mark.parametrize("name", ["plan.json", "manifest.jsonl", "table"])
def test_check_whole_notices_a_file_that_was_cut_off(folder, opened, written, name) -> None:
    with opened() as store:
        store.check_whole()
        path = folder / (written[-1].path("seats") if name == "table" else name)
        path.write_bytes(path.read_bytes()[:-1])
        with pytest.raises(Failed):
            store.check_whole()


def test_a_folder_of_tables_may_lie_elsewhere(folder, tmp_path, opened, written) -> None:
    (folder / "games").rename(tmp_path / "games")
    (folder / "games").symlink_to(tmp_path / "games")
    with opened() as store:
        assert store.records == written
        store.check_whole()


@pytest.mark.parametrize("name", ["sweep.lock", "writer.json", "plan.json", "manifest.jsonl"])
def test_a_link_in_the_place_of_a_file_is_never_written_through(
    small_plan, folder, tmp_path, opened, name
) -> None:
    victim = tmp_path / "victim"
    with opened() as store:
        add(store, missing_shards(small_plan, [])[0])
        victim.write_bytes((folder / name).read_bytes())
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(victim)
    before = victim.read_bytes()
    with contextlib.suppress(Failed, WrongInput), opened() as store:
        add_all(store)
    assert victim.read_bytes() == before


def test_a_table_file_that_no_record_names_is_set_aside(folder, opened, written) -> None:
    stray = folder / written[0].path("games").replace("rounds-", "strays-")
    stray.write_bytes(b"rows of nobody")
    stray.with_name("rounds-9.parquet").mkdir()
    with opened() as store:
        assert store.records == written
    assert not stray.exists()
    assert (folder / "set-aside" / stray.relative_to(folder)).read_bytes() == b"rows of nobody"
