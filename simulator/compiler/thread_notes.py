"""Notes that users' compiled code writes for its thread: rounds of loops, and the place of a fault.

Compiled code can pass only a number through an exception, and a helper does not know how many
rounds its caller has used. So each playing thread has two numbers in Python's thread-specific
storage (PEP 539). Compiled code finds them by the names in `SYMBOLS`.
"""

from __future__ import annotations

import ctypes
import threading
from hashlib import sha256


class Notes(ctypes.Structure):
    """A thread's notes: the rounds that a decision has left, and the number of a fault's place.

    Both are 0 if there is no decision or no fault.
    """

    _fields_ = (("rounds", ctypes.c_int64), ("place", ctypes.c_int64))


_local = threading.local()

#: The notes shared by all threads that play no game.
_nobodys = Notes()

#: Room for a `Py_tss_t`, whose size differs between systems.
_key = ctypes.create_string_buffer(32)
_tools = ctypes.pythonapi
_tools.PyThread_tss_set.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
_tools.PyThread_tss_create(_key)

#: The symbols by which compiled code finds its thread's notes, and their addresses.
SYMBOLS = {
    "ethnos_sim_notes_key": ctypes.addressof(_key),
    "ethnos_sim_nobodys_notes": ctypes.addressof(_nobodys),
    "PyThread_tss_get": ctypes.cast(_tools.PyThread_tss_get, ctypes.c_void_p).value or 0,
}


def begin() -> None:
    """Create or clear this thread's notes."""
    if not hasattr(_local, "notes"):
        _local.notes = Notes()
        _tools.PyThread_tss_set(_key, ctypes.addressof(_local.notes))
    _local.notes.rounds = _local.notes.place = 0


def place_of_fault() -> str | None:
    """`FILE:LINE` of the first failure of users' code in this thread since `begin`, or None."""
    return _places.get(int(_local.notes.place)) if hasattr(_local, "notes") else None


#: `FILE:LINE` of each bounded loop and each line that may fail, by number. The numbers are the same
#: in every run.
_places: dict[int, str] = {}


def known_places() -> dict[int, str]:
    """`FILE:LINE` of the places compiled so far, by number; kept beside their machine code."""
    return dict(_places)


def remember_places(places: dict[int, str]) -> None:
    """Add the places, by number, of cached machine code that another run compiled."""
    _places.update(places)


def numbered(place: str) -> int:
    """The number of a place, `FILE:LINE`."""
    number = int.from_bytes(sha256(place.encode()).digest()[:6])
    _places[number] = place
    return number
