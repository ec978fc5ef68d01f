"""Workers in other processes: errors name what killed a worker, and how its code differs."""

import threading
import time
from concurrent.futures import Future

import pytest
from deadly import play_or_die
from inside import module_with
from inside.experiments.execution import Processes, differences, pack, play_packed
from inside.simulator.utilities import worker_processes
from kit.custom import strategy_file
from sweeps import assert_same_rows

from ethnos_sim import sweep
from ethnos_sim.experiments import missing_shards
from ethnos_sim.simulator import Failed

workers = module_with("experiments.execution", "differences")

pytestmark = pytest.mark.long


def test_a_shard_that_kills_its_worker_is_named_and_the_others_kept(swept, tmp_path) -> None:
    with pytest.raises(Failed, match=r"players=2/mode=standard/rounds-00000000-\d+\.parquet'"):
        sweep(swept.plan, tmp_path, engine=Processes(2, player=play_or_die), quiet=True)
    sweep(swept.plan, tmp_path, jobs=2, quiet=True)
    assert_same_rows(tmp_path, swept.folder)


def test_a_worker_reports_how_its_program_differs(small_plan, monkeypatch) -> None:
    packed = pack(small_plan, [])
    assert differences(packed) == []
    monkeypatch.setattr(workers, "package_version", lambda: "0.0.9")
    monkeypatch.setattr(workers, "kernel_source", lambda: "0123456789abcdef")
    assert differences(packed) == [
        f"version 0.0.9 instead of {small_plan.version}",
        "another simulator",
    ]
    workers._ready.cache_clear()
    with pytest.raises(Failed, match=r"version 0\.0\.9"):
        play_packed(packed, missing_shards(small_plan, [])[0])


def test_a_worker_gets_strategy_files_that_its_machine_lacks(small_plan, tmp_path) -> None:
    from ethnos_sim.strategies import get_strategy

    file = strategy_file(tmp_path, "sent_along")
    packed = pack(small_plan, [file])
    file.unlink()
    assert differences(packed) == []
    assert get_strategy("sent_along").name == "sent_along"


def test_waiting_work_is_dropped_silently_if_the_body_raises() -> None:
    sent: list[Future[None]] = []

    def interrupted() -> None:
        with worker_processes(1) as executor:
            sent.extend(executor.submit(time.sleep, 60) for _ in range(20))
            # The queue between this process and its workers is full, then has a place again: loky's
            # thread looks for work to fill it with.
            while not sent[2].running() or executor._call_queue.full():
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    # pytest fails a test if a thread ends by an exception during the test.
    for thread in threading.enumerate():
        if thread.name == "ExecutorManagerThread":
            thread.join(timeout=30)
    assert all(future.exception(timeout=30) for future in sent)


def test_processes_are_refused_on_a_system_without_semaphores(swept, tmp_path, monkeypatch):
    def none_here(*given: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("_multiprocessing.SemLock", none_here)
    with pytest.raises(Failed, match=r"/dev/shm.*--engine threads"):
        sweep(swept.plan, tmp_path / "new", engine=Processes(2), quiet=True)
    assert not (tmp_path / "new").exists()
