"""The errors a user can cause or meet, told in one sentence each.

Every package raises these, and the command line turns them into an exit code: wrong input ends with
2, work that failed with 1. The message of each is what the user reads, so it says what was given,
what was expected and, for a name, which known one is nearest.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class EthnosError(Exception):
    """An error with a message meant for the user; the base of all errors of this program."""


class WrongInput(EthnosError):
    """What the user asked for cannot be done as asked (exit code 2)."""


class Failed(EthnosError):
    """The request was sound, but carrying it out failed (exit code 1)."""


class InvalidGame(WrongInput, ValueError):
    """The clans, the number of players or the number of games cannot make a game."""


class IllegalMove(Failed):
    """A strategy returned a move that the rules forbid; the batch stops."""


class NoAnswer(IllegalMove):
    """A strategy's code broke off, or looped without end, instead of answering; the batch stops."""


def text_of(error: BaseException) -> str:
    """What an error says; nothing where it raises another one when it is asked."""
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
