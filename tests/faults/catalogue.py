"""The one list of faults. A file that does something new to the program adds its FAULTS here."""

from __future__ import annotations

from faults import command_lines, damage, filling, fuzz, importing, odd_files, reaching, stopping
from faults.fault import Fault

FAULTS: list[Fault] = [
    *command_lines.FAULTS,
    *damage.FAULTS,
    *filling.FAULTS,
    *fuzz.FAULTS,
    *importing.FAULTS,
    *odd_files.FAULTS,
    *reaching.FAULTS,
    *stopping.FAULTS,
]
