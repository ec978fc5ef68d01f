"""A real scheduler with real workers on loopback: rows stay the same if workers die or differ."""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_on_loopback import PATIENCE, Dask, cluster_in
from deadly import play_or_die
from faults.stopping import lines
from inside import module_with
from inside.experiments.execution import Cluster, play_missing
from sweeps import assert_same_rows, plan_of

from ethnos_sim import sweep
from ethnos_sim.experiments import missing_shards, open_store, prepare_tables
from ethnos_sim.simulator import Failed

cluster = module_with("experiments.execution", "Cluster")
workers = module_with("experiments.execution", "differences")

#: Nobody closes the connections to killed processes.
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def dask(tmp_path) -> Iterator[Dask]:
    """A scheduler for a single test, which may kill it."""
    with cluster_in(tmp_path) as processes:
        yield processes


@pytest.fixture(scope="module")
def standing(tmp_path_factory) -> Iterator[str]:
    """The address of a scheduler with two workers that all tests share."""
    with cluster_in(tmp_path_factory.mktemp("standing")) as processes:
        processes.workers("first", "second")
        yield processes.address


def wait_for_shards(folder: Path, count: int) -> None:
    """Wait until `count` shards of a sweep are finished."""
    patience, reached = time.monotonic() + PATIENCE, lines(count)
    while time.monotonic() < patience and not reached(folder):
        time.sleep(0.005)


def test_a_worker_killed_in_mid_sweep_changes_no_row(dask, small_spec, tmp_path) -> None:
    plan = plan_of({**small_spec, "games": 20_000})
    first, _ = dask.workers("first", "second")
    out = tmp_path / "out"

    def kill_after_some_shards() -> None:
        wait_for_shards(out, 3)
        first.kill()

    killer = threading.Thread(target=kill_after_some_shards)
    killer.start()
    swept = sweep(plan, out, engine=Cluster(dask.address), quiet=True)
    killer.join(timeout=PATIENCE)
    first.join(PATIENCE)
    assert first.exitcode == -signal.SIGKILL
    assert swept.games_held == plan.games
    sweep(plan, tmp_path / "threads", jobs=2, quiet=True)
    assert_same_rows(out, tmp_path / "threads")


def test_a_cluster_plays_the_rows_of_threads_and_counts_each_shard_when_it_is_stored(
    standing, small_spec, tmp_path
) -> None:
    """The shards have a different size from the shards that threads play."""
    small_spec.update(editions=["second"], players=[4], games=3_600, line_ups=[["learned"]])
    plan = plan_of(small_spec).with_shards_of(5_000)
    steps: list[int] = []
    with open_store(tmp_path / "out", plan) as store:
        play_missing(store, prepare_tables(plan), engine=Cluster(standing), on_games=steps.append)
    shards = [plan.games_of(record.shard) for record in store.records]
    assert steps == shards
    assert sum(steps) == plan.games
    sweep(plan.with_shards_of(4000), tmp_path / "threads", jobs=1, quiet=True)
    assert_same_rows(tmp_path / "out", tmp_path / "threads")


def test_a_shard_that_kills_its_workers_ends_the_sweep_within_seconds(dask, small_plan, tmp_path):
    """The scheduler gives up a shard that two dead workers held, not always the deadly one."""
    dask.workers("first", "second", "third")
    engine = Cluster(dask.address, player=play_or_die)
    began = time.monotonic()
    with pytest.raises(Failed, match=r"2 workers died that held the shard 'edition="):
        sweep(small_plan, tmp_path / "out", engine=engine, quiet=True)
    assert time.monotonic() - began < PATIENCE


def test_shards_of_a_dead_worker_are_not_waited_for_forever(dask, small_plan) -> None:
    """The worker dies with shards that it has finished, but not yet handed over."""
    (only,) = dask.workers("only")

    def finish(shard: object, tables: object) -> None:
        time.sleep(1.0)
        only.kill()

    engine = Cluster(dask.address, patience=1.0)
    shards = missing_shards(small_plan, [])
    with pytest.raises(Failed, match="all workers were gone for 1 s"):
        engine.play(small_plan, prepare_tables(small_plan), shards, finish, lambda games: None)


def test_a_scheduler_without_workers_is_reported(dask, small_plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1.0)
    with pytest.raises(Failed, match=rf"{dask.address} has no workers; start some with: dask work"):
        sweep(small_plan, tmp_path / "out", engine=Cluster(dask.address), quiet=True)


def test_a_worker_with_another_program_is_refused_before_the_first_game(
    standing, small_plan, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(workers, "package_version", lambda: "9.9.9")
    with pytest.raises(Failed, match=r"the worker tcp://.* has version .* instead of 9\.9\.9"):
        sweep(small_plan, tmp_path / "out", engine=Cluster(standing), quiet=True)
    assert list((tmp_path / "out").rglob("*.parquet")) == []


def test_a_scheduler_that_is_killed_ends_the_sweep_with_a_sentence(
    dask, small_spec, tmp_path
) -> None:
    plan = plan_of({**small_spec, "games": 20_000}).with_shards_of(200)
    dask.workers("first")
    shards = missing_shards(plan, [])
    played: list[object] = []

    def finish(shard: object, tables: object) -> None:
        played.append(shard)
        dask.started[0].kill()

    engine = Cluster(dask.address, patience=1.0)
    with pytest.raises(
        Failed, match=r"the scheduler at .* went away|all workers were gone for 1 s"
    ):
        engine.play(plan, prepare_tables(plan), shards, finish, lambda games: None)
    assert 0 < len(played) < len(shards)


def test_an_address_that_never_answers_ends_in_time_and_leaves_nothing(
    small_plan, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(Failed, match="no dask scheduler answers"):
            sweep(small_plan, tmp_path / "out", engine=Cluster(address), quiet=True)
    assert not (tmp_path / "out").exists()
