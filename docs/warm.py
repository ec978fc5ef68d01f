"""Commands and Python code of the documents, without a start of their own for each.

A start takes longer than most examples. So one process loads the program, its machine code and what
else takes long, and every `ethnos-sim` and `python -` is a copy of it, made when it is called: in
the folder, with the environment, words, files and exit code that a process of its own would have.
"""

from __future__ import annotations

import contextlib
import gc
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import joblib  # noqa: F401
from joblib.externals.loky.backend import resource_tracker

from ethnos_sim.experiments.plans import plan  # noqa: F401
from ethnos_sim.experiments.plans.sources import kernel_source, strategy_sources
from ethnos_sim.main import main
from ethnos_sim.strategies import compiling_ahead, list_strategies

#: Seconds until the program is loaded; where nothing is kept, it compiles all code that ships.
PATIENCE = 900.0

#: What stands for a command: it hands over its words, folder, environment and files, and ends as
#: the copy ends that they are for. Python that is given a file is started as ever.
STAND_IN = """#!{python} -IS
import marshal, os, socket, sys
name = os.path.basename(sys.argv[0])
if name == "python" and sys.argv[1:] != ["-"]:
    os.execv("{python}", ["{python}", *sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as warm:
    warm.connect("{place}")
    socket.send_fds(warm, [b" "], [0, 1, 2])
    warm.sendall(marshal.dumps((name, sys.argv[1:], os.getcwd(), dict(os.environ))))
    warm.shutdown(socket.SHUT_WR)
    code = warm.recv(1)
sys.exit(code[0] if code else 1)
"""


@contextlib.contextmanager
def commands() -> Iterator[None]:
    """Within the body the PATH has stand-ins for `ethnos-sim` and `python`."""
    path = os.environ["PATH"]
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "socket"))
        for name in ("ethnos-sim", "python"):
            file = Path(folder, name)
            file.write_text(STAND_IN.format(python=sys.executable, place=place), encoding="utf-8")
            file.chmod(0o755)
        process = subprocess.Popen(
            [sys.executable, __file__, place],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
        try:
            assert process.stdout is not None, "it is a pipe"
            answers, _, _ = select.select([process.stdout], [], [], PATIENCE)
            if not answers:
                raise SystemExit(f"the program was not loaded within {PATIENCE:g} s")
            if not process.stdout.readline():
                raise SystemExit("the program could not be loaded")
            os.environ["PATH"] = os.pathsep.join((folder, str(Path(sys.executable).parent), path))
            yield
        finally:
            os.environ["PATH"] = path
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def serve(place: str) -> None:
    """Load the program, and return in a copy for each call, prepared as the call says."""
    sys.path.pop(0)  # this file's folder, which no command looks in
    compiling_ahead.compile_all()
    if resource_tracker._resource_tracker._pid is not None:
        # Workers compiled. Begin again without their threads and locks, which a copy would lack.
        os.execv(sys.executable, [sys.executable, __file__, place])
    kernel_source()
    strategy_sources(each.name for each in list_strategies())
    assert "polars" not in sys.modules, "a copy would lack the threads that polars starts"
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as warm:
        warm.bind(place)
        warm.listen()
        print("loaded", flush=True)
        copies: dict[int, tuple[int, socket.socket]] = {}
        while True:
            ready, _, _ = select.select([warm, sys.stdin, *copies], [], [])
            if sys.stdin in ready:
                sys.exit()  # who began this has ended
            for ended in copies.keys() & set(ready):
                _tell_end(ended, *copies.pop(ended))
            if warm in ready:
                call, _ = warm.accept()
                copy = os.fork()
                if not copy:
                    break
                copies[os.pidfd_open(copy)] = copy, call
    with call:
        _become(call)


def _tell_end(ended: int, copy: int, call: socket.socket) -> None:
    """Answer a call whose copy has ended."""
    os.close(ended)
    _, status = os.waitpid(copy, 0)
    with call, contextlib.suppress(OSError):
        call.send(bytes([os.waitstatus_to_exitcode(status) % 256]))


def _become(call: socket.socket) -> None:
    """Take over the files, words, folder and environment of a call."""
    _, files, _, _ = socket.recv_fds(call, 1, 3)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    with call.makefile("rb") as told:
        name, words, folder, environment = marshal.load(told)
    sys.argv = [name, *words]
    sys.modules["__main__"] = ModuleType("__main__")
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)


if __name__ == "__main__":
    serve(sys.argv[1])
    if sys.argv[0] == "python":
        sys.path.insert(0, "")
        exec(compile(sys.stdin.read(), "<stdin>", "exec"), vars(sys.modules["__main__"]))
    else:
        main()
