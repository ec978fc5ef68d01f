"""Stacked games: scripts of answers, and a deal in which the cards come as the scripts say.

    game = quiet_game("fox", "bear")
    game.age({0: [draw("rabbit:green"), play("rabbit:green"), ...], 1: [...]})
    played = game.play()

A script is a list of answers in the order in which they are needed. The engine calls the game for
every answer, as it calls a strategy's code. An answer names cards that come off the deck; they
change places with the cards that lie there. So the game is played again until its deal no longer
changes. When all scripts of an age are done, the players draw until the dragons end the age.

Cards are written "clan:color" and stand for one card each; "dragon" is a dragon of the deck.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from inside.simulator.game import (
    CARDS,
    CHOICE,
    DEAL_DTYPE,
    DECLINE,
    FROM_DECK,
    FROM_POOL,
    HIDDEN_DTYPE,
    MOVE_DTYPE,
)
from watching import ALL_QUESTIONS, CALL, cards_in

from ethnos_sim.simulator import (
    DECISIONS,
    DRAGON,
    NONE,
    OWN_DTYPE,
    PARTY,
    REGIONS,
    SOLO_CLANS,
    VIEW_DTYPE,
    GameTable,
    IllegalMove,
    NoAnswer,
    Power,
    Rules,
    Seat,
    load_rules,
    trace_game,
)
from kit.refereed import PlayedGame, passed


class KitError(AssertionError):
    """A deal or a script cannot be played as written."""


@dataclass(frozen=True)
class Answer:
    """An answer to a question, which has its name of `DECISIONS`.

    `choice` is a color, a card, a clan or a token's value, None for the first option. `deck` names
    the cards that come off the deck before the next question, in order. `planes` are the cards of
    an answer in bare numbers.
    """

    question: str
    kind: int
    cards: tuple[str, ...] = ()
    leader: str | None = None
    choice: str | int | None = None
    deck: tuple[str, ...] = ()
    planes: tuple[int, int] | None = None


def draw(*deck: str) -> Answer:
    """Recruit from the deck: the dragons in `deck` come first, then its card, else any card."""
    return Answer("turn", FROM_DECK, deck=deck)


def take(card: str, *deck: str) -> Answer:
    """Recruit a card of the pool; `deck` are the cards that the Recruitment variant then adds."""
    return Answer("turn", FROM_POOL, choice=card, deck=deck)


def play(*cards: str, leader: str | None = None) -> Answer:
    """Play a party; its first card leads unless another one is named."""
    return Answer("turn", PARTY, cards, leader or cards[0])


def then_play(*cards: str) -> Answer:
    """Play another party in the same turn; its first card leads."""
    return Answer("second_party", PARTY, cards, cards[0])


def gather_and_play(*cards: str) -> list[Answer]:
    """Draw the cards, one per turn, then play them."""
    return [*map(draw, cards), play(*cards)]


def build_up(color: str, markers: int, clans: Sequence[str]) -> list[Answer]:
    """Place the first markers of a region by parties of 1, 2, ... cards of its color.

    Each of the clans in turn gives two cards of the color. Their powers should ask no question of a
    player with an empty hand.
    """
    cards = [f"{clan}:{color}" for clan in clans for _ in range(2)]
    answers: list[Answer] = []
    for size in range(1, markers + 1):
        answers += gather_and_play(*cards[:size])
        cards = cards[size:]
    return answers


def choosing(question: str) -> Callable[[str | int | None], Answer]:
    """Return a function that answers a question by a choice: a color, card, clan or token."""
    return lambda choice=None: Answer(question, CHOICE, choice=choice)


#: Place the marker of step 1, or an extra marker of the sea track, in a region.
region, sea_region = choosing("region"), choosing("sea_region")

#: Take the free tie-break token that has this value.
token = choosing("token")

#: Without a choice: place a marker on the settlement board, empty the board at the age's end, and
#: play a full hand of wild cards and win.
settle, empty_board, win = choosing("settle"), choosing("empty_board"), choosing("ten_wild")

#: For Bruno: give him a card, let a clan lead, choose a region, and release a card of his columns.
give, lead = choosing("bruno_card"), choosing("bruno_leader")
bruno_region, release = choosing("bruno_region"), choosing("bruno_release")

#: Take the card that leaves Bruno's columns into the hand.
steal = choosing("bruno_steal")


def keep(*cards: str) -> Answer:
    """Keep these cards in the hand."""
    return Answer("keep", CARDS, cards)


def draw_cards(*deck: str) -> Answer:
    """Use the drawing power; `deck` lists the cards that come, dragons among them."""
    return Answer("draw", CHOICE, deck=deck)


def decline(question: str) -> Answer:
    """Decline a question, given by its name."""
    return Answer(question, DECLINE)


def raw(
    question: str,
    kind: int,
    choice: int = 0,
    leader: str | None = None,
    planes: tuple[int, int] = (0, 0),
) -> Answer:
    """An answer in bare numbers, for answers that no other function can make."""
    return Answer(question, kind, (), leader, choice, planes=planes)


@dataclass
class Age:
    """What a test says of an age: scripts and first hands by player, the first pool, Bruno's cards.

    `deck` is the top of the deck. None in a list of cards stands for any card.
    """

    scripts: Mapping[int, Sequence[Answer]] = field(default_factory=dict)
    hands: Mapping[int, str] = field(default_factory=dict)
    pool: Sequence[str] = ()
    columns: Sequence[str] = ()
    deck: Sequence[str | None] = ()


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
        self._called = CALL(self._call)
        address = ctypes.cast(self._called, ctypes.c_void_p).value or 0
        seats = [Seat(f"script {p}", address, address, ALL_QUESTIONS) for p in range(players)]
        self.table = GameTable.prepare(rules, players, mode, tuple(clans), seats)
        self.ages: list[Age] = []
        self._numbers = self._numbers_of_names()
        self._deal = np.zeros(1, DEAL_DTYPE)
        self._deal["first_player"] = first_player
        self._lay_tokens(tokens or {})
        #: The first player of each age whose cards are stacked.
        self._stacked: dict[int, int] = {}
        self._scripts: dict[int, list[list[Answer]]] = {}
        self._changed = False

    def _numbers_of_names(self) -> dict[str | int, int]:
        """The numbers of what a script names; a clan with twice the cards has those of one half."""
        rules, table = self.table.rules, self.table
        foxes = rules.clan_of(Power.TIE_BREAK_TOKENS)
        numbers: dict[str | int, int] = {"dragon": DRAGON}
        for card in reversed(range(REGIONS * len(table.slots))):
            numbers[table.card_name(card)] = card
        for names in (rules.colors, table.clans, rules.numbers(foxes, "tokens") if foxes else ()):
            numbers |= {name: number for number, name in enumerate(names)}
        return numbers

    def _lay_tokens(self, named: Mapping[str, Sequence[int]]) -> None:
        """Lay prestige tokens: the named ones, then the others, the lowest first."""
        rules = self.table.rules
        left = sorted(rules.prestige_tokens(self.table.players))
        per_region = len(left) // REGIONS
        for values in named.values():
            for value in values:
                left.remove(value)
        for number, color in enumerate(rules.colors):
            values = named.get(color)
            if values is None:
                values, left = left[:per_region], left[per_region:]
            self._deal["prestige_tokens"][0, number, :per_region] = sorted(values)

    def age(self, *scripts: Mapping[int, Sequence[Answer]], **stacked: Any) -> StackedGame:
        """Add an `Age`."""
        self.ages.append(Age(*scripts, **stacked))
        return self

    def play(self) -> PlayedGame:
        """Play the game, and let the referee check it.

        Raises:
            KitError: the deal cannot be stacked, or a script was asked another question.
            IllegalMove: a script's answer is not a legal move.
            referee.Fault: the kernel broke a rule.
        """
        players = range(self.table.players)
        while len(self.ages) < self.table.rules.ages(self.table.players):
            self.age()
        self._changed = True
        while self._changed:
            self._changed = False
            self._scripts = {
                number: [list(age.scripts.get(player, ())) for player in players]
                for number, age in enumerate(self.ages, 1)
            }
            try:
                traced = trace_game(self.table, seed=0, game=0, deal=self._deal)
            except NoAnswer as error:
                raise error.__cause__ or error from None
            except IllegalMove:
                if not self._changed:
                    raise
        for by_player in self._scripts.values():
            for player, left in enumerate(by_player):
                if left:
                    raise KitError(f"player {player} was never asked for {left}")
        return passed(self.table, traced)

    def _call(self, view_at: int, move_at: int, own_at: int) -> None:
        """Answer for the engine, given the addresses of three records.

        The game stops without an answer, as when an age's cards are stacked for its first player.
        """
        view = record_at(view_at, VIEW_DTYPE)
        before = HIDDEN_DTYPE.fields["own"][1] + int(view["player"]) * OWN_DTYPE.itemsize
        hidden = record_at(own_at - before, HIDDEN_DTYPE)
        if self._stacked.get(int(view["age"])) == view["first_player"]:
            answer = self._answer(view, hidden)
            self._bring_up(answer.deck, view, hidden)
            self._write(answer, view, record_at(move_at, MOVE_DTYPE))
        else:
            self._stack(view)

    def _stack(self, view: Any) -> None:
        """Put an age's cards in order: named cards, others, cards that scripts name, dragons."""
        age, players = self.ages[view["age"] - 1], self.table.players
        first = self._stacked[int(view["age"])] = int(view["first_player"])
        rules = view["rules"]
        box = Counter(dict.fromkeys(cards_in(view["all_cards"], 0), int(rules["copies"])))
        box[DRAGON] = int(rules["dragons"])

        def taken(name: str | None) -> int | None:
            number = None if name is None else self._numbers[name]
            box[number] -= 1
            if number is not None and box[number] < 0:
                raise KitError(f"no {name} is left to stack")
            return number

        named = [
            *(age.hands.get((first + place) % players) for place in range(players)),
            *filled_up(age.pool, rules["first_pool"]),
            *filled_up(age.columns, rules["bruno_cards"][view["age"] - 1]),
            *age.deck,
        ]
        top = [taken(name) for name in named]
        answers = [answer for script in age.scripts.values() for answer in script]
        later = [taken(name) for answer in answers for name in answer.deck if name != "dragon"]
        dragons = [DRAGON] * box.pop(DRAGON)
        rest = sorted(box.elements())
        order = [rest.pop() if card is None else card for card in top]
        order += [*reversed(rest), *later, *dragons]
        self._deal["order"][0, view["age"] - 1, : len(order)] = order
        self._changed = True

    def _answer(self, view: Any, hidden: Any) -> Answer:
        """The player's next answer."""
        question, player = DECISIONS[view["decision"]], int(view["player"])
        scripts = self._scripts[int(view["age"])]
        script = scripts[player]
        room = view["hand_cards"][player] < view["rules"]["hand_limit"]
        if question == "turn" and is_done(script) and room:
            return self._draw_on(view, hidden, all(map(is_done, scripts)))
        if script and script[0].question == question:
            return script.pop(0)
        if question.startswith("bruno"):
            return Answer(question, DECLINE if question == "bruno_steal" else CHOICE)
        following = f"goes on with '{script[0].question}'" if script else "is over"
        raise KitError(f"player {player} is asked '{question}', but its script {following}")

    def _draw_on(self, view: Any, hidden: Any, all_done: bool) -> Answer:
        """Draw any card; when all scripts are done, the dragons as soon as they may lie there."""
        rules, age = view["rules"], view["age"] - 1
        above = self._cards(view) - rules["dragons_part"][age]
        left = int(rules["dragons"] - view["dragons_seen"])
        return draw(*["dragon"] * (left if all_done and hidden["next_card"] >= above else 0))

    @staticmethod
    def _cards(view: Any) -> int:
        """The number of cards in an age, dragons included."""
        rules = view["rules"]
        return int(view["all_cards"]).bit_count() * int(rules["copies"]) + int(rules["dragons"])

    def _bring_up(self, named: Sequence[str], view: Any, hidden: Any) -> None:
        """Let the named cards change places with those that come next, also in this game."""
        age = view["age"] - 1
        order = self._deal["order"][0, age]
        for place, name in enumerate(named, int(hidden["next_card"])):
            lying = np.flatnonzero(order[place : self._cards(view)] == self._numbers[name])
            if not lying.size:
                raise KitError(f"no {name} is left in the deck")
            if lying[0]:
                other = place + lying[0]
                order[place], order[other] = order[other], order[place]
                self._changed = True
        hidden["deal"]["order"][age] = order

    def _write(self, answer: Answer, view: Any, move: Any) -> None:
        """Write an answer as the engine's numbers."""
        cards = Counter(self._numbers[card] for card in answer.cards)
        once = sum(1 << card for card in cards)
        twice = sum(1 << card for card, copies in cards.items() if copies > 1)
        among_cards = answer.question in ("bruno_card", "bruno_release")
        options = int(view["offered_once" if among_cards else "options"])
        choice = answer.choice
        if choice is None:
            choice = max((options & -options).bit_length() - 1, 0)
        elif answer.planes is None:
            choice = self._numbers[choice]
        move["kind"], move["choice"] = answer.kind, choice
        move["leader"] = NONE if answer.leader is None else self._numbers[answer.leader]
        move["once"], move["twice"] = answer.planes or (once, twice)


