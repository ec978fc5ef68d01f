"""Worker processes of this machine, which compile."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from inside.simulator.utilities import allowed_processes, limit_processes, worker_processes

pytestmark = pytest.mark.long

BUSY = f"""
import os, time
from {worker_processes.__module__} import worker_processes
with worker_processes(2) as executor:
    print(executor.submit(os.getpid).result(), flush=True)
    for _ in range(2):
        executor.submit(time.sleep, 60)
"""

#: Seconds within which a worker has to end. It looks four times a second.
SOON = 20


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_end_when_their_parent_is_killed() -> None:
    command = [sys.executable, "-c", BUSY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    late = time.monotonic() + SOON
    while is_running(worker) and time.monotonic() < late:
        time.sleep(0.05)
    assert not is_running(worker)


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


def test_a_command_that_is_allowed_one_process_starts_no_other() -> None:
    with limit_processes(1):
        assert allowed_processes() == 1
        with limit_processes(None):
            assert allowed_processes() == 1
