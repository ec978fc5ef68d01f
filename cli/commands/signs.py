"""Signs for outputs that have no Unicode: pipes, files, and consoles with an older encoding."""

from __future__ import annotations

import codecs

#: The ASCII texts for the signs in texts of this program.
ASCII_SIGNS = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{PLUS-MINUS SIGN}": "+/-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{NO-BREAK SPACE}": " ",
    "\N{BLACK CIRCLE}": "*",
    "\N{WHITE CIRCLE}": "o",
}

_TABLE = str.maketrans(ASCII_SIGNS)

SIGNS_HANDLER = "ethnos_sim.with_ascii_signs"
"""The name of the error handler of streams (`errors`) for signs that an encoding lacks."""


def with_ascii_signs(text: str) -> str:
    """A text with ASCII for the signs of this program. Letters, as in users' names, stay."""
    return text.translate(_TABLE)


def _replace_signs(error: UnicodeError) -> tuple[str | bytes, int]:
    """ASCII for the signs that an encoding lacks, and the index after them; see `codecs`."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = with_ascii_signs(error.object[error.start : error.end])
    return lacking.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(SIGNS_HANDLER, _replace_signs)
