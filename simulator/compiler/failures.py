"""Keep exceptions of strategies, which cannot pass through the engine's compiled code.

If a strategy's code raises, the question stays unanswered, which stops the batch. This module keeps
the exception, by thread, for the caller of the batch. Compiled code hands its exceptions to
`sys.unraisablehook`.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from llvmlite.binding import add_symbol

_local = threading.local()
_previous_hook: list[Callable[[Any], Any]] = [sys.unraisablehook]


class ForbiddenAction(RuntimeError):
    """A strategy's code did something forbidden, which the message names."""


#: `FILE:LINE` of the first fault in a user's function. Threads share it, since one fault ends all
#: games. Compiled code finds it by the name FAULT_SYMBOL (`user_compiler`).
line_of_fault = ctypes.c_char_p()
FAULT_SYMBOL = "ethnos_sim_line_of_fault"
add_symbol(FAULT_SYMBOL, ctypes.addressof(line_of_fault))


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception in a strategy, and `FILE:LINE` where it came from, if that is known."""

    error: BaseException
    source_line: str | None


def start_listening() -> None:
    """Listen for exceptions in this thread, and forget the exceptions of earlier batches."""
    _local.failures = []
    line_of_fault.value = None
    if sys.unraisablehook is not _keep_failure:
        _previous_hook[0] = sys.unraisablehook
        sys.unraisablehook = _keep_failure


def stop_listening() -> Failure | None:
    """Stop listening; return the first exception since `start_listening`, or None."""
    failures: list[Failure] = _local.failures
    del _local.failures
    return failures[0] if failures else None


def source_line_within(files: Collection[str], error: BaseException) -> str | None:
    """`FILE:LINE` of the innermost line of an error's traceback that is in `files`, or None."""
    frames = traceback.extract_tb(error.__traceback__)
    passed = [frame for frame in frames if frame.filename in files]
    return f"{passed[-1].filename}:{passed[-1].lineno}" if passed else None


def _keep_failure(unraisable: Any) -> None:
    """Keep an exception of compiled code if this thread listens; else call the earlier hook."""
    error = unraisable.exc_value
    if error is None or not hasattr(_local, "failures"):
        _previous_hook[0](unraisable)
        return
    noted = line_of_fault.value
    source_line = (
        noted.decode("utf-8", "replace") if noted else _source_line(unraisable.exc_traceback)
    )
    _local.failures.append(Failure(error, source_line))


def _source_line(trace: TracebackType | None) -> str | None:
    """`FILE:LINE` where compiled code raised; None if that is in this package."""
    for frame in reversed(traceback.extract_tb(trace)):
        file = Path(frame.filename)
        hidden = file.is_relative_to(Path(__file__).parents[1]) or frame.filename.startswith("<")
        return None if hidden else f"{file}:{frame.lineno}"
    return None
