"""Games in which little happens but what a test wants to happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit.game import StackedGame

#: Clans whose leaders ask nothing of a player with an empty hand.
QUIET_CLANS = {
    "first": ("dwarf", "minotaur", "elf", "centaur"),
    "second": ("rabbit", "tiger", "red_panda", "owl"),
}

#: So that players who wait for the dragons can go on drawing.
LARGE_HANDS = "hand_limit=15"

#: With two players the deck is long for two hands; a larger pool makes it shorter.
LARGE_POOL = "pool_per_player=4"


def quiet_game(
    *others: str,
    edition: str = "second",
    players: int = 4,
    overrides: Sequence[str] = (),
    **settings: Any,
) -> StackedGame:
    """A table of the quiet clans and others: two with four players and more, else one."""
    long = [LARGE_HANDS, LARGE_POOL] if players == 2 else [LARGE_HANDS]
    clans = (*QUIET_CLANS[edition], *others)
    return StackedGame(
        edition, players=players, clans=clans, overrides=[*long, *overrides], **settings
    )
