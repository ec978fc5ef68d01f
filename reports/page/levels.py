"""How settled an answer is: whether it holds from weak to strong players.

Every level of skill is one player in all seats; `experiments.statistics.levels` has the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Situation, is_one_strategy
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.levels import (
    FADES,
    FLIPS,
    GROWS,
    STRONG_ONLY,
    WEAK_ONLY,
    Levels,
)
from ethnos_sim.reports.page.sheet import Sheet
from ethnos_sim.reports.rendering.numbers import NUMERALS, listed

LADDER = ("random", "greedy", "warden", "champion", "learned")
"""Players from weak to strong, as matches between them rank them in both editions
(docs/strategy-strength.md); each wins most games against three of any one before it."""


def strength(population: str) -> int:
    """A population's place on the ladder, higher for stronger; -1 for one that has none."""
    return LADDER.index(population) if population in LADDER else -1


SAME, UNKNOWN, OTHER = "●", "○", "×"
"""What a level of skill says beside an answer: the same, too few games to tell, or otherwise."""

LEGEND = (
    f"{SAME} says the same, {UNKNOWN} has too few games to tell, {OTHER} says otherwise: "
    "{who}, from weak to strong."
)
"""What the marks of an answer's levels mean."""

WORDS = {
    GROWS: "grows with better play",
    FADES: "fades with better play",
    STRONG_ONLY: "shows only among strong players",
    WEAK_ONLY: "shows only among weak players",
    FLIPS: "turns over with better play",
}
"""The verdicts over levels of skill that say more than each level's mark."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What each level says beside the answer, from the weakest on, and what follows in words."""

    levels: tuple[str, ...]
    words: str


ALONE = Settled((), "")
"""With less than two levels there is nothing to compare."""


def levels_of(sheet: Sheet, situation: Situation) -> tuple[Situation, ...]:
    """The same table by each player of the ladder alone, from the weakest on."""
    alike = [
        each
        for each in sheet.by_everybody(situation)
        if is_one_strategy(each.population) and strength(each.population) >= 0
    ]
    return tuple(sorted(alike, key=lambda each: strength(each.population)))


def settled_effect(mine: Estimate, found: Sequence[tuple[str, Estimate]], margin: float) -> Settled:
    """Of a number whose 0 means nothing, and the same number at each level of skill.

    Args:
        mine: the number that is told.
        found: the number at each level, from the weakest on.
        margin: up to which size it counts as none.
    """
    if len(found) < 2:
        return ALONE
    sides = [(name, _side(level, margin)) for name, level in found]
    said = _side(mine, margin)
    if said is None:
        return open_answer([name for name, side in sides if side is not None])
    marks = []
    for (_, level), (_, side) in zip(found, sides, strict=True):
        change, half = _change(mine, level)
        differs = side is not None and side != said and abs(change) > half
        marks.append(SAME if side == said else OTHER if differs else UNKNOWN)
    (verdict,) = _by_level(found, margin).verdicts()
    return Settled(tuple(marks), WORDS.get(verdict) or where(marks))


def _side(estimate: Estimate, margin: float) -> int | None:
    """0 for an effect surely within the margin, else its side; None where that is open."""
    if estimate.low is None or estimate.high is None:
        return None
    if max(-estimate.low, estimate.high) <= margin:
        return 0
    return estimate.side or None


def _change(first: Estimate, second: Estimate) -> tuple[float, float]:
    """From one level to another, and half of its interval; errors count as independent."""
    change = (second.value or 0.0) - (first.value or 0.0)
    errors = first.standard_error or 0.0, second.standard_error or 0.0
    reach = (
        max(
            (each.half_width or 0.0) / error
            for each, error in zip((first, second), errors, strict=True)
            if error
        )
        if any(errors)
        else 0.0
    )
    return change, reach * sqrt(sum(error**2 for error in errors))


def _by_level(found: Sequence[tuple[str, Estimate]], margin: float) -> Levels:
    """One number at each level of skill."""
    values, errors = (
        np.asarray([[getattr(each, name) or 0.0] for _, each in found])
        for name in ("value", "standard_error")
    )
    tests = max(each.labels.get("comparisons", 1) for _, each in found)
    return Levels(values, errors, min(each.blocks for _, each in found) - 1, margin, tests)


def settled_size(
    mine: Estimate, found: Sequence[tuple[str, Estimate]], margin: float, words: tuple[str, str]
) -> Settled:
    """Of a number that is not about 0: whether better players bring another one.

    Args:
        mine: the number that is told.
        found: the number at each level of skill, from the weakest on.
        margin: up to which change it counts as the same.
        words: what a larger number and a smaller one are called.
    """
    if len(found) < 2:
        return ALONE
    marks = []
    for _, level in found:
        change, half = _change(mine, level)
        same = level is mine or abs(change) + half <= margin
        marks.append(SAME if same else OTHER if abs(change) > half else UNKNOWN)
    if set(marks) == {SAME}:
        return Settled(tuple(marks), f"about the same at {_count(marks)}")
    change, half = _change(found[0][1], found[-1][1])
    if abs(change) <= half:
        return Settled(tuple(marks), where(marks))
    more = words[change < 0]
    if _by_level(found, margin).turns_back().any():
        return Settled(tuple(marks), f"{more} among the strongest than among the weakest")
    return Settled(tuple(marks), f"{more} with better play")


def settled_words(
    mine: str, found: Sequence[tuple[str, str]], open_word: str, none: str
) -> Settled:
    """Of an answer that is a word, and that at each level of skill.

    Args:
        mine: the word that is told.
        found: the word at each level, from the weakest on.
        open_word: stands for too few games to tell.
        none: stands for no difference beyond a margin.
    """
    if len(found) < 2:
        return ALONE
    if mine == open_word:
        return open_answer([name for name, word in found if word != open_word])
    marks = [SAME if word == mine else UNKNOWN if word == open_word else OTHER for _, word in found]
    others = {word for _, word in found} - {mine, open_word}
    if others == {none}:
        who = listed([f"“{name}”" for name, word in found if word == none])
        return Settled(tuple(marks), f"no difference that matters among {who}")
    return Settled(tuple(marks), where(marks))


def open_answer(told: Sequence[str]) -> Settled:
    """Of an answer that is open: who else's games tell."""
    if not told:
        return Settled((), "open at every level of play")
    who = listed([f"“{name}”" for name in told])
    return Settled((), f"settled where {who} {'play' if told[1:] else 'plays'}")


def where(marks: Sequence[str]) -> str:
    """What follows from the marks of the levels: what is open is not said to be absent."""
    if OTHER in marks:
        return "not the same at every level of play"
    if UNKNOWN not in marks:
        return f"holds at {_count(marks)}"
    held = marks.count(SAME)
    if held and all(mark == SAME for mark in marks[-held:]):
        return "too few games of weaker players to tell whether it holds for them"
    return "too few games at some levels of play to tell whether it holds there"


def _count(marks: Sequence[str]) -> str:
    """As in "all four levels of play"."""
    number = NUMERALS[len(marks)] if len(marks) < len(NUMERALS) else str(len(marks))
    return f"{'both' if len(marks) == 2 else f'all {number}'} levels of play"
