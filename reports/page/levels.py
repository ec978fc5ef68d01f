"""How settled an answer is: whether it holds from weak to strong players.

Every level of skill is one player in all seats; `experiments.statistics.levels` has the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.levels import (
    FADES,
    FLIPS,
    GROWS,
    HOLDS,
    OPEN,
    STRONG_ONLY,
    WEAK_ONLY,
    Levels,
)
from ethnos_sim.reports.evidence.evidence import Situation, is_one_strategy
from ethnos_sim.reports.page.sheet import Sheet
from ethnos_sim.reports.rendering.numbers import NUMERALS

LADDER = ("random", "greedy", "warden", "champion", "learned")
"""Players from weak to strong, as matches between them rank them in both editions
(docs/strategy-strength.md); each wins most games against three of any one before it."""


def strength(population: str) -> int:
    """A population's place on the ladder, higher for stronger; -1 for one that has none."""
    return LADDER.index(population) if population in LADDER else -1


ENOUGH = 1.96
"""Standard errors beyond which two levels differ."""

WORDS = {
    HOLDS: "holds at {all}",
    GROWS: "grows with better play",
    FADES: "fades with better play",
    STRONG_ONLY: "shows only among strong players",
    WEAK_ONLY: "shows only among weak players",
    FLIPS: "turns over with better play",
    OPEN: "not settled over {all}",
}
"""The verdicts over levels of skill as a reader meets them."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Which levels say the same as the strongest, from the weakest on, and that in words."""

    levels: tuple[bool, ...]
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
    same = tuple(each.side == mine.side for _, each in found)
    (word,) = _by_level(found, margin).verdicts()
    return Settled(same, WORDS[word].format(all=_count(same)))


def _by_level(found: Sequence[tuple[str, Estimate]], margin: float) -> Levels:
    """One number at each level of skill."""
    values, errors = (
        np.asarray([[getattr(each, name) or 0.0] for _, each in found])
        for name in ("value", "standard_error")
    )
    return Levels(values, errors, min(each.blocks for _, each in found) - 1, margin)


def settled_size(
    found: Sequence[tuple[str, Estimate]], margin: float, words: tuple[str, str]
) -> Settled:
    """Of a number that is not about 0: whether better players bring another one.

    Args:
        found: the number at each level of skill, from the weakest on.
        margin: up to which change it counts as the same.
        words: what a larger number and a smaller one are called.
    """
    if len(found) < 2:
        return ALONE
    (_, weak), (_, strong) = found[0], found[-1]
    change = (strong.value or 0.0) - (weak.value or 0.0)
    half = ENOUGH * sqrt((strong.standard_error or 0.0) ** 2 + (weak.standard_error or 0.0) ** 2)
    same = tuple(abs((each.value or 0.0) - (strong.value or 0.0)) <= margin for _, each in found)
    if abs(change) + half <= margin:
        return Settled(same, f"about the same at {_count(same)}")
    if abs(change) <= half:
        return Settled(same, "levels of play cannot be told apart")
    if _by_level(found, margin).turns_back().any():
        return Settled(same, f"{words[change < 0]} among the strongest than among the weakest")
    return Settled(same, f"{words[change < 0]} with better play")


def settled_words(mine: str, found: Sequence[tuple[str, str]], open_word: str) -> Settled:
    """Of an answer that is a word, and that at each level; `open_word` stands for "not settled"."""
    if len(found) < 2:
        return ALONE
    same = tuple(word == mine for _, word in found)
    if mine == open_word:
        return Settled(same, f"open at {_count(same)}" if all(same) else "other levels settle it")
    if {word for _, word in found} - {mine, open_word}:
        return Settled(same, "changes with who plays")
    return Settled(same, _where(same))


def _where(same: Sequence[bool]) -> str:
    """At which levels an answer holds that none contradicts."""
    if all(same):
        return f"holds at {_count(same)}"
    held = sum(same)
    if held and all(same[-held:]):
        return "shows only among strong players"
    if held and all(same[:held]):
        return "shows only among weak players"
    return "holds at some levels of play"


def _count(same: Sequence[bool]) -> str:
    """As in "all four levels of play"."""
    number = NUMERALS[len(same)] if len(same) < len(NUMERALS) else str(len(same))
    return f"{'both' if len(same) == 2 else f'all {number}'} levels of play"
