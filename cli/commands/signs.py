"""Signs for outputs that have no Unicode: pipes, files, and consoles with an older encoding."""

from __future__ import annotations

import codecs

#: What stands for the signs of this program's own texts where only ASCII is written.
PLAIN = {
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

_TABLE = str.maketrans(PLAIN)

UNPRINTABLE = "ethnos_sim.plain"
"""The name of the handler of signs that an encoding lacks, for a stream's `errors`."""


def plain(text: str) -> str:
    """A text with ASCII in place of this program's signs. Names of users keep their letters."""
    return text.translate(_TABLE)


def _encodable(error: UnicodeError) -> tuple[str | bytes, int]:
    """The signs that an encoding lacks, in ASCII; an unknown sign becomes its number."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = plain(error.object[error.start : error.end])
    return lacking.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(UNPRINTABLE, _encodable)
