"""The errors that users see: every package raises these, and no others on purpose.

    EthnosError               an error of this program
        WrongInput            the request is wrong (exit code 2)
            InvalidGame       clans, players or games make no game; a ValueError too
            RulesError        an edition, a variant or a value; a ValueError too
            PowerError        a custom power
            SpecError         a spec
            StrategyError     a strategy, its parameters or its code
                UnknownQuestion   a question that nobody asks; an AttributeError too
        Failed                the request was sound, but the work failed (exit code 1)
            IllegalMove       a strategy answered with a move that the rules forbid
                NoAnswer      a strategy raised an error, or looped without end

A message is one sentence; an error with several problems (`problems`) has one for each. It names
the given value, the expected one and, for an unknown name, the nearest known name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class EthnosError(Exception):
    """An error with a message meant for the user; the base of all errors of this program."""


class WrongInput(EthnosError):
    """The user's request is wrong (exit code 2)."""


class Failed(EthnosError):
    """The request was sound, but carrying it out failed (exit code 1)."""


class InvalidGame(WrongInput, ValueError):
    """The clans, the number of players or the number of games cannot make a game."""


class RulesError(WrongInput, ValueError):
    """Wrong rules input. `problems` holds one sentence for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the sentences; the message joins them."""
        self.problems = tuple(problems)
        super().__init__(" ".join(first_of(self.problems)))

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[str, ...]]]:
        """Keep the sentences separate when the error comes back from a worker process."""
        return type(self), (self.problems,)


class PowerError(WrongInput):
    """A custom power cannot be found, declared or compiled."""


class StrategyError(WrongInput):
    """A strategy cannot be found, declared, compiled or given these parameters."""


class UnknownQuestion(StrategyError, AttributeError):
    """A strategy answers a question that nobody asks."""


class SpecError(WrongInput):
    """A spec that cannot be played. `problems` holds a sentence for each mistake, with its path."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        """Keep the sentences; the message is all of them, a line each, after the spec's name."""
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in first_of(self.problems)))

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, tuple[str, ...]]]:
        """Pickle with separate sentences, so that the error can come from a worker process."""
        return type(self), (self.source, self.problems)


class IllegalMove(Failed):
    """A strategy returned a move that the rules forbid; the batch stops."""


class NoAnswer(IllegalMove):
    """A strategy's code raised, or looped without end, instead of answering; the batch stops."""


MOST_SHOWN = 20
"""The most problems that the message of one error shows."""


def first_of(problems: Sequence[str]) -> list[str]:
    """The first problems, and how many more there are."""
    more = len(problems) - MOST_SHOWN
    return [*problems[:MOST_SHOWN], *([f"and {more:,} more."] if more > 0 else [])]


def text_of(error: BaseException) -> str:
    """An error's message; empty if making the message raises another error."""
    try:
        return str(error)
    except Exception:
        return ""


LEAST = 0.6
"""How alike a known name has to be to be suggested, from 0 to 1 (`difflib`'s ratio)."""

MOST_LETTERS = 100
"""The letters of a name that are compared."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that helps a user who wrote an unknown `name`.

    Args:
        name: the name as the user wrote it.
        known: every name that would have been understood.

    Returns:
        `"; did you mean 'bear'?"` when one known name is close (upper and lower case count as
        equal), else `"; known names: bear, deer, ..."` in the
        order given, or `""` when nothing is known.
    """
    names = list(known)
    likeness = {other: _likeness(name, other) for other in names}
    best = max(names, key=likeness.__getitem__, default="")
    if likeness.get(best, 0.0) >= LEAST:
        return f"; did you mean '{best}'?"
    if names:
        return f"; known names: {', '.join(names)}"
    return ""


def unknown_name(kind: str, name: str, known: Iterable[str], meant: str | None = None) -> str:
    """A sentence that no `kind` is called `name`, with the nearest known name.

    If `meant` is given, suggest `meant` instead of the nearest name.
    """
    hint = nearest(name, known) if meant is None else f"; did you mean '{meant}'?"
    sentence = f"unknown {kind} '{name}'{hint}"
    return sentence if sentence.endswith("?") else f"{sentence}."


def _likeness(name: str, known: str) -> float:
    """How alike two names are, from 0 to 1; the order of letters counts."""
    written, other = name.casefold()[:MOST_LETTERS], known.casefold()
    return difflib.SequenceMatcher(None, other, written).ratio()
