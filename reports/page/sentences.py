"""Which of two kinds of tables is more balanced, in words: an answer, then its numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import ComparedNumber
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.page.balance import (
    CLANS,
    LEADER,
    SEAT,
    WINNERS,
    Balance,
)
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import capital, listed

TOO_FEW = "Too few games to tell"
"""The answer if there are too few games to tell."""


class MeasureWords(NamedTuple):
    """The words and the scale for one measure of balance.

    Attributes:
        name: its name in the table behind the answer.
        better: says what is better at the more balanced table.
        unit: the unit of the number in words.
        scale: the factor for the number.
        decimals: the decimals of the number.
    """

    name: str
    better: str
    unit: str
    scale: float = 100.0
    decimals: int = 1


MEASURES = {
    CLANS: MeasureWords("The clans’ spread", "clans differ less", "games of 100 from the average"),
    WINNERS: MeasureWords(
        "How evenly winners lead the clans",
        "winners lead more evenly",
        "% away from equally often",
    ),
    SEAT: MeasureWords(
        "The first seat", "the first seat is fairer", "games of 100 off a fair share"
    ),
    LEADER: MeasureWords(
        "The leader", "a lead decides less", "games of 100 off what a lottery would give"
    ),
}
BY_LIFT = MEASURES[CLANS]._replace(unit="fair shares of win lift", scale=1.0, decimals=3)
"""The words for clans if nobody gave up a clan."""


def measure_words(balance: Balance, about: str) -> MeasureWords:
    """The words and the scale for a measure."""
    return BY_LIFT if about == CLANS and balance.by_lift else MEASURES[about]


def numbers_of(measure: MeasureWords, change: ComparedNumber) -> tuple[tuple[str, str], str]:
    """The numbers of the first and the second side, and the half-width of the change."""
    first, second, half = (
        f"{measure.scale * (number or 0.0):.{measure.decimals}f}"
        for number in (change.first.value, change.second.value, change.difference.half_width)
    )
    return (first, second), half


class ComparisonWords(NamedTuple):
    """The words of a comparison.

    Attributes:
        better: the answer if the first, and if the second side is more balanced.
        alike: the answer if both are alike.
        sides: names of the sides: "in the 1st edition".
    """

    better: tuple[str, str]
    alike: str
    sides: tuple[str, str]

    def answer(self, balance: Balance) -> str:
        """The answer in a few words, by how far the clans lie apart."""
        verdict = balance.verdict()
        if verdict is Verdict.OPEN:
            return TOO_FEW
        if verdict is Verdict.ALIKE:
            return self.alike
        better = self.better[balance.better()]
        return better if verdict is Verdict.MATTERS else f"{better}, a little"

    def but(self, balance: Balance) -> str:
        """What disagrees with the answer: ", but in the 2nd the first seat is fairer"; or ""."""
        parts = [
            f"{self.sides[balance.better(about)]} {MEASURES[about].better}"
            for about in balance.disagreeing
        ]
        return f", but {listed(parts)}" if parts else ""


RECRUITS = ComparisonWords(
    ("No, it is less balanced", "Yes, it is more balanced"),
    "It changes nothing that matters",
    ("without it", "with it"),
)

OTHER_RULES = ComparisonWords(
    ("Less balanced", "More balanced"),
    "No difference that matters",
    ("by the rules", "so changed"),
)


def balance_sentence(balance: Balance, players: int, words: ComparisonWords) -> str:
    """How much a typical clan moves one's wins on both sides, the more balanced side first."""
    if balance.by_lift:
        return "In no game a player gave up a clan, so clans cannot be compared."
    change, better = balance.changes[CLANS], balance.better()
    scale = 100 * (players if change.first.unit.startswith("share") else 1)
    percents = [scale * (number.value or 0.0) for number in (change.first, change.second)]
    half = scale * (change.difference.half_width or 0.0)
    side, other = words.sides[better], words.sides[1 - better]
    return (
        f"{capital(side)} a clan moves your wins by {percents[better]:.0f} % (± {half:.0f}), "
        f"{other} by {percents[1 - better]:.0f} %{words.but(balance)}."
    )


def with_length(answer: Answer, usual: Estimate | None, recruiting: Estimate | None) -> Answer:
    """The answer on Recruitment with the length of games, which leads unless balance differs."""
    if usual is None or recruiting is None or not usual.value or not recruiting.value:
        return answer
    saved = usual.value - recruiting.value
    shorter = "shorter" if saved > 0 else "longer"
    percent = f"{abs(100 * saved / usual.value):.0f} %"
    if answer.verdict is Verdict.MATTERS:
        text = f"{answer.text.removesuffix('.')}; games are {percent} {shorter}."
        return replace(answer, text=text)
    end = "; too few games tell of balance" if answer.verdict is Verdict.OPEN else BALANCED
    fewer = "fewer" if saved > 0 else "more"
    text = (
        f"A game takes {recruiting.value:.0f} turns instead of {usual.value:.0f}, {percent} "
        f"{fewer}{end}."
    )
    if abs(saved) <= margins.LENGTH.size:
        return replace(answer, text=text)
    return replace(answer, word=f"It makes games {shorter}.", text=text)


BALANCED = "; balance is neither better nor worse"
"""The end of a sentence on Recruitment if both ways to play are alike, or nearly so."""
