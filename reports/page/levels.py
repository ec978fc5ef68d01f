"""How settled an answer is: whether it holds from weak to strong players.

At each level of skill one strategy plays all seats (`experiments.statistics.skill_levels`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Situation, is_one_strategy
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.skill_levels import (
    FADES,
    FLIPS,
    GROWS,
    STRONG_ONLY,
    WEAK_ONLY,
    Levels,
)
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.rendering.numbers import NUMERALS, listed

LADDER = ("random", "greedy", "warden", "champion", "learned", "lookahead")
"""Strategies from weak to strong, ranked by matches between them in both editions
(docs/strategy-strength.md). Each strategy wins most games against three players of any earlier
one."""


def strength(population: str) -> int:
    """A population's place on the ladder, from 0 for the weakest; -1 if it has none."""
    return LADDER.index(population) if population in LADDER else -1


SAME, UNKNOWN, OTHER = "●", "○", "×"
"""Marks of a level of skill: it agrees with the answer, has too few games, or disagrees."""

LEGEND = (
    f"Marks for {{who}}: {SAME} says the same, {UNKNOWN} has too few games to tell, "
    f"{OTHER} says otherwise."
)
"""The legend of these marks."""

WORDS = {
    GROWS: "grows with better play",
    FADES: "fades with better play",
    STRONG_ONLY: "shows only among strong players",
    WEAK_ONLY: "shows only among weak players",
    FLIPS: "reverses with better play",
}
"""The words for verdicts over all levels of skill that say more than the marks do."""


@dataclass(frozen=True, slots=True)
class LevelVerdict:
    """The mark of each level, the weakest first, and the conclusion in words."""

    levels: tuple[str, ...]
    words: str


ALONE = LevelVerdict((), "")
"""The result for fewer than two levels: there is nothing to compare."""


def levels_of(number_table: NumberTable, situation: Situation) -> tuple[Situation, ...]:
    """The same table played by one strategy of the ladder, the weakest strategy first."""
    same_table = [
        table
        for table in number_table.by_everybody(situation)
        if is_one_strategy(table.population) and strength(table.population) >= 0
    ]
    return tuple(sorted(same_table, key=lambda table: strength(table.population)))


def settled_effect(
    answer: Estimate, level_numbers: Sequence[tuple[str, Estimate]], margin: float, below: str
) -> LevelVerdict:
    """Compare an effect, a number whose 0 means no effect, with every level of skill.

    Args:
        answer: the answer's number.
        level_numbers: the number at each level, the weakest first.
        margin: an effect up to this size does not matter.
        below: a name for an effect below 0. The question asks about one above 0, so a verdict
            on the opposite has to name it.
    """
    if len(level_numbers) < 2:
        return ALONE
    sides = [(name, _side(level, margin)) for name, level in level_numbers]
    answer_side = _side(answer, margin)
    if answer_side is None:
        return open_answer([name for name, side in sides if side is not None])
    marks = []
    for (_, level), (_, side) in zip(level_numbers, sides, strict=True):
        change, half = change_between(answer, level)
        differs = side is not None and side != answer_side and abs(change) > half
        marks.append(SAME if side == answer_side else OTHER if differs else UNKNOWN)
    (verdict,) = _by_level(level_numbers, margin).verdicts()
    words = WORDS.get(verdict)
    strongest = verdict in (GROWS, STRONG_ONLY)
    largest = level_numbers[-1 if strongest else 0][1]
    if words and verdict != FLIPS and (largest.value or 0.0) < 0:
        words = f"{below} {words}"
    return LevelVerdict(tuple(marks), words or conclusion(marks))


def _side(estimate: Estimate, margin: float) -> int | None:
    """0 if the interval lies within the margin, else the effect's sign; None if undecided."""
    if estimate.low is None or estimate.high is None:
        return None
    if max(-estimate.low, estimate.high) <= margin:
        return 0
    return estimate.side or None


