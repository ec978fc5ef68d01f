"""Exceptions inside strategies, which cannot pass through the engine's compiled code.

Where a strategy's code raises, the question stays unanswered, which stops the batch; the exception
is kept here, by thread, for whoever started the batch. Compiled code hands its exceptions to
`sys.unraisablehook`; strategies that run uncompiled note theirs themselves.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from ethnos_sim.simulator import noting

_local = threading.local()
_elsewhere: list[Callable[[Any], Any]] = [sys.unraisablehook]


class Misdeed(RuntimeError):
    """Code of a strategy did what no strategy may; the text says what."""

    @property
    def place(self) -> str | None:
        """`FILE:LINE`, where one is to blame."""
        return None


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception in a strategy, and `FILE:LINE` where it came from, if that is known."""

    error: BaseException
    place: str | None


def begin() -> None:
    """Listen for exceptions in this thread; forget those of earlier batches."""
    _local.found = []
    noting.begin()
    if sys.unraisablehook is not _hook:
        _elsewhere[0] = sys.unraisablehook
        sys.unraisablehook = _hook


def end() -> Failure | None:
    """The first exception since the beginning, or None; listens no more."""
    found: list[Failure] = _local.found
    del _local.found
    return found[0] if found else None


def note(error: BaseException, place: str | None) -> None:
    """Keep an exception of this thread and where it came from."""
    _local.found.append(Failure(error, place))


def line_in(files: Collection[str], error: BaseException) -> str | None:
    """`FILE:LINE` of the last line of some files that an exception passed through, if any."""
    frames = traceback.extract_tb(error.__traceback__)
    passed = [frame for frame in frames if frame.filename in files]
    return f"{passed[-1].filename}:{passed[-1].lineno}" if passed else None


def _hook(unraisable: Any) -> None:
    """Keep what compiled code raised during a batch of this thread; pass everything else on."""
    error = unraisable.exc_value
    if error is None or not hasattr(_local, "found"):
        _elsewhere[0](unraisable)
        return
    place = error.place if isinstance(error, Misdeed) else _line_of(unraisable.exc_traceback)
    note(error, (isinstance(error, Misdeed) and place) or noting.place_of_fault() or place)


def _line_of(told: TracebackType | None) -> str | None:
    """`FILE:LINE` of an exception of compiled code; it knows its line, or only who called it."""
    for frame in reversed(traceback.extract_tb(told)):
        file = Path(frame.filename)
        hidden = file.is_relative_to(Path(__file__).parent) or frame.filename.startswith("<")
        return None if hidden else f"{file}:{frame.lineno}"
    return None
