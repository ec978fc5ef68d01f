"""Ctrl-C and SIGTERM: a command ends within two seconds, whatever it is at.

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
SECONDS_TO_END = 1.5

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def interruptible(message: Callable[[], str]) -> Iterator[None]:
    """Turn SIGINT and SIGTERM into KeyboardInterrupt while the body runs, and end in time.

    The first signal counts; later ones change nothing. Outside a process's main thread, where no
    signal arrives, nothing is done.

    Args:
        message: what to tell the user, asked for when the signal has come.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived, wake = socket.socketpair()
    wake.setblocking(False)
    before = {each: signal.signal(each, _interrupt) for each in SIGNALS}
    woken_before = signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(arrived, message), daemon=True).start()
    interrupted = False
    try:
        yield
    except BaseException:
        interrupted = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        raise
    finally:
        if not interrupted:
            signal.set_wakeup_fd(woken_before)
            for each, handler in before.items():
                signal.signal(each, handler)
            wake.close()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Answer the first signal, and no other."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def _watch(arrived: socket.socket, message: Callable[[], str]) -> None:
    """Wait for a signal, tell the user, and end the process if it does not end by itself."""
    with arrived:
        if not any(byte in SIGNALS for byte in arrived.recv(1)):
            return
    with contextlib.suppress(OSError):
        print(message(), file=sys.stderr, flush=True)
    time.sleep(SECONDS_TO_END)
    os._exit(INTERRUPTED)
