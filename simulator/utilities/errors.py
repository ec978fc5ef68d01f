"""The errors that users see: every package raises these, and no others on purpose.

    EthnosError               an error of this program
        WrongInput            the request is wrong (exit code 2)
            InvalidGame       clans, or numbers of players or games; a ValueError too
            RulesError        an edition, a variant or a value; a ValueError too
            PowerError        a custom power
            SpecError         a spec
            StrategyError     a strategy, its parameters or its code
                UnknownQuestion   an answer to an unknown question; an AttributeError too
        Failed                the request was sound, but the work failed (exit code 1)
            IllegalMove       a strategy answered with a move that the rules forbid
                NoAnswer      a strategy raised an error, or looped without end

A message is one sentence, or several if the error has several `problems`. A sentence names the
given value, the expected one and, for an unknown name, the nearest known name.
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
    """A user's rules are wrong. `problems` holds one sentence for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the sentences; the message joins them."""
        self.problems = tuple(problems)
        super().__init__(" ".join(first_problems(self.problems)))

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[str, ...]]]:
        """Keep the sentences separate when the error comes back from a worker process."""
        return type(self), (self.problems,)


class PowerError(WrongInput):
    """A custom power cannot be found, declared or compiled."""


class StrategyError(WrongInput):
    """A strategy cannot be found, declared, compiled or given these parameters."""


class UnknownQuestion(StrategyError, AttributeError):
    """A strategy answers a question that the game does not have."""


class SpecError(WrongInput):
    """A spec that cannot be played. `problems` holds a sentence for each mistake, with its path."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        """Keep the sentences; the message is all of them, a line each, after the spec's name."""
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {text}" for text in first_problems(self.problems)))

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, tuple[str, ...]]]:
        """Pickle with separate sentences, so that the error can come from a worker process."""
        return type(self), (self.source, self.problems)


class IllegalMove(Failed):
    """A strategy returned a move that the rules forbid; the batch stops."""


class NoAnswer(IllegalMove):
    """A strategy's code raised, or looped without end, instead of answering; the batch stops."""


MOST_PROBLEMS = 20
"""The most problems that the message of one error shows."""


def first_problems(problems: Sequence[str]) -> list[str]:
    """The first MOST_PROBLEMS problems, and a text that says how many more there are."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], *([f"and {more:,} more."] if more > 0 else [])]


def message_of(error: BaseException) -> str:
    """An error's message; empty if making the message raises another error."""
    try:
        return str(error)
    except Exception:
        return ""


LEAST_LIKENESS = 0.6
"""The least likeness of a name that is suggested, from 0 to 1 (`difflib`'s ratio)."""

COMPARED_LETTERS = 100
"""How many letters of a user's name are compared with known names."""


def name_hint(name: str, known_names: Iterable[str]) -> str:
    """The end of a sentence about an unknown `name`: the nearest known name, or all known names.

    Args:
        name: the name as the user wrote it.
        known_names: every name that would have been understood.

    Returns:
        `"; did you mean 'bear'?"` when one known name is close (upper and lower case count as
        equal), else `"; known names: bear, deer, ..."` in the given order, or `""` if there are
        no known names.
    """
    names = list(known_names)
    likeness = {other: _likeness(name, other) for other in names}
    best = max(names, key=likeness.__getitem__, default="")
    if likeness.get(best, 0.0) >= LEAST_LIKENESS:
        return f"; did you mean '{best}'?"
    if names:
        return f"; known names: {', '.join(names)}"
    return ""


def name_refusal(
    kind: str, name: str, known_names: Iterable[str], suggested: str | None = None
) -> str:
    """A sentence that `name` is an unknown `kind`; it suggests `suggested` or the nearest name."""
    hint = name_hint(name, known_names) if suggested is None else f"; did you mean '{suggested}'?"
    sentence = f"unknown {kind} '{name}'{hint}"
    return sentence if sentence.endswith("?") else f"{sentence}."


def _likeness(name: str, known_name: str) -> float:
    """How alike two names are, from 0 to 1; the order of letters counts."""
    written, other = name.casefold()[:COMPARED_LETTERS], known_name.casefold()
    return difflib.SequenceMatcher(None, other, written).ratio()
