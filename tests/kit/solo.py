"""A stacked solo game: a scripted player, Bruno's first cards, and the deck from a test.

    game = SoloGame("solo-regular")
    game.age([draw(), give("koi:white"), ...], columns=("bear:black", ...), deck=("raven:red", ...))
    played = game.play()

Cards that are drawn, added to the pool or given to Bruno from the deck come off it in the order
listed; None is any card. After the list come any cards, and the dragons as soon as they may lie
there. Questions about Bruno that the script does not answer get the first choice, and no card is
stolen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ethnos_sim.simulator import SOLO_CLANS, load_rules
from kit.answers import Answer, draw, give
from kit.game import Age, StackedGame, filled_up
from kit.refereed import PlayedGame

#: One card of each clan and color, so that the dragons are near, and hands large enough to wait.
SMALL = ("cards_per_clan=6", "hand_limit=15")

#: First cards of Bruno's that make no column fire.
QUIET = ("bear:yellow", "koi:yellow", "bear:black")
#: A first pool that makes no column fire either.
POOL = ("bear:white", "koi:white", "bear:green", "koi:green")

#: Bruno's first cards, and a pool. Two cards of the pool complete a party of black cards.
NEARLY_BLACK = {
    "columns": ("bear:black", "koi:black", "bear:yellow"),
    "pool": ("monkey:black", "rabbit:black", "raven:white", "koi:white"),
}

#: The prestige tokens of each color, after the exchange.
TOKENS = {
    "white": (4, 4),
    "green": (4, 6),
    "yellow": (6, 6),
    "black": (8, 8),
    "red": (8, 12),
    "blue": (10, 10),
}


def gifts(*cards: str) -> list[Answer]:
    """Draw one card per turn, and each time give Bruno one of these cards."""
    return [answer for card in cards for answer in (draw(), give(card))]


def solo_game(
    *script: Answer, mode: str = "solo-regular", overrides: Sequence[str] = (), **stacked: Any
) -> PlayedGame:
    """Play one stacked age and a second age without a script."""
    return SoloGame(mode, overrides).age(script, **stacked).play()


class SoloGame(StackedGame):
    """A solo game that a scripted player plays from a stacked deal."""

    def __init__(self, mode: str = "solo-regular", overrides: Sequence[str] = ()) -> None:
        """Set the table; `overrides` are added to SMALL."""
        rules = load_rules("second", overrides=[*SMALL, *overrides])
        super().__init__(rules, SOLO_CLANS, 1, mode, tokens=TOKENS)

    def age(
        self,
        script: Sequence[Answer] = (),
        *,
        hand: str | None = None,
        pool: Sequence[str] = POOL,
        columns: Sequence[str] = QUIET,
        deck: Sequence[str | None] = (),
    ) -> SoloGame:
        """Add an age: the script, the first hand, pool and columns, and the deck from the top."""
        hands = {} if hand is None else {0: hand}
        self.ages.append(Age({0: script}, hands, pool, columns, deck))
        return self

    def _named(self, index: int, age: Age, first: int) -> list[str | None]:
        """An age's named cards: hand, pool, Bruno's columns, and deck to the first dragon place."""
        rules = self.table.rules
        his = rules.number("bruno.cards")
        if index > 0 and not rules.number("bruno.cards_each_age"):
            his = 0
        pool = filled_up(age.pool, 2 * rules.number("pool_per_player"))
        dealt = [age.hands.get(0), *pool, *filled_up(age.columns, his)]
        copies = rules.number("cards_per_clan") * len(self.table.slots)
        return [*dealt, *filled_up(age.deck, (copies - len(dealt)) // 2)]
