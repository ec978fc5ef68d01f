"""A stacked solo game: a scripted player, Bruno's first cards, and the deck as a test lists it.

    game = SoloGame("solo-regular")
    game.age([draw(), give("koi:white"), ...], columns=("bear:black", ...), deck=("raven:red", ...))
    played = game.play()

What is drawn, turned to the pool or given to Bruno from the deck comes off it in the order listed;
None is any card. Behind the list come any cards, and the dragons as soon as they may lie. Questions
about Bruno that the script does not answer get the first choice, and no card is stolen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import referee

from ethnos_sim.simulator import (
    DEAL_DTYPE,
    DRAGON,
    REGIONS,
    SOLO_CLANS,
    GameTable,
    IllegalMove,
    load_rules,
    trace_game,
)
from kit.answers import Answer
from kit.game import PlayedGame, tokens_of
from kit.plan import DRAGON as DRAGON_NAME
from kit.plan import KitError
from kit.player import Script

#: One card of each clan and color, so that the dragons are near, and hands that can wait for them.
SMALL = ("cards_per_clan=6", "hand_limit=15")

#: First cards of Bruno's that fire nothing, and a pool that does not either.
QUIET = ("bear:yellow", "koi:yellow", "bear:black")
POOL = ("bear:white", "koi:white", "bear:green", "koi:green")

#: Tokens as they lie after the exchange.
TOKENS = {
    "white": (4, 4),
    "green": (4, 6),
    "yellow": (6, 6),
    "black": (8, 8),
    "red": (8, 12),
    "blue": (10, 10),
}


@dataclass
class _Age:
    """What a test says about an age."""

    script: Sequence[Answer] = ()
    hand: str | None = None
    pool: Sequence[str] = ()
    columns: Sequence[str] = ()
    deck: Sequence[str | None] = ()


class SoloGame:
    """A solo game to be played from a stacked deal by a scripted player."""

    def __init__(
        self,
        mode: str = "solo-regular",
        overrides: Sequence[str] = (),
        tokens: Mapping[str, Sequence[int]] = TOKENS,
    ) -> None:
        """Set the table; `overrides` come after SMALL, `tokens` lie as after the exchange."""
        self.rules = load_rules("second", overrides=[*SMALL, *overrides])
        self.mode = mode
        self.tokens = tokens
        self.ages: list[_Age] = []

    def age(
        self,
        script: Sequence[Answer] = (),
        *,
        hand: str | None = None,
        pool: Sequence[str] = (),
        columns: Sequence[str] = (),
        deck: Sequence[str | None] = (),
    ) -> SoloGame:
        """Add an age: the script, the first hand, pool and columns, and the deck from the top."""
        self.ages.append(_Age(script, hand, pool, columns, deck))
        return self

    def play(self) -> PlayedGame:
        """Play the game and have the referee check it.

        Raises:
            KitError: the deal cannot be stacked so, or the script was asked something else.
            IllegalMove: an answer is not a legal move.
            referee.Fault: the kernel broke a rule.
        """
        lasting = self.rules.ages(1)
        ages = [*self.ages, *[_Age()] * lasting][:lasting]
        table = GameTable(self.rules, 1, self.mode, SOLO_CLANS, ())
        numbers = {table.card_name(card): [card] for card in range(REGIONS * len(SOLO_CLANS))}
        values = {
            "tokens": tokens_of(self.rules),
            "colors": {color: region for region, color in enumerate(self.rules.colors)},
            "clans": list(SOLO_CLANS),
        }
        script = Script([age.script for age in ages], len(ages), numbers, values)
        deal = np.zeros(1, DEAL_DTYPE)
        for region, color in enumerate(self.rules.colors):
            lying = self.tokens[color]
            deal[0]["prestige_tokens"][region, : len(lying)] = lying
        for index, age in enumerate(ages):
            order = self._order(index, age, numbers)
            deal[0]["order"][index, : len(order)] = order
        seat = script.seat("script")
        table = GameTable.prepare(self.rules, 1, self.mode, SOLO_CLANS, [seat])
        try:
            traced = trace_game(table, seed=0, game=0, deal=deal)
        except IllegalMove as error:
            if script.problem():
                raise KitError(f"the player {script.problem()}; {error}") from error
            raise
        if script.left_over():
            raise KitError(f"the player was never asked for {script.left_over()}")
        return PlayedGame(traced, referee.replay(json.loads(json.dumps(traced.trace))))

    def _order(self, index: int, age: _Age, numbers: Mapping[str, Sequence[int]]) -> list[int]:
        """One age's cards in dealing order: hand, pool, Bruno's columns, deck."""
        copies = self.rules.number("cards_per_clan") // REGIONS
        box = Counter({cards[0]: copies for cards in numbers.values()})
        dealt = [age.hand]
        first_pool = 2 * self.rules.number("pool_per_player")
        columns = (
            self.rules.number("bruno.cards")
            if index == 0 or self.rules.number("bruno.cards_each_age")
            else 0
        )
        for named, number in ((age.pool, first_pool), (age.columns, columns)):
            dealt += [*named, *[None] * (number - len(named))]
        top = (box.total() - len(dealt)) // 2
        named = [DRAGON if card == DRAGON_NAME else card for card in age.deck]
        if DRAGON in named[:top]:
            raise KitError(f"a dragon at place {named.index(DRAGON) + 1} lies in the top half")
        dragons = self.rules.number("dragons") - named.count(DRAGON)
        stacked = [*dealt, *named, *[None] * (top - len(named)), *[DRAGON] * dragons]
        for name in (card for card in stacked if isinstance(card, str)):
            if box[numbers[name][0]] == 0:
                raise KitError(f"no {name} is left to stack")
            box[numbers[name][0]] -= 1
        rest = sorted(box.elements())
        filled = [rest.pop() if card is None else card for card in stacked]
        return [numbers[card][0] if isinstance(card, str) else card for card in filled] + rest
