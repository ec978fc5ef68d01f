"""Which of two kinds of tables is more balanced, in sentences: an answer, then its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ethnos_sim.reports.comparison.differences import ComparedNumber
from ethnos_sim.reports.page.balance import (
    CLANS,
    LEADER,
    LESS,
    MIXED,
    MORE,
    OF_CLANS,
    OPEN,
    RANGE,
    SAME,
    SEAT,
    WINNERS,
    Balance,
)
from ethnos_sim.reports.rendering.numbers import capital, listed, rounded

TOO_FEW = "Too few games to tell"
"""The answer if there are too few games to tell."""

NEAR = "Close: "
"""The start of an answer whose number is too near to a limit to decide."""


@dataclass(frozen=True, slots=True)
class ComparisonWords:
    """The words of a comparison: an answer for each verdict, and names of the sides."""

    answers: Mapping[str, str]
    sides: tuple[str, str]

    def answer(self, balance: Balance) -> str:
        """The answer in a few words."""
        if balance.word != OPEN:
            return f"{self.answers[balance.word]}{_agreeing(balance)}"
        if not balance.close:
            return TOO_FEW
        near = [NAMES[about] for about, word in balance.words.items() if word == OPEN]
        return f"{NEAR}alike, except perhaps for {listed(near)}"


NAMES = {
    CLANS: "the clans’ spread",
    RANGE: "the gap from the strongest to the weakest clan",
    WINNERS: "how evenly winners lead the clans",
    SEAT: "the first seat",
    LEADER: "the leader",
}
"""Names of the measures of balance for sentences."""


def _agreeing(balance: Balance) -> str:
    """Name the measures that agree with the word; for SAME, bound the change of winning chances."""
    if balance.word == SAME:
        ends = [
            max(-(change.low or 0.0), change.high or 0.0)
            for about in (CLANS, SEAT, LEADER)
            if about in balance.changes
            for change in [balance.changes[about].difference]
        ]
        return f" (by less than {100 * max(ends):.1f} of 100 games)"
    if balance.word not in (MORE, LESS):
        return ""
    names = [NAMES[about] for about, word in balance.words.items() if word == balance.word]
    return f", by {listed(names)}"


RECRUITS = ComparisonWords(
    {
        MORE: "Yes, it is more balanced",
        LESS: "No, it is less balanced",
        SAME: "It changes nothing that matters",
        MIXED: "Yes and no",
    },
    ("without it", "with it"),
)

OTHER_RULES = ComparisonWords(
    {
        MORE: "More balanced",
        LESS: "Less balanced",
        SAME: "No difference that matters",
        MIXED: "More in one respect, less in another",
    },
    ("by the rules", "so changed"),
)


def numbers_sentences(balance: Balance, sides: tuple[str, str]) -> str:
    """The first measure by which each side is better, then the equal and the open measures.

    Args:
        balance: the comparison.
        sides: words for the first and the second side: "in the 1st edition".
    """
    by_word: dict[str, list[str]] = {}
    for about, word in balance.measured.items():
        by_word.setdefault(word, []).append(about)
    sentences = [
        _changed(measure_words(balance, about), balance.changes[about], sides)
        for word in (LESS, MORE)
        for about in by_word.get(word, [])[:1]
    ]
    for word, beginning in ((SAME, "Alike"), (OPEN, "Open")):
        if word in by_word:
            sentences.append(f"{beginning}: {listed([NAMES[about] for about in by_word[word]])}.")
    return " ".join(sentences)


def measure_words(balance: Balance, about: str) -> MeasureWords:
    """The words and the scale for a measure."""
    return LIFT_MEASURES[about] if about in OF_CLANS and balance.by_lift else MEASURES[about]


def _changed(measure: MeasureWords, change: ComparedNumber, sides: tuple[str, str]) -> str:
    """A sentence on a number that changed, with the better side first."""
    better = int((change.difference.value or 0.0) < 0)
    numbers, half = numbers_of(measure, change)
    return (
        f"{capital(sides[better])} {measure.better}: {measure.level.format(numbers[better])}, "
        f"{sides[1 - better]} {numbers[1 - better]} (difference ± {half})."
    )


def numbers_of(measure: MeasureWords, change: ComparedNumber) -> tuple[tuple[str, str], str]:
    """The numbers of the first and the second side, and the half-width of the change."""
    first, second, half = (
        f"{measure.scale * (number or 0.0):.{measure.decimals}f}"
        for number in (change.first.value, change.second.value, change.difference.half_width)
    )
    return (first, second), half


class MeasureWords(NamedTuple):
    """The words and the scale for one measure of balance.

    Attributes:
        better: says what the better of two tables does.
        level: says the number at one table.
        unit: the unit of the number in words.
        scale: the factor for the number.
        decimals: the decimals of the number.
    """

    better: str
    level: str
    unit: str
    scale: float = 100.0
    decimals: int = 1


MEASURES = {
    CLANS: MeasureWords(
        "clans differ less",
        "a typical one is {} of 100 games from the average",
        "games of 100 from the average",
    ),
    RANGE: MeasureWords(
        "the strongest clan is nearer to the weakest",
        "they are {} of 100 games apart",
        "games of 100",
    ),
    WINNERS: MeasureWords(
        "winners lead more evenly",
        "they are {} % away from leading all clans equally often",
        "% away from equally often",
    ),
    SEAT: MeasureWords(
        "the first seat is fairer",
        "it is {} of 100 games off a fair share",
        "games of 100 off a fair share",
    ),
    LEADER: MeasureWords(
        "leaders win less",
        "whoever leads going into the last age wins {} of 100 games",
        "wins of 100",
    ),
}

LIFT_MEASURES = {
    CLANS: MeasureWords(
        "clans differ less by win lift, which is no proof",
        "a typical win lift is {}",
        "fair shares",
        1.0,
        3,
    ),
    RANGE: MeasureWords(
        "the largest win lift is nearer to the smallest, which is no proof",
        "they are {} apart",
        "fair shares",
        1.0,
        3,
    ),
}
"""The words for clans if no seat was restricted."""


def needs_sentence(balance: Balance) -> str:
    """How many more games would settle the comparison; empty if it is settled."""
    if balance.word != OPEN:
        return ""
    if balance.by_lift:
        return " To settle it, some games must keep a player from leading a clan."
    if balance.needed == float("inf"):
        return " These games cannot tell how many more would settle it."
    return f" Some {rounded(balance.needed)} more games would settle it."
