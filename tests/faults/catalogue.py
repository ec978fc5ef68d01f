"""The one list of faults. A file that does something new to the program adds its FAULTS here."""

from __future__ import annotations

from faults import damage, fuzz
from faults.fault import Fault

FAULTS: list[Fault] = [
    *damage.FAULTS,
    *fuzz.FAULTS,
]
