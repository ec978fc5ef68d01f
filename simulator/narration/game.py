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


def name_in_words(name: str) -> str:
    """The words of a name in the rules, such as "red panda" for the clan red_panda."""
    return name.replace("_", " ")


@dataclass(frozen=True)
class Game(GameTable):
    """A game to narrate: its trace, and its table without strategies."""

    trace: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_trace(cls, trace: dict[str, Any]) -> Game:
        """Make the game of a trace object, by the rules that the trace states."""
        rules = load_rules(trace["edition"], overrides=trace["rules"])
        return cls(rules, trace["players"], trace["mode"], tuple(trace["clans"]), (), trace=trace)

    @property
    def ages(self) -> int:
        """How many ages the game has."""
        return self.rules.ages(self.players)

    @cached_property
    def seat_names(self) -> list[str]:
        """The names of the table's sides, without their strategies: P0, P1 ..., and Bruno."""
        return [f"P{seat}" for seat in range(self.players)] + ["Bruno"] * self.solo

    @cached_property
    def side_names(self) -> list[str]:
        """The names of the table's sides, with strategies where these differ: "P0 greedy"."""
        strategies = self.trace["strategies"]
        differ = len(set(strategies)) > 1
        described = [f" {name.partition(':')[0]}" if differ else "" for name in strategies]
        return [seat + name for seat, name in zip(self.seat_names, [*described, ""], strict=False)]

    def is_wild(self, card: str) -> bool:
        """Whether a card is wild."""
        return self.rules.power_of(card.split(":")[0]) is Power.WILD

    def is_scored(self, card: str) -> bool:
        """Whether a card counts when parties are scored."""
        return not self.is_wild(card) or bool(self.rules.number(card.split(":")[0], "scored"))

    def card_text(self, card: str) -> str:
        """A card as color and clan: "blue koi"."""
        clan, color = card.split(":")
        return f"{color} {name_in_words(clan)}"

    def card_list(self, cards: Iterable[str]) -> str:
        """A sorted list of cards, with the number of copies above 1: "red koi, white koi ×2"."""
        counts = Counter(cards)
        return ", ".join(
            self.card_text(card) + (f" ×{counts[card]}" if counts[card] > 1 else "")
            for card in sorted(counts, key=self._sort_key)
        )

    def party_in_words(self, leader: str, cards: Iterable[str]) -> str:
        """A party's size and cards, the leader first: "of 2 led by blue koi with red koi"."""
        rest = list(cards)
        text = f"of {len(rest)} led by {self.card_text(leader)}"
        rest.remove(leader)
        return f"{text} with {self.card_list(rest)}" if rest else text

    def _sort_key(self, card: str) -> tuple[bool, int, int]:
        """The key that sorts cards by clan, wild cards last, then by color."""
        clan, color = card.split(":")
        return self.is_wild(card), self.clans.index(clan), self.rules.colors.index(color)
