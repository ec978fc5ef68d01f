"""A real scheduler with real workers on loopback: rows stay the same if workers die or differ."""

import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dask_on_loopback import PATIENCE, Dask, cluster, play_or_die
from inside import module_with
from inside.experiments import Plan, missing_shards, open_store, prepare_plan
from inside.experiments.execution import Cluster, pack_plan, play_missing, play_packed_shard
from kit.custom import strategy_file
from sweeps import assert_same_rows, plan_of

from ethnos_sim import sweep
from ethnos_sim.simulator import Failed
from ethnos_sim.strategies import get_strategy

cluster_module = module_with("experiments.execution", "Cluster")
workers = module_with("experiments.execution", "program_differences")

#: Nobody closes the connections to killed processes.
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def dask() -> Iterator[Dask]:
    """A scheduler for a single test, which may kill it."""
    with cluster() as processes:
        yield processes


def test_a_worker_killed_in_mid_sweep_changes_no_row_and_each_stored_shard_counts_once(
    dask, small_spec, tmp_path
) -> None:
    """The shards have a different size from the shards that threads play."""
    plan = plan_of({**small_spec, "games": 20_000})
    first, _ = dask.workers(2)
    steps: list[int] = []

    def count_and_kill(games: int) -> None:
        steps.append(games)
        if len(steps) == 3:
            first.kill()

    with open_store(tmp_path / "out", plan) as store:
        tables = prepare_plan(plan)
        play_missing(store, tables, engine=Cluster(dask.address), on_games=count_and_kill)
    first.join(PATIENCE)
    assert first.exitcode == -signal.SIGKILL
    assert steps == [plan.games_of(record.shard) for record in store.records]
    sweep(plan.with_shard_games(4_000), tmp_path / "threads", jobs=2, quiet=True)
    assert_same_rows(tmp_path / "out", tmp_path / "threads")


def test_a_shard_that_kills_its_workers_ends_the_sweep_within_seconds(dask, small_plan, tmp_path):
    """The scheduler gives up a shard that two dead workers held, not always the deadly one."""
    dask.workers(3)
    engine = Cluster(dask.address, play_packed=play_or_die)
    began = time.monotonic()
    with pytest.raises(Failed, match=r"2 workers died that held the shard 'edition="):
        sweep(small_plan, tmp_path / "out", engine=engine, quiet=True)
    assert time.monotonic() - began < PATIENCE


@pytest.mark.parametrize(
    ("process", "said"),
    [
        ("worker", "all workers were gone for 1 s"),
        ("scheduler", r"the scheduler at .* went away|all workers were gone for 1 s"),
    ],
)
def test_a_sweep_whose_cluster_dies_ends_with_a_sentence(dask, small_spec, process, said) -> None:
    """The worker has finished shards by then that it has not yet handed over."""
    plan = plan_of({**small_spec, "games": 20_000}).with_shard_games(200)
    (only,) = dask.workers(1)
    finished: list[object] = []

    def finish(shard: object, played: object) -> None:
        finished.append(shard)
        time.sleep(1.0)
        (only if process == "worker" else dask.processes[0]).kill()

    shards = missing_shards(plan, [])
    with pytest.raises(Failed, match=said):
        Cluster(dask.address, patience=1.0).play(
            plan, prepare_plan(plan), shards, finish, lambda games: None
        )
    assert 0 < len(finished) < len(shards)


def refuse(plan: Plan, folder: Path, address: str, said: str) -> None:
    """Check that a sweep on the scheduler at an address fails, and leaves nothing."""
    with pytest.raises(Failed, match=said):
        sweep(plan, folder, engine=Cluster(address), quiet=True)
    assert not folder.exists()


def test_a_scheduler_without_workers_is_reported(dask, small_plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(cluster_module, "SECONDS_TO_CONNECT", 1.0)
    said = f"{dask.address} has no workers; start some with: dask work"
    refuse(small_plan, tmp_path / "out", dask.address, said)


def test_a_worker_with_another_program_is_refused(dask, small_plan, tmp_path) -> None:
    dask.workers(1)
    said = r"the worker tcp://.* has version .* instead of 9\.9\.9"
    refuse(replace(small_plan, version="9.9.9"), tmp_path / "out", dask.address, said)


def test_an_address_that_never_answers_is_reported(small_plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(cluster_module, "SECONDS_TO_CONNECT", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        refuse(small_plan, tmp_path / "out", address, "no dask scheduler answers")


def test_a_worker_reports_how_its_program_differs_and_does_not_play(
    small_plan, monkeypatch
) -> None:
    packed = pack_plan(replace(small_plan, version="0.0.9"), [])
    assert workers.program_differences(pack_plan(small_plan, [])) == []
    monkeypatch.setattr(workers, "kernel_hash", lambda: "0123456789abcdef")
    said = f"version {small_plan.version} instead of 0.0.9", "other code of the simulator"
    assert workers.program_differences(packed) == [*said]
    with pytest.raises(Failed, match="; ".join(said)):
        play_packed_shard(packed, missing_shards(small_plan, [])[0])


def test_a_worker_gets_strategy_files_that_its_machine_lacks(small_plan, tmp_path) -> None:
    file = strategy_file(tmp_path, "sent_along")
    packed = pack_plan(small_plan, [file])
    file.unlink()
    assert workers.program_differences(packed) == []
    assert get_strategy("sent_along").name == "sent_along"
