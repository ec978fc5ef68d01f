"""A whole stacked game: setup, scripts by age, the deal for them, and play with a referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from inside.simulator.game import DEAL_DTYPE
from inside.simulator.rules import RECRUITMENT

from ethnos_sim.simulator import (
    DRAGON,
    REGIONS,
    SOLO,
    GameTable,
    IllegalMove,
    Power,
    Rules,
    TracedGame,
    load_rules,
    trace_game,
)
from kit.answers import Answer
from kit.plan import DRAGON as DRAGON_NAME
from kit.plan import AgePlan, KitError
from kit.player import LEADERS_SPACE, Script
from kit.refereed import PlayedGame, passed


@dataclass
class Age:
    """The settings of an age in a test."""

    scripts: Mapping[int, Sequence[Answer]]
    hands: Mapping[int, str]
    pool: Sequence[str] = ()
    columns: Sequence[str] = ()
    deck: Sequence[str | None] = ()
    last_dragon: int | None = None


class StackedGame:
    """A game that scripted players play from a stacked deal."""

    def __init__(
        self,
        rules: Rules,
        clans: Sequence[str],
        players: int = 4,
        mode: str = "standard",
        first_player: int = 0,
        tokens: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        """Set the table; `tokens` are prestige tokens by color, and missing ones are filled up."""
        self.table = GameTable(rules, players, mode, tuple(clans), ())
        self.first_player = first_player
        self.tokens = dict(tokens or {})
        self.ages: list[Age] = []
        self.cards = {
            self.table.card_name(card): card
            for card in reversed(range(REGIONS * len(self.table.slots)))
        }
        """Card numbers by name; a clan with twice the cards has the numbers of one half."""

    def age(
        self,
        scripts: Mapping[int, Sequence[Answer]] | None = None,
        *,
        hands: Mapping[int, str] | None = None,
        pool: Sequence[str] = (),
        last_dragon: int | None = None,
    ) -> StackedGame:
        """Add an age: scripts, first hands, first pool cards, and who draws the last dragon."""
        self.ages.append(Age(scripts or {}, hands or {}, pool, last_dragon=last_dragon))
        return self

    def play(self) -> PlayedGame:
        """Play the game, and let the referee check it.

        Raises:
            KitError: the deal cannot be stacked, or a script was asked another question.
            IllegalMove: a script's answer is not a legal move.
            referee.Fault: the kernel broke a rule.
        """
        ages = self.table.rules.ages(self.table.players)
        played = [*self.ages, *(Age({}, {}) for _ in range(ages))][:ages]
        firsts = [self.first_player] + [0] * (ages - 1)
        # The first player of an age, and so the deck for its scripts, is known once the age before
        # ends.
        for known in range(ages if self.table.mode in SOLO else 1, ages + 1):
            scripted = [age if number < known else Age({}, {}) for number, age in enumerate(played)]
            scripts = self._scripts(scripted, known)
            traced = self._run(scripts, self._deal(scripted, firsts))
            begun = [event for event in traced.trace["events"] if event["event"] == "age"]
            if known == ages or len(begun) <= known:
                break
            firsts[known] = begun[known]["first_player"]
        for player, script in enumerate(scripts):
            if script.left_over():
                raise KitError(f"player {player} was never asked for {script.left_over()}")
        return passed(self.table, traced)

    def _scripts(self, ages: Sequence[Age], known: int) -> list[Script]:
        """The script of every player."""
        rules = self.table.rules
        foxes = rules.clan_of(Power.TIE_BREAK_TOKENS)
        tokens = rules.numbers(foxes, "tokens") if foxes else ()
        numbers: dict[str | int, int] = {"the leader's space": LEADERS_SPACE, **self.cards}
        for named in (rules.colors, self.table.clans, tokens):
            numbers |= {name: number for number, name in enumerate(named)}
        return [
            Script([age.scripts.get(player, ()) for age in ages], known, numbers)
            for player in range(self.table.players)
        ]

    def _run(self, scripts: list[Script], deal: np.ndarray) -> TracedGame:
        """Play once; raise KitError with the script and the question if a script has no answer."""
        table = self.table
        seats = [script.seat(f"script {player}") for player, script in enumerate(scripts)]
        prepared = GameTable.prepare(table.rules, table.players, table.mode, table.clans, seats)
        try:
            return trace_game(prepared, seed=0, game=0, deal=deal)
        except IllegalMove as error:
            for player, script in enumerate(scripts):
                if script.problem():
                    raise KitError(f"player {player} {script.problem()}; {error}") from error
            raise

    def _deal(self, ages: Sequence[Age], firsts: Sequence[int]) -> np.ndarray:
        """The stacked deal (shape (1,), DEAL_DTYPE)."""
        deals = np.zeros(1, DEAL_DTYPE)
        deals[0]["first_player"] = firsts[0]
        self._deal_tokens(deals[0]["prestige_tokens"])
        for index, age in enumerate(ages):
            order = self._order(self._named(index, age, firsts[index]))
            deals[0]["order"][index, : len(order)] = order
        return deals

    def _deal_tokens(self, board: np.ndarray) -> None:
        """Place prestige tokens: the named ones, then the others, the lowest first."""
        rules = self.table.rules
        left = sorted(rules.prestige_tokens(self.table.players))
        per_region = len(left) // REGIONS
        for values in self.tokens.values():
            for value in values:
                left.remove(value)
        for region, color in enumerate(rules.colors):
            values = self.tokens.get(color)
            if values is None:
                values, left = left[:per_region], left[per_region:]
            board[region, :per_region] = sorted(values)

    def _named(self, index: int, age: Age, first: int) -> list[str | None]:
        """An age's named cards (None for any): hands from the first player on, pool, and deck."""
        rules, players = self.table.rules, self.table.players
        pool = rules.number("pool_per_player") * players
        copies = rules.number("cards_per_clan") * len(self.table.slots)
        plan = AgePlan(
            scripts=age.scripts,
            players=players,
            first_player=first,
            pool=pool,
            dragons=rules.number("dragons"),
            hand_limit=rules.number("hand_limit"),
            ally_cards=copies - rules.cards_dealt(players),
            refilled_to=rules.number(
                "recruitment_pool" if self.table.mode == RECRUITMENT else "pool_refill"
            ),
            last_dragon=age.last_dragon,
        ).make()
        hands = [age.hands.get((first + step) % players) for step in range(players)]
        return [*hands, *filled_up(age.pool, pool), *plan]

    def _order(self, named: Sequence[str | None]) -> list[int]:
        """Card numbers in dealing order: the named cards, then the dragons, then the rest."""
        rules = self.table.rules
        copies = rules.number("cards_per_clan") // REGIONS
        box = Counter(dict.fromkeys(range(REGIONS * len(self.table.slots)), copies))
        stacked = [None if name is None else self._taken(box, name) for name in named]
        rest = sorted(box.elements())
        dragons = [DRAGON] * (rules.number("dragons") - stacked.count(DRAGON))
        return [rest.pop() if card is None else card for card in stacked] + dragons + rest

    def _taken(self, box: Counter[int], name: str) -> int:
        """Take one copy of a named card out of the box, or return a dragon (none is in the box)."""
        if name == DRAGON_NAME:
            return DRAGON
        card = self.cards[name]
        if box[card] == 0:
            raise KitError(f"no {name} is left to stack")
        box[card] -= 1
        return card


def filled_up(named: Sequence[str], number: int) -> list[str | None]:
    """The named cards, filled up to `number` with None, which stands for any card."""
    return [*named, *[None] * (number - len(named))]


#: Clans whose leaders ask no question of a player with an empty hand.
QUIET_CLANS = {
    "first": ("dwarf", "minotaur", "elf", "centaur"),
    "second": ("rabbit", "tiger", "red_panda", "owl"),
}

#: Lets players who wait for the dragons go on drawing.
LARGE_HANDS = "hand_limit=15"

#: With two players the deck is long for two hands; a larger pool makes it shorter.
LARGE_POOL = "pool_per_player=4"


def quiet_game(
    *others: str,
    edition: str = "second",
    players: int = 4,
    overrides: Sequence[str] = (),
    **settings: object,
) -> StackedGame:
    """A game with the quiet clans and `others`: two clans for four and more players, else one."""
    long = [LARGE_HANDS, LARGE_POOL] if players == 2 else [LARGE_HANDS]
    rules = load_rules(edition, overrides=[*long, *overrides])
    return StackedGame(rules, (*QUIET_CLANS[edition], *others), players, **settings)
