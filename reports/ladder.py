"""The ladder of players, so that what holds at every level of play can be told."""

from __future__ import annotations

LADDER = ("random", "greedy", "warden", "champion", "learned")
"""Players from weak to strong, as matches between them rank them in both editions
(docs/strategy-strength.md); each wins most games against three of any one before it."""


def strength(population: str) -> int:
    """A population's place on the ladder, higher for stronger; -1 for one that has none."""
    return LADDER.index(population) if population in LADDER else -1
