"""The exit code and the sentence of an error.

Errors of the packages (`EthnosError`) have their own sentence. Errors of the operating system get
a sentence here. Any other error is a fault of this program, and its sentence says how to see more.
"""

from __future__ import annotations

import re

from ethnos_sim.simulator.utilities.errors import EthnosError, message_of
from ethnos_sim.simulator.utilities.text import printable

DONE = 0
FAILED = 1
WRONG_INPUT = 2
INTERRUPTED = 130

#: In a sentence, quoted texts and words with at least this many characters are shortened.
MOST_CHARACTERS = 200


def printable_text(sentence: str) -> str:
    """Make a sentence printable: shorten long values, and escape characters that control terminals.

    A value is a quoted text or a single word; a long one loses its middle.
    """
    long = rf"'[^'\n]{{{MOST_CHARACTERS},}}'|\S{{{MOST_CHARACTERS},}}"
    half = MOST_CHARACTERS // 4
    short = re.sub(long, lambda match: f"{match[0][:half]}...{match[0][-half:]}", sentence)
    return printable(short)


def sentence_of(error: Exception) -> str:
    """Return the sentence of an error.

    A spec with several mistakes has a line for each; every other error is one line.
    """
    if isinstance(error, EthnosError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        where = f"'{error.filename}': " if error.filename else ""
        return f"{where}{error.strerror}"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    first_line = next(iter(message_of(error).splitlines()), "")
    description = f"{type(error).__name__}: {first_line}".rstrip(": ")
    return f"the program failed ({description}); `ethnos-sim --debug ...` shows where"
