"""Levels of play: strategies from weak to strong, and whether all levels give the same answer.

At each level one strategy plays all seats. A line on levels names the levels with another answer.
The line is empty if too few games were played to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from math import sqrt
from typing import NamedTuple

from ethnos_sim.experiments.evidence.evidence import Situation, is_one_strategy
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict, verdict_of
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.rendering.numbers import capitalized, word_list

LADDER: Mapping[str, str] = {
    "random": "random players",
    "greedy": "beginners",
    "warden": "patient players",
    "champion": "good players",
    "learned": "strong players",
    "lookahead": "players who look ahead",
}
"""Strategies from weak to strong with the words for their players, ranked by matches between them
in both editions (docs/strategy-strength.md). Each strategy wins most games against three players of
any earlier one."""


def strength(population: str) -> int:
    """The index of a population in LADDER: 0 for the weakest; -1 if LADDER lacks it."""
    return list(LADDER).index(population) if population in LADDER else -1


def levels_of(number_table: NumberTable, situation: Situation) -> tuple[Situation, ...]:
    """The situations like this, but with one strategy of LADDER in all seats, the weakest first."""
    levels = [
        other
        for other in number_table.situations
        if other._replace(population=situation.population) == situation
        and is_one_strategy(other.population)
        and strength(other.population) >= 0
    ]
    return tuple(sorted(levels, key=lambda level: strength(level.population)))


class Finding(NamedTuple):
    """The answer that a number gives in one situation.

    Attributes:
        word: the answer in a few words, without a full stop.
        verdict: OPEN if too few games were played for an answer.
        number: the number behind the answer.
        margin: the smallest change of this number that matters.
    """

    word: str
    verdict: Verdict
    number: Estimate
    margin: float


class Agreement(Enum):
    """Whether two levels of play give the same answer."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


def agreement(answer: Finding, other: Finding | None) -> Agreement:
    """Whether another level of play gives the same answer.

    A different word counts as a different answer only if the two numbers differ significantly.
    """
    if other is None or Verdict.OPEN in (answer.verdict, other.verdict):
        return Agreement.UNKNOWN
    change, half = change_between(answer.number, other.number)
    alike = verdict_of(change - half, change + half, answer.margin) is Verdict.ALIKE
    if other.word == answer.word or alike:
        return Agreement.SAME
    return Agreement.OTHER if abs(change) > half else Agreement.UNKNOWN


def change_between(first: Estimate, second: Estimate) -> tuple[float, float]:
    """The change from `first` to `second`, and its half-width, as if errors were independent."""
    change = (second.value or 0.0) - (first.value or 0.0)
    errors = first.standard_error or 0.0, second.standard_error or 0.0
    both = zip((first, second), errors, strict=True)
    reach = max(
        ((estimate.half_width or 0.0) / error for estimate, error in both if error), default=0.0
    )
    return change, reach * sqrt(sum(error**2 for error in errors))


def level_line(answer: Finding, others: Sequence[tuple[str, Finding | None]]) -> str:
    """One line on the other levels of play; "" if it is not known whether they differ.

    Args:
        answer: the finding at this level.
        others: the population and the finding of each other level, the weakest first.
    """
    agreements = [agreement(answer, finding) for _, finding in others]
    differing: dict[str, list[str]] = {}
    for (population, finding), how in zip(others, agreements, strict=True):
        if finding is not None and how is Agreement.OTHER:
            differing.setdefault(finding.word, []).append(population)
    if differing:
        parts = [
            f"{level_names(who)}: {word[:1].lower()}{word[1:]}" for word, who in differing.items()
        ]
        return f"{capitalized('; '.join(parts))}."
    return agreement_line(agreements)


def agreement_line(agreements: Sequence[Agreement]) -> str:
    """The line on levels if none has a different answer; "" if the answer of one is unknown."""
    same = set(agreements) == {Agreement.SAME}
    return "At every level of play." if same else ""


def level_names(populations: Iterable[str]) -> str:
    """Several levels in a sentence: "beginners, patient and good players"."""
    words = [LADDER[population] for population in populations]
    ending = " players"
    last = max((index for index, word in enumerate(words) if word.endswith(ending)), default=0)
    return word_list(
        word.removesuffix(ending) if index < last else word for index, word in enumerate(words)
    )