def change_between(first: Estimate, second: Estimate) -> tuple[float, float]:
    """The change between two levels and its half-width; errors count as independent."""
    change = (second.value or 0.0) - (first.value or 0.0)
    errors = first.standard_error or 0.0, second.standard_error or 0.0
    reach = (
        max(
            (estimate.half_width or 0.0) / error
            for estimate, error in zip((first, second), errors, strict=True)
            if error
        )
        if any(errors)
        else 0.0
    )
    return change, reach * sqrt(sum(error**2 for error in errors))


def _by_level(level_numbers: Sequence[tuple[str, Estimate]], margin: float) -> Levels:
    """The numbers of all levels, as `Levels` for the test."""
    values, errors = (
        np.asarray([[getattr(number, name) or 0.0] for _, number in level_numbers])
        for name in ("value", "standard_error")
    )
    tests = max(number.labels.get("comparisons", 1) for _, number in level_numbers)
    return Levels(
        values, errors, min(number.blocks for _, number in level_numbers) - 1, margin, tests
    )


def settled_size(
    answer: Estimate,
    level_numbers: Sequence[tuple[str, Estimate]],
    margin: float,
    words: tuple[str, str],
) -> LevelVerdict:
    """Compare a number that has no meaningful 0 with every level of skill.

    Args:
        answer: the answer's number.
        level_numbers: the number at each level of skill, the weakest first.
        margin: the change within which two numbers count as the same.
        words: words for a larger and for a smaller number.
    """
    if len(level_numbers) < 2:
        return ALONE
    marks = []
    for _, level in level_numbers:
        change, half = change_between(answer, level)
        same = level is answer or abs(change) + half <= margin
        marks.append(SAME if same else OTHER if abs(change) > half else UNKNOWN)
    if set(marks) == {SAME}:
        return LevelVerdict(tuple(marks), f"about the same at {_count(marks)}")
    change, half = change_between(level_numbers[0][1], level_numbers[-1][1])
    if abs(change) <= half:
        return LevelVerdict(tuple(marks), conclusion(marks))
    more = words[change < 0]
    if _by_level(level_numbers, margin).turns_back().any():
        return LevelVerdict(tuple(marks), f"{more} among the strongest than among the weakest")
    return LevelVerdict(tuple(marks), f"{more} with better play")


def settled_words(
    answer: str, level_words: Sequence[tuple[str, str]], open_word: str, none: str
) -> LevelVerdict:
    """Compare the word of an answer with the word at every level of skill.

    Args:
        answer: the answer's word.
        level_words: the word at each level, the weakest first.
        open_word: the word for too few games to tell.
        none: the word for no difference beyond a margin.
    """
    if len(level_words) < 2:
        return ALONE
    if answer == open_word:
        return open_answer([name for name, word in level_words if word != open_word])
    marks = [
        SAME if word == answer else UNKNOWN if word == open_word else OTHER
        for _, word in level_words
    ]
    others = {word for _, word in level_words} - {answer, open_word}
    if others == {none}:
        who = listed([f"“{name}”" for name, word in level_words if word == none])
        return LevelVerdict(tuple(marks), f"no difference that matters among {who}")
    return LevelVerdict(tuple(marks), conclusion(marks))


def open_answer(settled: Sequence[str]) -> LevelVerdict:
    """The result for an open answer: the levels whose games settle it."""
    if not settled:
        return LevelVerdict((), "open at every level of play")
    who = listed([f"“{name}”" for name in settled])
    return LevelVerdict((), f"settled where {who} {'play' if settled[1:] else 'plays'}")


def conclusion(marks: Sequence[str]) -> str:
    """The conclusion from the marks; too few games never count as disagreement."""
    if OTHER in marks:
        return "not the same at every level of play"
    if UNKNOWN not in marks:
        return f"holds at {_count(marks)}"
    agreeing = marks.count(SAME)
    if agreeing and all(mark == SAME for mark in marks[-agreeing:]):
        return "too few games of weaker players to tell whether it holds for them"
    return "too few games at some levels of play to tell whether it holds there"


def _count(marks: Sequence[str]) -> str:
    """The number of levels in words: "all four levels of play"."""
    number = NUMERALS[len(marks)] if len(marks) < len(NUMERALS) else str(len(marks))
    return f"{'both' if len(marks) == 2 else f'all {number}'} levels of play"
