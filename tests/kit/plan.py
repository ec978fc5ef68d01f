"""The deck that a set of scripts needs, found by following the turns.

Only turns, hand sizes, the size of the pool, and dragons are followed, because they decide the
order of the deck. The kernel checks whether moves are legal, and the referee checks the kernel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inside.simulator.game import CHOICE, DRAW, EMPTY_BOARD, FROM_DECK, FROM_POOL, KEEP, TEN_WILD

from ethnos_sim.simulator import PARTY
from kit.answers import PASS, REFILL, Answer

DRAGON = "dragon"


class KitError(AssertionError):
    """A stacked deal or a script cannot be played as written."""


def split_turns(answers: Sequence[Answer]) -> list[list[Answer]]:
    """Cut an age's script into turns: an answer that begins a turn, and the answers after it.

    The question about the settlement board comes after the last turn and belongs to no turn.
    """
    turns: list[list[Answer]] = []
    for answer in answers:
        if answer.is_turn:
            turns.append([answer])
        elif answer.question != EMPTY_BOARD:
            turns[-1].append(answer)
    return turns


@dataclass
class AgePlan:
    """The deck of one age while it is made: cards by name, None for any card, and dragons."""

    scripts: Mapping[int, Sequence[Answer]]
    players: int
    first_player: int
    pool: int
    dragons: int
    hand_limit: int
    ally_cards: int
    refilled_to: int
    last_dragon: int | None = None
    deck: list[str | None] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)
    over: bool = False

    def make(self) -> list[str | None]:
        """Follow the turns to the last dragon; return the deck up to this dragon."""
        self.hands = [1] * self.players
        turns = {player: split_turns(answers) for player, answers in self.scripts.items()}
        player = self.first_player
        self._refill([])
        while not self.over:
            if turns.get(player):
                self._turn(player, turns[player].pop(0))
            else:
                self._draw_on(player, scripts_left=any(turns.values()))
            player = (player + 1) % self.players
        return self.deck + [None] * (self._top_half - len(self.deck))

    @property
    def _top_half(self) -> int:
        """The number of cards in the half of the deck above the half with the dragons (R2)."""
        return self.ally_cards // 2

    def _turn(self, player: int, turn: list[Answer]) -> None:
        """Follow one scripted turn."""
        answer = turn[0]
        if answer.kind == FROM_DECK:
            self.hands[player] += self._off_deck(answer.deck, 1)
        elif answer.kind == FROM_POOL:
            self.hands[player] += 1
            self.pool -= 1
        elif answer.question == TEN_WILD:
            self.over = answer.kind == CHOICE
        elif answer.question != PASS:
            self._party(player, turn)
        self._refill(turn)

    def _party(self, player: int, turn: list[Answer]) -> None:
        """Follow the parties of a turn, the discard, and the drawing power."""
        size = 0
        for answer in turn:
            if answer.kind == PARTY:
                size = len(answer.cards)
                self.hands[player] -= size
        kept = sum(len(answer.cards) for answer in turn if answer.question == KEEP)
        self.pool += self.hands[player] - kept
        self.hands[player] = kept
        for answer in turn:
            if answer.question == DRAW and answer.kind == CHOICE:
                allies = [card for card in answer.deck if card != DRAGON]
                self.hands[player] += self._off_deck(answer.deck, max(size, len(allies)))

    def _refill(self, turn: list[Answer]) -> None:
        """Move cards to the pool, as when an age begins and at the end of a turn."""
        named = [answer.deck for answer in turn if answer.question == REFILL]
        missing = self.refilled_to - self.pool
        if missing > 0 and not self.over:
            self.pool += self._off_deck(named[0] if named else (), missing)

    def _off_deck(self, named: Sequence[str], number: int) -> int:
        """Add cards that come off the deck; return the number of ally cards."""
        came = 0
        for card in named:
            if self.over or (card != DRAGON and came == number):
                raise KitError(f"{card} of {named} does not come off the deck")
            self.deck.append(card)
            if card == DRAGON:
                self.over = self.deck.count(DRAGON) == self.dragons
            else:
                came += 1
        while came < number and not self.over:
            self.deck.append(None)
            came += 1
        return came

    def _draw_on(self, player: int, scripts_left: bool) -> None:
        """Follow a turn without a script: draw any card, or the dragons once they may come.

        If the player's hand is full, the game reports that the script has no answer.
        """
        if self.hands[player] >= self.hand_limit:
            self.over = True
            return
        here = self.last_dragon in (None, player)
        if not scripts_left and here and len(self.deck) >= self._top_half:
            self._off_deck([DRAGON] * (self.dragons - self.deck.count(DRAGON)), 1)
            return
        self._turn(player, [Answer("draw on", 0, FROM_DECK)])
