"""Start the documents' commands and Python code quickly, as copies of one loaded process.

Loading the program takes longer than most examples. So one process loads the program and its
machine code. For every call of `ethnos-sim` or `python -` it forks a copy, which takes over the
caller's folder, environment, arguments and standard streams. The copy's exit code goes back to the
caller.
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

#: The most seconds that loading may take; with an empty code cache all shipped code is compiled.
PATIENCE = 900.0

#: The script that replaces a command. It sends its arguments, folder, environment and standard
#: streams to the loaded process, and exits with the copy's exit code. `python FILE` is started as
#: usual.
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
    """While the body runs, PATH finds the replacements of `ethnos-sim` and `python`."""
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
    """Load the program and wait for calls; return only in a copy, which then runs its call."""
    sys.path.pop(0)  # This file's folder, which is not on the path of a command.
    compiling_ahead.compile_all()
    if resource_tracker._resource_tracker._pid is not None:
        # Worker processes did the compiling. Start again without their threads and locks, which a
        # fork would not copy.
        os.execv(sys.executable, [sys.executable, __file__, place])
    kernel_source()
    strategy_sources(strategy.name for strategy in list_strategies())
    assert "polars" not in sys.modules, "a fork would not copy polars' threads"
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as warm:
        warm.bind(place)
        warm.listen()
        print("loaded", flush=True)
        copies: dict[int, tuple[int, socket.socket]] = {}
        while True:
            ready, _, _ = select.select([warm, sys.stdin, *copies], [], [])
            if sys.stdin in ready:
                sys.exit()  # The parent process has ended.
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
    """Send the exit code of a copy to its caller."""
    os.close(ended)
    _, status = os.waitpid(copy, 0)
    with call, contextlib.suppress(OSError):
        call.send(bytes([os.waitstatus_to_exitcode(status) % 256]))


def _become(call: socket.socket) -> None:
    """Take over the standard streams, arguments, folder and environment of a call."""
    _, files, _, _ = socket.recv_fds(call, 1, 3)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    with call.makefile("rb") as message:
        name, words, folder, environment = marshal.load(message)
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
