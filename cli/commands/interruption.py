"""Ctrl-C, SIGTERM and SIGHUP: every command ends within two seconds, whatever it is at.

Python answers a signal when its main thread comes back from compiled code, which may take long. So
a thread of its own watches for signals: where the command has not ended by itself in time, it ends
the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

from ethnos_sim.commands.errors import INTERRUPTED

#: How long an interrupted command has to end by itself.
SECONDS_TO_END = 1.0


_messages: list[Callable[[], str]] = []
"""What is said, once, when the command is interrupted: the last one, by whoever comes first."""

_was_told = threading.Event()
_one_at_a_time = threading.Lock()


def tell_interrupted() -> None:
    """Tell the user of the interruption that has come, unless that was done."""
    with _one_at_a_time:
        if not _was_told.is_set():
            _was_told.set()
            with contextlib.suppress(OSError, ValueError):
                print(_messages[-1](), file=sys.stderr, flush=True)


@contextlib.contextmanager
def when_interrupted(message: Callable[[], str]) -> Iterator[None]:
    """Say something of its own when the body is interrupted; asked for when that has come."""
    _messages.append(message)
    try:
        yield
    except KeyboardInterrupt:
        tell_interrupted()
        raise
    finally:
        _messages.pop()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Turn the signals that end a program into KeyboardInterrupt in the body, and end in time.

    The first signal counts; later ones change nothing. A hang-up that somebody chose to ignore, as
    `nohup` does, stays ignored. Outside a process's main thread no signal arrives.

    Raises:
        KeyboardInterrupt: a signal came, before the body too.
    """
    _messages[:] = [lambda: "Interrupted."]
    _was_told.clear()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived, wake = socket.socketpair()
    wake.setblocking(False)
    before = {number: signal.getsignal(number) for number in _signals()}
    woken_before = signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(arrived, set(before)), daemon=True).start()
    try:
        for number in before:
            signal.signal(number, _interrupt)
        yield
    finally:
        # A signal that has come keeps its watcher, which ends the process if nothing else does.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.set_wakeup_fd(woken_before)
            for number, handler in before.items():
                signal.signal(number, handler)
            wake.close()


def _signals() -> list[int]:
    """The signals that end a program and are not ignored on purpose; Windows has no hang-up."""
    ends = [signal.SIGINT, signal.SIGTERM]
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        ends.append(hang_up)
    return [int(number) for number in ends]


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Answer the first signal, and no other."""
    for ending in _signals():
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def _watch(arrived: socket.socket, ends: set[int]) -> None:
    """Wait for a signal, tell the user, and end the process if it does not end by itself."""
    with arrived:
        received = arrived.recv(1)
    if received and received[0] in ends:
        tell_interrupted()
        time.sleep(SECONDS_TO_END)
        os._exit(INTERRUPTED)
