"""A whole stacked game: setup, scripts by age, the deal they need, and the play with a referee."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import referee
from inside.simulator import RECRUITMENT

from ethnos_sim.simulator import (
    DEAL_DTYPE,
    DRAGON,
    REGIONS,
    GameTable,
    IllegalMove,
    Power,
    Rules,
    TracedGame,
    load_rules,
    trace_game,
    view_record,
)
from kit.answers import Answer
from kit.plan import DRAGON as DRAGON_NAME
from kit.plan import AgePlan, KitError
from kit.player import Script

#: The six clans (five with two or three players) of a game whose clans do not matter.
USUAL_CLANS = {
    "first": ("dwarf", "minotaur", "elf", "giant", "troll", "orc"),
    "second": ("rabbit", "tiger", "red_panda", "bear", "fox", "monkey"),
}


def tokens_of(rules: Rules) -> list[int]:
    """The tie-break tokens of the rules' first clan that has any."""
    clan = rules.clan_of(Power.TIE_BREAK_TOKENS)
    return [] if clan is None else list(rules.numbers(clan, "tokens"))


@dataclass
class PlayedGame:
    """A game that was played and passed by the referee."""

    traced: TracedGame
    summary: referee.Summary

    @property
    def events(self) -> list[dict[str, Any]]:
        """The trace's events."""
        events: list[dict[str, Any]] = self.traced.trace["events"]
        return events

    @property
    def seats(self) -> np.ndarray:
        """The result rows by player (SEAT_DTYPE)."""
        return self.traced.seats

    @property
    def winners(self) -> list[int]:
        """Who won."""
        winners: list[int] = self.events[-1]["winners"]
        return winners

    def of(self, kind: str, player: int | None = None) -> list[dict[str, Any]]:
        """The events of a kind, of a player if one is named."""
        return [
            event
            for event in self.events
            if event["event"] == kind and player in (None, event.get("player"))
        ]

    def party(self, player: int, number: int) -> dict[str, Any]:
        """A player's party by its number in the game, from 0 (-1 for the last)."""
        return self.of("party", player)[number]

    def age_end(self, age: int) -> dict[str, Any]:
        """The end of an age."""
        return self.of("age_end")[age - 1]

    def region_won(self, age: int, color: str) -> list[int]:
        """Prestige by player for a region at an age's end."""
        won: list[int] = self.age_end(age)["regions"][color]
        return won


@dataclass
class _Age:
    """What a test says about an age."""

    scripts: Mapping[int, Sequence[Answer]] = field(default_factory=dict)
    hands: Mapping[int, str] = field(default_factory=dict)
    pool: Sequence[str] = ()
    last_dragon: int | None = None


