"""The narrated game: its table, its trace, and the names of its players, cards and regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.simulator.tables.table import GameTable


def name_in_words(clan: str) -> str:
    """A clan's name as words: "red panda"."""
    return clan.replace("_", " ")


@dataclass(frozen=True)
class Game(GameTable):
    """A trace and its table, which stay the same throughout a narration."""

    trace: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, trace: dict[str, Any]) -> Game:
        """The game of a trace object, with the rule values that it was played by."""
        rules = load_rules(trace["edition"], overrides=trace["rules"])
        return cls(rules, trace["players"], trace["mode"], tuple(trace["clans"]), (), trace=trace)

    @property
    def ages(self) -> int:
        """How many ages there are."""
        return self.rules.ages(self.players)

    @cached_property
    def seat_names(self) -> list[str]:
        """The names of the sides of the table: P0, P1 ..., and Bruno."""
        return [f"P{seat}" for seat in range(self.players)] + ["Bruno"] * self.solo

    @cached_property
    def names(self) -> list[str]:
        """The names of the sides, with strategies if these differ: "P0 greedy"."""
        strategies = self.trace["strategies"]
        apart = len(set(strategies)) > 1
        described = [f" {name.partition(':')[0]}" if apart else "" for name in strategies]
        return [seat + name for seat, name in zip(self.seat_names, [*described, ""], strict=False)]

    def is_wild(self, card: str) -> bool:
        """Whether a card is wild."""
        return self.rules.power_of(card.split(":")[0]) is Power.WILD

    def is_scored(self, card: str) -> bool:
        """Whether a card counts when parties are scored."""
        return not self.is_wild(card) or bool(self.rules.number(card.split(":")[0], "scored"))

    def card(self, card: str) -> str:
        """A card in words: "blue koi"."""
        clan, color = card.split(":")
        return f"{color} {name_in_words(clan)}"

    def cards(self, cards: Iterable[str]) -> str:
        """Cards in words, one by one; two copies are counted: "red koi, white koi ×2"."""
        counts = Counter(cards)
        return ", ".join(
            self.card(card) + (f" ×{counts[card]}" if counts[card] > 1 else "")
            for card in sorted(counts, key=self._place)
        )

    def led(self, leader: str, cards: Iterable[str]) -> str:
        """A party's cards with the leader first: "of 2 led by blue koi with red koi"."""
        rest = list(cards)
        text = f"of {len(rest)} led by {self.card(leader)}"
        rest.remove(leader)
        return f"{text} with {self.cards(rest)}" if rest else text

    def _place(self, card: str) -> tuple[bool, int, int]:
        """A card's sort key in lists: by clan, wild cards last, then by color."""
        clan, color = card.split(":")
        return self.is_wild(card), self.clans.index(clan), self.rules.colors.index(color)
