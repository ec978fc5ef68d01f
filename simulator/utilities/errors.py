"""The errors that users see, each with a message of one sentence.

Every package raises these, and the command line turns them into an exit code: 2 for wrong input, 1
for work that failed. A message names the given value, the expected one and, for an unknown name,
the nearest known name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class EthnosError(Exception):
    """An error with a message meant for the user; the base of all errors of this program."""


class WrongInput(EthnosError):
    """The user's request is wrong (exit code 2)."""


class Failed(EthnosError):
    """The request was sound, but carrying it out failed (exit code 1)."""


class InvalidGame(WrongInput, ValueError):
    """The clans, the number of players or the number of games cannot make a game."""


class IllegalMove(Failed):
    """A strategy returned a move that the rules forbid; the batch stops."""


class NoAnswer(IllegalMove):
    """A strategy's code raised, or looped without end, instead of answering; the batch stops."""


def text_of(error: BaseException) -> str:
    """An error's message; empty if making the message raises another error."""
    try:
        return str(error)
    except Exception:
        return ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that helps a user who wrote an unknown `name`.

    Args:
        name: the name as the user wrote it.
        known: every name that would have been understood.

    Returns:
        `"; did you mean 'bear'?"` when one known name is close (upper and lower case count as
        equal), else `"; known names: bear, deer, ..."` in the order given, or `""` when nothing
        is known.
    """
    names = list(known)
    by_folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    if close:
        return f"; did you mean '{by_folded[close[0]]}'?"
    if names:
        return f"; known names: {', '.join(names)}"
    return ""
