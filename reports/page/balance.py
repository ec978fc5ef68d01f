"""Which of two situations is more balanced: the one whose clans differ less in worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import ComparedNumber, balance_change, with_verdicts
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import capitalized
from ethnos_sim.simulator.rules import EDITIONS
from ethnos_sim.simulator.tables.modes import RECRUITMENT

TOO_FEW_GAMES = "Too few games to tell"
"""The answer of a question whose verdict is open."""

Sides = tuple[Situation, Situation]
"""The two situations of a comparison."""


def compare_clan_spreads(page: PageGames, sides: Sides) -> ComparedNumber | None:
    """The change of the clans' spread in worth; None if a side has too few games."""
    first, second = (page.number_table.estimates(side, WORTH.name) for side in sides)
    names = {other: name for name, other in page.counterparts(*sides).items()}
    second = second.rename_labels(names, "name")
    change = balance_change(first, second, same_deals=page.same_deals)
    if not change.has_interval.any():
        return None
    ((compared,),) = with_verdicts((change,))
    return compared


def more_balanced_side(compared: ComparedNumber) -> int:
    """The index of the side with the smaller number: 0 or 1."""
    return int((compared.difference.value or 0.0) < 0)


class ComparisonWords(NamedTuple):
    """The words of a comparison.

    Attributes:
        better: two answers: if the first side is more balanced, and if the second side is.
        alike: the answer if both sides are alike.
        sides: the words for each side in a sentence: "in the 1st edition".
    """

    better: tuple[str, str]
    alike: str
    sides: tuple[str, str]

    def answer(self, compared: ComparedNumber) -> str:
        """The answer in a few words."""
        if compared.verdict is Verdict.OPEN:
            return TOO_FEW_GAMES
        if compared.verdict is Verdict.ALIKE:
            return self.alike
        better = self.better[more_balanced_side(compared)]
        return better if compared.verdict is Verdict.MATTERS else f"{better}, a little"

    def sentence(self, compared: ComparedNumber, players: int, disagreement: str) -> str:
        """How much a clan moves its player's wins in both situations, the more balanced one first.

        `disagreement` is a clause on measures by which the other situation is more balanced, or "".
        """
        better = more_balanced_side(compared)
        percents = [
            100 * players * (number.value or 0.0) for number in (compared.first, compared.second)
        ]
        half = 100 * players * (compared.difference.half_width or 0.0)
        return (
            f"{capitalized(self.sides[better])} a clan moves your wins by {percents[better]:.0f} % "
            f"(± {half:.0f}), {self.sides[1 - better]} by {percents[1 - better]:.0f} %"
            f"{disagreement}."
        )


RECRUITMENT_WORDS = ComparisonWords(
    ("No, it is less balanced", "Yes, it is more balanced"),
    "It changes nothing that matters",
    ("without it", "with it"),
)

RULE_CHANGE_WORDS = ComparisonWords(
    ("Less balanced", "More balanced"),
    "No difference that matters",
    ("by the rules", "so changed"),
)


class ComparisonQuestion(NamedTuple):
    """A question on the card that compares two situations."""

    key: str
    question: str
    sides: Sides
    words: ComparisonWords


def comparison_questions(page: PageGames, situation: Situation) -> Iterator[ComparisonQuestion]:
    """The questions that compare editions, and Recruitment with the usual game."""
    for other in page.other_editions(situation):
        first, second = sorted((situation, other), key=lambda at: EDITIONS.index(at.edition))
        names = [page.edition_name(at.rule_set).removesuffix(" edition") for at in (first, second)]
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
        yield ComparisonQuestion(
            "modes", "Does Recruitment help?", (first, second), RECRUITMENT_WORDS
        )


BALANCE_ENDINGS = {
    Verdict.ALIKE: "; balance is neither better nor worse",
    Verdict.OPEN: "; there are too few games to judge balance",
}
"""How the sentence on Recruitment ends if it begins with the length of a game."""


def with_game_length(answer: Answer, usual: Estimate | None, recruiting: Estimate | None) -> Answer:
    """The answer on Recruitment with the length of games, which is first unless balance differs."""
    if usual is None or recruiting is None or not usual.value or not recruiting.value:
        return answer
    saved = usual.value - recruiting.value
    shorter, fewer = ("shorter", "fewer") if saved > 0 else ("longer", "more")
    percent = f"{abs(100 * saved / usual.value):.0f} %"
    balanced = BALANCE_ENDINGS.get(answer.verdict)
    if balanced is None:
        text = f"{answer.text.removesuffix('.')}; games are {percent} {shorter}."
        return replace(answer, text=text)
    text = (
        f"A game takes {recruiting.value:.0f} turns instead of {usual.value:.0f}, {percent} "
        f"{fewer}{balanced}."
    )
    matters = abs(saved) > margins.LENGTH.size
    word = f"It makes games {shorter}." if matters else answer.word
    return replace(answer, word=word, text=text)
