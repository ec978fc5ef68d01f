"""A second process, in which strangers play again, to be checked.

It loads the strategies from their files, so a strategy knows there nothing of what it saw in this
process. If a strategy does not return, the second process is ended.
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

from ethnos_sim.experiments.execution.repeats import GameSample, StandIns, check_sample
from ethnos_sim.simulator.tables.table import Seat
from ethnos_sim.simulator.user_code.loading import file_with_content
from ethnos_sim.simulator.utilities.errors import StrategyError, WrongInput
from ethnos_sim.simulator.utilities.processes import ONE_THREAD
from ethnos_sim.strategies import LineUp, load_strategy_file

#: The most seconds that a decision may take.
SECONDS_PER_DECISION = 20.0
#: Seconds between two looks at whether a decision takes too long.
SECONDS_BETWEEN_LOOKS = 0.5

_PROGRAM = f"import sys; sys.path[:] = {{path!r}}; from {__name__} import serve_checks as run;run()"

UserFiles = tuple[tuple[str, bytes], ...]
"""Users' files: the path and the content of each file."""

PlayerNames = tuple[tuple[str, ...], ...]
"""The names of the players at each table, as in a line-up."""


class SecondProcess:
    """The second process: the first check starts it, and a check of other files restarts it."""

    def __init__(self) -> None:
        """Begin without a process."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._files: UserFiles = ()
        self._parent = 0

    def check(self, sample: GameSample, files: UserFiles) -> None:
        """Check games in the process, as `check_sample` does.

        Raises:
            StrategyError: a strategy cheats, or did not return.
            PowerError, IllegalMove, NoAnswer: as for `check_sample`.
        """
        with self._lock:
            process = self._running_process(files)
            try:
                _send(process.stdin, _without_seats(sample))
                assert process.stdout is not None, "it is a pipe"
                error: Exception | None = pickle.load(process.stdout)
            except (EOFError, OSError):
                raise self._end_error(sample) from None
            except BaseException:
                self.end()
                raise
        if error is not None:
            raise error

    def _running_process(self, files: UserFiles) -> subprocess.Popen[bytes]:
        """The process with these files loaded; it is started if it does not run with them."""
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
        with contextlib.suppress(OSError):  # if it has ended, reading its answer says so
            _send(self._process.stdin, files)
        return self._process

    def _end_error(self, sample: GameSample) -> StrategyError:
        """The error that names the strangers that may have ended the process."""
        process, self._process = self._process, None
        assert process is not None, "it was asked"
        with contextlib.suppress(OSError):
            process.communicate()
        code = process.returncode
        names = {seat.name for table in sample.tables for seat in table.seats if seat.strangers}
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


def _send(stream: IO[bytes] | None, message: object) -> None:
    """Send a message through a pipe."""
    assert stream is not None, "it is a pipe"
    pickle.dump(message, stream)
    stream.flush()


def _without_seats(sample: GameSample) -> tuple[GameSample, PlayerNames]:
    """A sample to send: names replace seats, which have addresses of this process."""
    names = tuple(tuple(seat.name for seat in table.seats) for table in sample.tables)
    tables = tuple(replace(table, seats=()) for table in sample.tables)
    return sample._replace(tables=tables), names


def _with_seats(sample: GameSample, names: PlayerNames) -> GameSample:
    """The sample with seats of this process; tables with the same players share their seats."""
    seats: dict[tuple[str, ...], tuple[Seat, ...]] = {}
    tables = []
    for table, players in zip(sample.tables, names, strict=True):
        if players not in seats:
            seats[players] = LineUp.parse(players, table.players, table.rules).seats()
        tables.append(replace(table, seats=seats[players]))
    return sample._replace(tables=tuple(tables))


def serve_checks() -> None:
    """Check the games that the parent process sends, until the parent ends."""
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
        _send(answers, error or _check_error(sent, answers))


def _check_error(sent: tuple[GameSample, PlayerNames], answers: IO[bytes]) -> Exception | None:
    """The error of a check, or None; sends an error and exits if a decision takes too long."""
    stand_ins, is_done = StandIns(np.random.default_rng()), threading.Event()

    def watch() -> None:
        """Send an error and end this process when a decision takes too long."""
        while not is_done.wait(SECONDS_BETWEEN_LOOKS):
            called = stand_ins.deciding_stranger()
            if called is not None and time.monotonic() - called[1] > SECONDS_PER_DECISION:
                _send(
                    answers,
                    StrategyError(
                        f"strategy '{called[0]}' does not return: a decision took more than "
                        f"{SECONDS_PER_DECISION:.0f} s"
                    ),
                )
                os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    try:
        check_sample(_with_seats(*sent), stand_ins)
    except Exception as error:
        return error.with_traceback(None)
    finally:
        is_done.set()
    return None
