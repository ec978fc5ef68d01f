"""Worker processes of this machine, which compile."""

import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from inside.simulator.utilities import worker_processes

pytestmark = pytest.mark.long


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


def test_worker_processes_run_no_module_of_the_working_folder(tmp_path, monkeypatch) -> None:
    text = "open('was-run', 'w').close()\nraise ImportError('somebody else')\n"
    for module in ("numpy", "cloudpickle", "joblib", "pickle", "argparse", "signal", "typing"):
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with worker_processes(1) as executor:
        path = executor.submit(getattr, sys, "path").result(timeout=60)
    assert str(tmp_path) not in path
    assert not Path("was-run").exists()
