"""The folder of a sweep: one writer, its own plan, and no finished shard lost or counted twice.

What a kill, damage or a full disk leaves is tried by `tests/faults`.
"""

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from inside.experiments import find_plan, missing_shards, open_store

from ethnos_sim.simulator import Failed, WrongInput


def add(store, shard) -> None:
    """Write small tables as a shard's."""
    store.add_shard(shard, {"games": b"a row", "seats": b"two rows"})


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


def test_a_folder_keeps_its_shards_and_its_rounds(small_plan, folder, opened, written) -> None:
    with opened(small_plan.with_total_games(24)) as store:
        assert store.records == written
        assert store.plan.rounds == small_plan.rounds
    with opened(small_plan.with_total_games(4800)) as store:
        assert store.plan.games == 4800
    assert find_plan(folder).games == 4800


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 8}, r'another sweep, "Small" \(other seed\)'),
        ({"kernel": "0123456789abcdef"}, r"other code of the program \(kernel\)"),
    ],
)
def test_another_plan_is_refused_with_the_difference(
    small_plan, folder, opened, written, change, said
) -> None:
    before = {*folder.rglob("*")}
    with pytest.raises(WrongInput, match=said), opened(replace(small_plan, **change)):
        pass
    assert {*folder.rglob("*")} == before
    assert find_plan(folder) == small_plan


def test_a_folder_with_something_else_in_it_is_refused(folder, opened) -> None:
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear", encoding="utf-8")
    with pytest.raises(WrongInput, match="not empty and holds no sweep"), opened():
        pass
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_files_of_no_whole_shard_are_set_aside_and_none_is_overwritten(
    folder, opened, written
) -> None:
    damaged = folder / written[0].path("seats")
    stray = folder / written[0].path("games").replace("rounds-", "strays-")
    stray.write_bytes(b"rows of nobody")
    unfinished = stray.with_name(".x.parquet.unfinished")
    for _ in range(3):
        unfinished.write_bytes(b"half of a file")
        damaged.write_bytes(damaged.read_bytes()[:-1])
        with opened() as store:
            assert {*store.records} == {*written[1:]}
            add_all(store)
        assert {*store.records} == {*written}
    assert not stray.exists()
    assert not unfinished.exists()
    aside = folder / "set-aside"
    assert (aside / stray.relative_to(folder)).read_bytes() == b"rows of nobody"
    assert len(list((aside / "seats").rglob("*.parquet*"))) == 3


def test_two_sweeps_cannot_write_to_one_folder(folder, opened) -> None:
    with opened(), pytest.raises(WrongInput, match="another sweep is writing to the"), opened():
        pass


def test_a_sweep_that_has_ended_leaves_no_lock(folder, opened) -> None:
    with contextlib.suppress(KeyboardInterrupt), opened():
        assert (folder / "sweep.lock").exists()
        raise KeyboardInterrupt
    assert not (folder / "sweep.lock").exists()


@pytest.mark.parametrize("name", ["", "manifest.jsonl"])
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


def test_a_folder_of_tables_may_lie_elsewhere(folder, tmp_path, opened, written) -> None:
    (folder / "games").rename(tmp_path / "games")
    (folder / "games").symlink_to(tmp_path / "games")
    with opened() as store:
        assert store.records == written
