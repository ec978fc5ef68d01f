"""A second process, in which strangers answer their questions once more, to be checked.

It loads the strategies anew from their files. So a strategy cannot know there what it saw in this
process. A strategy that does not return is ended with the second process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np

from ethnos_sim.experiments.execution.repeating import Asking, Repeated, check
from ethnos_sim.simulator.tables.table import Seat
from ethnos_sim.simulator.user_code.loading import file_with_content
from ethnos_sim.simulator.utilities.errors import StrategyError, WrongInput
from ethnos_sim.simulator.utilities.processes import ONE_THREAD
from ethnos_sim.strategies import LineUp, load_strategy_file

#: The most seconds that a decision may take.
SECONDS_A_DECISION = 20.0
#: Seconds between two looks at whether a decision takes longer.
SECONDS_BETWEEN_LOOKS = 0.5

_PROGRAM = f"import sys; sys.path[:] = {{path!r}}; from {__name__} import serve; serve()"

Files = tuple[tuple[str, bytes], ...]
"""Users' files: their paths, and what was loaded from them."""

Names = tuple[tuple[str, ...], ...]
"""The names of the players at each table, as in a line-up."""


class SecondProcess:
    """The second process; it is started for the first check, and anew for other users' files."""

    def __init__(self) -> None:
        """Begin without a process."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._files: Files = ()
        self._parent = 0

    def check(self, work: Repeated, files: Files) -> None:
        """Let the process `check` games.

        Raises:
            StrategyError: a strategy is refused, or did not return.
            PowerError, IllegalMove, NoAnswer: as for `check`.
        """
        with self._lock:
            process = self._started(files)
            try:
                _write(process.stdin, _sent(work))
                assert process.stdout is not None, "it is a pipe"
                error: Exception | None = pickle.load(process.stdout)
            except (EOFError, OSError):
                raise self._ended(work) from None
            except BaseException:
                self.end()
                raise
        if error is not None:
            raise error

    def _started(self, files: Files) -> subprocess.Popen[bytes]:
        """The process that has loaded these files."""
        if self._process is not None and (files, os.getpid()) == (self._files, self._parent):
            return self._process
        self.end()
        self._files, self._parent = files, os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ONE_THREAD},
        )
        with contextlib.suppress(OSError):  # reading its answer says that it ended
            _write(self._process.stdin, files)
        return self._process

    def _ended(self, work: Repeated) -> StrategyError:
        """The error that names the strangers whose code ended the process."""
        process, self._process = self._process, None
        assert process is not None, "it was asked"
        with contextlib.suppress(OSError):
            process.communicate()
        code = process.returncode
        names = {seat.name for table in work.tables for seat in table.seats if seat.strangers}
        named = ", ".join(f"'{name}'" for name in sorted(names))
        return StrategyError(
            f"strategy {named} ended the process that checks its answers (exit code {code})"
        )

    def end(self) -> None:
        """End the process."""
        if self._process is not None and self._parent == os.getpid():
            self._process.kill()
            self._process.communicate()
        self._process = None


def _write(stream: IO[bytes] | None, message: object) -> None:
    """Send a message."""
    assert stream is not None, "it is a pipe"
    pickle.dump(message, stream)
    stream.flush()


def _sent(work: Repeated) -> tuple[Repeated, Names]:
    """The work without seats, which hold addresses of this process, and who sits at the tables."""
    names = tuple(tuple(seat.name for seat in table.seats) for table in work.tables)
    tables = tuple(replace(table, seats=()) for table in work.tables)
    return work._replace(tables=tables), names


def _received(work: Repeated, names: Names) -> Repeated:
    """The work with this process's code; tables with the same players share their seats."""
    seats: dict[tuple[str, ...], tuple[Seat, ...]] = {}
    tables = []
    for table, players in zip(work.tables, names, strict=True):
        if players not in seats:
            seats[players] = LineUp.parse(players, table.players, table.rules).seats()
        tables.append(replace(table, seats=seats[players]))
    return work._replace(tables=tuple(tables))


def serve() -> None:
    """Check what the parent process asks, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles interruptions
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # what strangers print
        os.dup2(nowhere.fileno(), 1)
    try:
        error: BaseException | None = None
        for path, content in pickle.load(source):
            load_strategy_file(file_with_content(Path(path), content))
    except EOFError:
        return
    except WrongInput as refused:
        error = refused
    while True:
        try:
            sent = pickle.load(source)
        except EOFError:
            return
        _write(answers, error or _checked(sent, answers))


def _checked(sent: tuple[Repeated, Names], answers: IO[bytes]) -> Exception | None:
    """The error of one check, or None; a decision that does not end ends the process."""
    asking, is_done = Asking(np.random.default_rng()), threading.Event()

    def watch() -> None:
        while not is_done.wait(SECONDS_BETWEEN_LOOKS):
            called = asking.called_since()
            if called is not None and time.monotonic() - called[1] > SECONDS_A_DECISION:
                _write(
                    answers,
                    StrategyError(
                        f"strategy '{called[0]}' does not end: a decision took more than "
                        f"{SECONDS_A_DECISION:.0f} s"
                    ),
                )
                os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    try:
        check(_received(*sent), asking)
    except Exception as error:
        return error.with_traceback(None)
    finally:
        is_done.set()
    return None