def record_at(address: int, dtype: np.dtype) -> Any:
    """The record at an address."""
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)[0]


def filled_up(named: Sequence[str], number: int) -> list[str | None]:
    """The named cards, filled up to `number` with None, which stands for any card."""
    return [*named, *[None] * (int(number) - len(named))]


def is_done(script: Sequence[Answer]) -> bool:
    """Whether an age's script has no turn left; an answer for the age's end is no turn."""
    return not script or script[0].question == "empty_board"


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
    **settings: Any,
) -> StackedGame:
    """A game with the quiet clans and `others`: two clans for four and more players, else one."""
    long = [LARGE_HANDS, LARGE_POOL] if players == 2 else [LARGE_HANDS]
    rules = load_rules(edition, overrides=[*long, *overrides])
    return StackedGame(rules, (*QUIET_CLANS[edition], *others), players, **settings)


#: One card of each clan and color, so that the dragons are near in solo, and large hands.
SMALL = ("cards_per_clan=6", LARGE_HANDS)

#: First cards of Bruno's, and a first pool, that make no column fire.
QUIET: dict[str, Any] = {
    "columns": ("bear:yellow", "koi:yellow", "bear:black"),
    "pool": ("bear:white", "koi:white", "bear:green", "koi:green"),
}

#: The prestige tokens of each color in solo, after the exchange.
TOKENS = {
    "white": (4, 4), "green": (4, 6), "yellow": (6, 6), "black": (8, 8), "red": (8, 12),
    "blue": (10, 10),
}  # fmt: skip


def gifts(*cards: str) -> list[Answer]:
    """Draw one card per turn, and each time give Bruno one of these cards."""
    return [answer for card in cards for answer in (draw(), give(card))]


def solo_game(
    *script: Answer,
    mode: str = "solo-regular",
    overrides: Sequence[str] = (),
    hand: str | None = None,
    **stacked: Any,
) -> PlayedGame:
    """Play a stacked solo game against Bruno; the hand and the script are of the first `Age`.

    Cards that come off the deck in any way are those of `deck`, in order. Questions about Bruno
    that the script does not answer get the first choice, and no card is stolen.
    """
    rules = load_rules("second", overrides=[*SMALL, *overrides])
    table = StackedGame(rules, SOLO_CLANS, 1, mode, tokens=TOKENS)
    hands = {} if hand is None else {0: hand}
    return table.age({0: script}, hands=hands, **QUIET | stacked).age(**QUIET).play()
