"""What users' compiled code notes for its thread: rounds that loops have left, and where it failed.

Compiled code cannot pass more than a number through an exception, and its helpers are not told what
their caller used up. So each thread that plays has two numbers, which compiled code finds by
Python's storage by thread (PEP 539), under the names of `SYMBOLS`.
"""

from __future__ import annotations

import ctypes
import threading
from hashlib import sha256


class Notes(ctypes.Structure):
    """A thread's notes: rounds left of a decision, 0 outside of any; a place's number, or 0."""

    _fields_ = (("rounds", ctypes.c_int64), ("place", ctypes.c_int64))


_local = threading.local()

#: The notes of threads in which nothing plays.
_nobodys = Notes()

#: Room for a `Py_tss_t`, whose size differs between systems.
_key = ctypes.create_string_buffer(32)
_tools = ctypes.pythonapi
_tools.PyThread_tss_set.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
_tools.PyThread_tss_create(_key)

#: The symbols by which compiled code finds them, and their addresses.
SYMBOLS = {
    "ethnos_sim_notes_key": ctypes.addressof(_key),
    "ethnos_sim_nobodys_notes": ctypes.addressof(_nobodys),
    "PyThread_tss_get": ctypes.cast(_tools.PyThread_tss_get, ctypes.c_void_p).value or 0,
}


def begin() -> None:
    """Let this thread have notes, with nothing in them."""
    if not hasattr(_local, "notes"):
        _local.notes = Notes()
        _tools.PyThread_tss_set(_key, ctypes.addressof(_local.notes))
    _local.notes.rounds = _local.notes.place = 0


def place_of_fault() -> str | None:
    """`FILE:LINE` in users' code where it failed first in this thread since `begin`, if it did."""
    return _places.get(int(_local.notes.place)) if hasattr(_local, "notes") else None


#: `FILE:LINE` of every bounded loop and every line that may fail, by its number, which is the same
#: in every run.
_places: dict[int, str] = {}


def known_places() -> dict[int, str]:
    """`FILE:LINE` of the places compiled so far, by number; kept beside their machine code."""
    return dict(_places)


def remember_places(places: dict[int, str]) -> None:
    """Take note of the places in machine code that was compiled in another run."""
    _places.update(places)


def numbered(place: str) -> int:
    """The number of a place, `FILE:LINE`."""
    number = int.from_bytes(sha256(place.encode()).digest()[:6])
    _places[number] = place
    return number
