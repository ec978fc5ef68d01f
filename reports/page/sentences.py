"""Which of two kinds of tables is more balanced, in sentences: an answer, then its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ethnos_sim.experiments.statistics.significance import CHANGED, EQUIVALENT, UNDECIDED
from ethnos_sim.reports.comparison.differences import Compared
from ethnos_sim.reports.page.balance import (
    CLANS,
    LEADER,
    LESS,
    MIXED,
    MORE,
    OPEN,
    SAME,
    SEAT,
    Balance,
)
from ethnos_sim.reports.rendering.numbers import capital, rounded

TOO_FEW = "Too few games to tell"
"""The answer where the interval leaves it open."""


@dataclass(frozen=True, slots=True)
class Words:
    """How a comparison is told: the answer by its verdict, and where each side is."""

    answers: Mapping[str, str]
    sides: tuple[str, str]

    def answer(self, found: Balance) -> str:
        """The answer in a few words."""
        return TOO_FEW if found.word == OPEN else self.answers[found.word]


RECRUITS = Words(
    {
        MORE: "Yes, it is more balanced",
        LESS: "No, it is less balanced",
        SAME: "It changes nothing that matters",
        MIXED: "Yes and no",
    },
    ("without it", "with it"),
)

OTHER_RULES = Words(
    {
        MORE: "More balanced",
        LESS: "Less balanced",
        SAME: "No difference that matters",
        MIXED: "More in one respect, less in another",
    },
    ("by the rules", "so changed"),
)


def numbers_sentences(found: Balance, sides: tuple[str, str]) -> str:
    """What each number says of the sides: what changed first, then what did not and what is open.

    Args:
        found: the comparison.
        sides: where the first and the second side is: "in the 1st edition".
    """
    by_word: dict[str, list[tuple[Respect, Compared]]] = {
        CHANGED: [],
        EQUIVALENT: [],
        UNDECIDED: [],
    }
    for about, change in found.changes.items():
        by_lift = about == CLANS and found.by_lift
        by_word[change.word].append((LIFT if by_lift else RESPECTS[about], change))
    said = [_changed(respect, change, sides) for respect, change in by_word[CHANGED]]
    of_both = f"f 100 games {sides[0]} and {sides[1]}"
    beginnings = {EQUIVALENT: "No difference that matters, o", UNDECIDED: "Open, o"}
    for word, beginning in beginnings.items():
        if told := [_unchanged(respect, change) for respect, change in by_word[word]]:
            start = "O" if len(told) == len(found.changes) else beginning
            said.append(f"{start}{of_both}: {', '.join(told)}.")
    return " ".join(said)


def _changed(respect: Respect, change: Compared, sides: tuple[str, str]) -> str:
    """A number that changed, of the better side first."""
    better = int((change.difference.value or 0.0) < 0)
    numbers, half = _numbers(respect, change)
    return (
        f"{capital(sides[better])} {respect.better}: {respect.level.format(numbers[better])}, "
        f"{sides[1 - better]} {numbers[1 - better]} (difference ± {half})."
    )


def _unchanged(respect: Respect, change: Compared) -> str:
    """A number of both sides, with half of the interval of its change."""
    numbers, half = _numbers(respect, change)
    return f"{respect.both.format(*numbers)} (± {half})"


def _numbers(respect: Respect, change: Compared) -> tuple[tuple[str, str], str]:
    """The numbers of the first and the second side, and half of the interval of the change."""
    first, second, half = (
        f"{respect.scale * (number or 0.0):.{respect.decimals}f}"
        for number in (change.first.value, change.second.value, change.difference.half_width)
    )
    return (first, second), half


class Respect(NamedTuple):
    """A respect in which a table is balanced.

    Attributes:
        better: what the better of two tables does.
        level: its number at one table.
        both: the same at two tables.
        scale: what its number is multiplied by.
        decimals: how it is written.
    """

    better: str
    level: str
    both: str
    scale: float = 100.0
    decimals: int = 1


RESPECTS = {
    CLANS: Respect(
        "clans differ less",
        "a typical one is {} of 100 games from the average",
        "a typical clan is {} and {} from the average",
    ),
    SEAT: Respect(
        "the first seat is fairer",
        "it is {} of 100 games off a fair share",
        "the first seat is {} and {} off a fair share",
    ),
    LEADER: Respect(
        "leaders win less",
        "whoever leads going into the last age wins {} of 100 games",
        "the leader wins {} and {}",
    ),
}

LIFT = Respect(
    "clans differ less by who led them, which is no proof",
    "a typical win lift is {}",
    "a typical win lift, which is no proof, is {} and {}",
    1.0,
    3,
)
"""Clans where nobody was kept from leading one."""


def needs_sentence(found: Balance) -> str:
    """How many more games would settle it; empty where it is settled."""
    if found.word != OPEN:
        return ""
    if found.by_lift:
        return " It takes games in which somebody is kept from leading a clan."
    if found.needed == float("inf"):
        return " It needs far more games."
    return f" Some {rounded(found.needed)} more games would settle it."
