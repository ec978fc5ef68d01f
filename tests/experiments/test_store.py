"""The folder of a sweep: whole files, one writer, nothing finished is ever lost or taken twice."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from ethnos_sim.experiments import store as stores
from ethnos_sim.experiments.manifest import read_manifest
from ethnos_sim.experiments.plan import missing_shards
from ethnos_sim.experiments.store import open_store, stored_plan, write_whole
from ethnos_sim.simulator.errors import Failed, WrongInput

TABLES = {"games": b"the games", "seats": b"the seats"}
ROWS = {"games": 1, "seats": 2}
COUNTS = {"games": {"turns": 9}, "seats": {"won": 60}}


def add_all(store) -> None:
    for shard in missing_shards(store.plan, [record.shard for record in store.records]):
        store.add(shard, TABLES, ROWS, COUNTS)


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
                assert file.path.startswith(expected)
                assert (tmp_path / file.path).read_bytes() == TABLES[table]


def test_a_torn_last_line_is_dropped_and_its_shard_played_again(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
        count = len(store.records)
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes()[:-20])
    with open_store(tmp_path, small_plan) as store:
        assert len(store.records) == count - 1
        add_all(store)
    records, torn = read_manifest(tmp_path, small_plan)
    assert len(records) == count
    assert not torn


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"T" + path.read_bytes()[1:]),
    ],
    ids=["missing", "cut off", "one bit changed"],
)
def test_a_shard_that_is_not_whole_is_named_set_aside_and_played_again(
    small_plan, tmp_path, caplog, spoil
) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
        lost, *kept = store.records
    spoil(tmp_path / lost.files["seats"].path)
    with open_store(tmp_path, small_plan) as store:
        assert store.records == kept
        assert lost.files["seats"].path in caplog.text
        assert not (tmp_path / lost.files["games"].path).exists()
        add_all(store)
        assert {record.shard for record in store.records} == {
            record.shard for record in (lost, *kept)
        }
    records, _ = read_manifest(tmp_path, small_plan)
    assert all(record.faults(tmp_path) == [] for record in records)


def test_what_a_killed_sweep_left_unfinished_is_cleared_away(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
    left = tmp_path / "seats" / "x.parquet.unfinished"
    left.write_bytes(b"half of a file")
    with open_store(tmp_path, small_plan):
        assert not left.exists()


def test_a_folder_keeps_the_rounds_it_holds(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
    with open_store(tmp_path, small_plan.with_total(24)) as store:
        assert store.plan.rounds == small_plan.rounds
    with open_store(tmp_path, small_plan.with_total(4800)) as store:
        assert store.plan.games == 4800
    assert stored_plan(tmp_path).games == 4800


def test_another_plan_is_refused_with_what_differs(small_plan, small_spec, tmp_path) -> None:
    from ethnos_sim.experiments.plan import make_plan
    from ethnos_sim.experiments.spec import parse_spec

    with open_store(tmp_path, small_plan) as store:
        add_all(store)
    before = files_below(tmp_path)
    other = make_plan(parse_spec({**small_spec, "seed": 8}, "other.toml"))
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


def test_a_folder_below_a_file_is_refused(small_plan, tmp_path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(WrongInput), open_store(folder, small_plan):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_plan_file_that_is_no_plan_is_refused(small_plan, tmp_path) -> None:
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    with pytest.raises(WrongInput, match=r"plan\.json' cannot be used"):
        stored_plan(tmp_path)


@pytest.mark.parametrize("line", ["{}\n", "nonsense\n", '{"plan_id":"0123456789abcdef"}\n'])
def test_a_manifest_with_a_foreign_line_is_refused(small_plan, tmp_path, line) -> None:
    with open_store(tmp_path, small_plan) as store:
        add_all(store)
    with (tmp_path / "manifest.jsonl").open("a", encoding="utf-8") as file:
        file.write(line)
    with pytest.raises(Failed, match=r"line \d+ of"), open_store(tmp_path, small_plan):
        pass


def test_two_sweeps_cannot_write_to_one_folder(small_plan, tmp_path) -> None:
    with open_store(tmp_path, small_plan):
        program = (
            "import sys\n"
            "from pathlib import Path\n"
            "from ethnos_sim.experiments.store import open_store, stored_plan\n"
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


def test_a_full_disk_ends_with_a_sentence_and_leaves_no_half_file(
    small_plan, tmp_path, monkeypatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with open_store(tmp_path, small_plan) as store:
        shards = missing_shards(small_plan, [])
        store.add(shards[0], TABLES, ROWS, COUNTS)
        before = files_below(tmp_path)
        monkeypatch.setattr(stores.os, "fsync", full)
        with pytest.raises(Failed, match="No space left on device"):
            store.add(shards[1], TABLES, ROWS, COUNTS)
        assert files_below(tmp_path) == before
        assert len(store.records) == 1


def test_a_manifest_line_that_cannot_be_written_is_taken_back(
    small_plan, tmp_path, monkeypatch
) -> None:
    with open_store(tmp_path, small_plan) as store:
        shards = missing_shards(small_plan, [])
        store.add(shards[0], TABLES, ROWS, COUNTS)
        before = (tmp_path / "manifest.jsonl").read_bytes()
        monkeypatch.setattr(stores, "write_whole", lambda path, content: None)
        monkeypatch.setattr(
            stores.os,
            "fsync",
            lambda descriptor: (_ for _ in ()).throw(OSError(errno.EIO, "broken")),
        )
        with pytest.raises(Failed, match="broken"):
            store.add(shards[1], TABLES, ROWS, COUNTS)
        assert (tmp_path / "manifest.jsonl").read_bytes() == before


def test_writing_over_a_file_replaces_it_in_one_step(tmp_path) -> None:
    path = tmp_path / "below" / "file"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert [each.name for each in path.parent.iterdir()] == ["file"]
