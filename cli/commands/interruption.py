"""Ctrl-C, SIGTERM and SIGHUP end every command within two seconds.

Python answers a signal only when its main thread returns from compiled code, which may take long.
So another thread watches for signals, and ends the process if the command does not end by itself.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

from ethnos_sim.commands.errors import INTERRUPTED

#: How many seconds an interrupted command has to end by itself.
SECONDS_TO_END = 1.0

CONTINUE_MESSAGE = "Interrupted; what is finished is kept. Run the same command to go on."
"""The message of commands that can continue their work."""

_messages: list[str] = []
"""The messages of entered `interruption_message` contexts; an interruption prints the last one."""

_was_printed = threading.Event()
_printing = threading.Lock()


def print_interruption() -> None:
    """Print the message of the interruption, unless it was printed already."""
    with _printing:
        if not _was_printed.is_set():
            _was_printed.set()
            with contextlib.suppress(OSError, ValueError):
                print(_messages[-1], file=sys.stderr, flush=True)


@contextlib.contextmanager
def interruption_message(message: str) -> Iterator[None]:
    """Set the message that is printed if the body is interrupted."""
    _messages.append(message)
    try:
        yield
    except BaseException as error:
        if is_interruption(error):
            print_interruption()
        raise
    finally:
        _messages.pop()


def is_interruption(error: BaseException) -> bool:
    """Whether this is KeyboardInterrupt, or an error that a library raised because of it.

    Pydantic raises such an error if a signal arrives while it calls a serializer.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__
    return cause is not None


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Turn the signals that end a program into KeyboardInterrupt in the body of a `with`.

    If the body does not end soon after a signal, a thread ends the process (`_watch_signals`). Only
    the first signal counts. A hang-up that `nohup` ignores stays ignored. No signal arrives outside
    the main thread of a process.

    Raises:
        KeyboardInterrupt: a signal arrived, possibly before the body.
    """
    _messages[:] = ["Interrupted."]
    _was_printed.clear()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    receiver, wake = socket.socketpair()
    wake.setblocking(False)
    before = {number: signal.getsignal(number) for number in _ending_signals()}
    woken_before = signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch_signals, args=(receiver, set(before)), daemon=True).start()
    try:
        for number in before:
            signal.signal(number, _raise_interrupt)
        yield
    finally:
        # After a signal the watcher stays, so that it can end the process.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.set_wakeup_fd(woken_before)
            for number, handler in before.items():
                signal.signal(number, handler)
            wake.close()


def _ending_signals() -> list[int]:
    """The signals that end a program, without an ignored hang-up. Windows has no hang-up."""
    ends = [signal.SIGINT, signal.SIGTERM]
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        ends.append(hang_up)
    return [int(number) for number in ends]


def _raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt for the first signal, and ignore later signals."""
    for ending in _ending_signals():
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def _watch_signals(receiver: socket.socket, ending_signals: set[int]) -> None:
    """Wait for a signal, print the message, and end the process after SECONDS_TO_END."""
    with receiver:
        received = receiver.recv(1)
    if received and received[0] in ending_signals:
        print_interruption()
        time.sleep(SECONDS_TO_END)
        os._exit(INTERRUPTED)