class StackedGame:
    """A game to be played from a stacked deal by scripted players."""

    def __init__(
        self,
        edition: str = "second",
        players: int = 4,
        clans: Sequence[str] | None = None,
        mode: str = "standard",
        first_player: int = 0,
        tokens: Mapping[str, Sequence[int]] | None = None,
        overrides: Sequence[str] = (),
    ) -> None:
        """Set the table; `tokens` are prestige tokens by color, the others are filled up."""
        self.rules: Rules = load_rules(edition, overrides=overrides)
        self.players = players
        self.clans = tuple(clans or USUAL_CLANS[edition][: 5 if players <= 3 else 6])
        self.mode = mode
        self.first_player = first_player
        self.tokens = dict(tokens or {})
        self.ages: list[_Age] = []

    def age(
        self,
        scripts: Mapping[int, Sequence[Answer]] | None = None,
        *,
        hands: Mapping[int, str] | None = None,
        pool: Sequence[str] = (),
        last_dragon: int | None = None,
    ) -> StackedGame:
        """Add an age: scripts, first hands and first pool cards, and who draws the last dragon."""
        self.ages.append(_Age(scripts or {}, hands or {}, pool, last_dragon))
        return self

    def play(self) -> PlayedGame:
        """Play the game and have the referee check it.

        Raises:
            KitError: the deal cannot be stacked so, or a script was asked something else.
            IllegalMove: a script's answer is not a legal move.
            referee.Fault: the kernel broke a rule.
        """
        table = self._table([])
        ages = int(view_record(self.rules, self.players, self.mode, self.clans)[0]["ages"])
        firsts = [self.first_player] + [0] * (ages - 1)
        for known in range(1, ages + 1):
            scripted = [self._age(age if age < known else ages) for age in range(ages)]
            scripts = self._scripts(table, scripted, known)
            traced = self._run(scripts, self._deal(table, scripted, firsts))
            begun = [event for event in traced.trace["events"] if event["event"] == "age"]
            if known == ages or len(begun) <= known:
                break
            firsts[known] = begun[known]["first_player"]
        for player, script in enumerate(scripts):
            if script.left_over():
                raise KitError(f"player {player} was never asked for {script.left_over()}")
        return PlayedGame(traced, referee.replay(json.loads(json.dumps(traced.trace))))

    def _age(self, index: int) -> _Age:
        """What the test says about an age, or nothing."""
        return self.ages[index] if index < len(self.ages) else _Age()

    def _table(self, scripts: list[Script]) -> GameTable:
        """The table, with scripted players where there are scripts."""
        seats = [script.seat(f"script {i}") for i, script in enumerate(scripts)]
        return GameTable(self.rules, self.players, self.mode, self.clans, tuple(seats))

    def _numbers(self, table: GameTable) -> dict[str, list[int]]:
        """Card numbers by name; a clan with twice the cards has two for each color."""
        numbers: dict[str, list[int]] = {}
        for card in range(REGIONS * len(table.slots)):
            numbers.setdefault(table.card_name(card), []).append(card)
        return numbers

    def _scripts(self, table: GameTable, ages: Sequence[_Age], known: int) -> list[Script]:
        """Every player's script."""
        values = {
            "tokens": tokens_of(self.rules),
            "colors": {color: i for i, color in enumerate(self.rules.colors)},
        }
        numbers = self._numbers(table)
        for age in ages:
            named = [card for script in age.scripts.values() for a in script for card in a.cards]
            unknown = [card for card in named if card not in numbers]
            if unknown:
                raise KitError(f"no such cards in this game: {unknown}")
        return [
            Script([age.scripts.get(player, ()) for age in ages], known, numbers, values)
            for player in range(self.players)
        ]

    def _run(self, scripts: list[Script], deal: np.ndarray) -> TracedGame:
        """Play once; KitError says which script was asked what it does not answer."""
        table = self._table(scripts)
        GameTable.prepare(self.rules, self.players, self.mode, self.clans, table.seats)
        try:
            return trace_game(table, seed=0, game=0, deal=deal)
        except IllegalMove as error:
            for player, script in enumerate(scripts):
                if script.problem():
                    raise KitError(f"player {player} {script.problem()}; {error}") from error
            raise

    def _deal(self, table: GameTable, ages: Sequence[_Age], firsts: Sequence[int]) -> np.ndarray:
        """The stacked deal (shape (1,), DEAL_DTYPE)."""
        deals = np.zeros(1, DEAL_DTYPE)
        deals[0]["first_player"] = firsts[0]
        self._deal_tokens(table, deals[0]["prestige_tokens"])
        for index, age in enumerate(ages):
            order = self._order(table, age, firsts[index])
            deals[0]["order"][index, : len(order)] = order
        return deals

    def _deal_tokens(self, table: GameTable, board: np.ndarray) -> None:
        """Prestige tokens: the named ones, then what is left, lowest first."""
        record = view_record(self.rules, self.players, self.mode, self.clans)[0]["rules"]
        each = int(record["tokens_per_region"])
        left = sorted(record["prestige_tokens"][: REGIONS * each].tolist())
        for color, values in self.tokens.items():
            if len(values) != each:
                raise KitError(f"a region has {each} prestige tokens, not {values}")
            for value in values:
                if value not in left:
                    raise KitError(f"no prestige token {value} is left for {color}")
                left.remove(value)
        for region, color in enumerate(self.rules.colors):
            values = self.tokens.get(color)
            if values is None:
                values, left = left[:each], left[each:]
            board[region, :each] = sorted(values)

    def _order(self, table: GameTable, age: _Age, first: int) -> list[int]:
        """One age's cards in dealing order: hands from the first player on, pool, deck."""
        numbers = self._numbers(table)
        copies = self.rules.number("cards_per_clan") // REGIONS
        box = Counter({card: copies for cards in numbers.values() for card in cards})
        pool = self.rules.number("pool_per_player") * self.players
        plan = AgePlan(
            scripts=age.scripts,
            players=self.players,
            first_player=first,
            pool=pool,
            dragons=self.rules.number("dragons"),
            hand_limit=self.rules.number("hand_limit"),
            ally_cards=box.total() - pool - self.players,
            refilled_to=(
                self.rules.number("recruitment_pool")
                if self.mode == RECRUITMENT
                else self.rules.number("pool_refill")
            ),
            last_dragon=age.last_dragon,
        ).make()
        hands = [age.hands.get((first + i) % self.players) for i in range(self.players)]
        names = [*hands, *age.pool, *[None] * (pool - len(age.pool)), *plan]
        order: list[int | None] = []
        for name in names:
            if name == DRAGON_NAME:
                order.append(DRAGON)
            elif name is None:
                order.append(None)
            else:
                order.append(_take_out(box, name, numbers))
        rest = sorted(box.elements())
        filled = [rest.pop() if card is None else card for card in order]
        dragons = [DRAGON] * (self.rules.number("dragons") - filled.count(DRAGON))
        return filled + dragons + rest


def _take_out(box: Counter[int], name: str, numbers: Mapping[str, Sequence[int]]) -> int:
    """One copy of a named card out of the box."""
    for card in numbers.get(name, ()):
        if box[card] > 0:
            box[card] -= 1
            return card
    raise KitError(f"no {name} is left to stack")
