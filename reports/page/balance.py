"""Which of two kinds of tables is more balanced: by how far their clans lie apart in worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import (
    ComparedNumber,
    balance_change,
    with_verdicts,
)
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import capital
from ethnos_sim.simulator.rules import EDITIONS
from ethnos_sim.simulator.tables.modes import RECRUITMENT

TOO_FEW = "Too few games to tell"
"""The answer if there are too few games to tell."""

Sides = tuple[Situation, Situation]
"""Two kinds of tables that are compared."""


def compare_tables(page: PageGames, sides: Sides) -> ComparedNumber | None:
    """The change of the clans' spread in worth; None with too few games on either side."""
    first, second = (page.number_table.part(side, WORTH.name) for side in sides)
    names = {other: name for name, other in page.renamed(*sides).items()}
    second = second.renamed(names, "name")
    change = balance_change(first, second, same_deals=page.same_deals)
    if not change.trusted.any():
        return None
    ((compared,),) = with_verdicts((change,))
    return compared


def better_side(compared: ComparedNumber) -> int:
    """The side with the smaller number: 0 the first, 1 the second."""
    return int((compared.difference.value or 0.0) < 0)


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

    def answer(self, compared: ComparedNumber) -> str:
        """The answer in a few words."""
        if compared.verdict is Verdict.OPEN:
            return TOO_FEW
        if compared.verdict is Verdict.ALIKE:
            return self.alike
        better = self.better[better_side(compared)]
        return better if compared.verdict is Verdict.MATTERS else f"{better}, a little"

    def sentence(self, compared: ComparedNumber, players: int, but: str) -> str:
        """How much a typical clan moves one's wins on both sides, the more balanced side first.

        `but` says what disagrees; it is empty if nothing does.
        """
        better = better_side(compared)
        percents = [
            100 * players * (number.value or 0.0) for number in (compared.first, compared.second)
        ]
        half = 100 * players * (compared.difference.half_width or 0.0)
        return (
            f"{capital(self.sides[better])} a clan moves your wins by {percents[better]:.0f} % "
            f"(± {half:.0f}), {self.sides[1 - better]} by {percents[1 - better]:.0f} %{but}."
        )


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


class ComparisonQuestion(NamedTuple):
    """A question that compares two kinds of tables, on the page's card of answers."""

    key: str
    question: str
    sides: Sides
    words: ComparisonWords


def comparisons_at(page: PageGames, situation: Situation) -> Iterator[ComparisonQuestion]:
    """The comparisons of editions, and of the Recruitment mode with the usual game."""
    for other in page.other_editions(situation):
        first, second = sorted((situation, other), key=lambda at: EDITIONS.index(at.edition))
        names = [page.edition(side.rule_set).removesuffix(" edition") for side in (first, second)]
        words = ComparisonWords(
            (f"The {names[0]}", f"The {names[1]}"),
            "Both alike",
            (f"in the {names[0]}", f"in the {names[1]}"),
        )
        yield ComparisonQuestion(
            "editions", "Which edition is more balanced?", (first, second), words
        )
    other_mode = page.other_mode(situation)
    if other_mode is not None:
        first, second = sorted((situation, other_mode), key=lambda table: table.mode == RECRUITMENT)
        yield ComparisonQuestion("modes", "Does Recruitment help?", (first, second), RECRUITS)


BALANCED = {
    Verdict.ALIKE: "; balance is neither better nor worse",
    Verdict.OPEN: "; there are too few games to judge balance",
}
"""What the sentence on Recruitment says of balance if its length leads."""


def with_length(answer: Answer, usual: Estimate | None, recruiting: Estimate | None) -> Answer:
    """Add games' length to the answer on Recruitment; length comes first unless balance differs."""
    if usual is None or recruiting is None or not usual.value or not recruiting.value:
        return answer
    saved = usual.value - recruiting.value
    shorter, fewer = ("shorter", "fewer") if saved > 0 else ("longer", "more")
    percent = f"{abs(100 * saved / usual.value):.0f} %"
    balanced = BALANCED.get(answer.verdict)
    if balanced is None:
        text = f"{answer.text.removesuffix('.')}; games are {percent} {shorter}."
        return replace(answer, text=text)
    text = (
        f"A game takes {recruiting.value:.0f} turns instead of {usual.value:.0f}, {percent} "
        f"{fewer}{balanced}."
    )
    leads = abs(saved) > margins.LENGTH.size
    word = f"It makes games {shorter}." if leads else answer.word
    return replace(answer, word=word, text=text)
