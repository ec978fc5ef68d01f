"""The answers of scripted players: a readable answer for each question of the game.

Cards are written "clan:color" and stand for one card each; "dragon" is a dragon of the deck.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inside.simulator.game import (
    BRUNO_CARD,
    BRUNO_LEADER,
    BRUNO_REGION,
    BRUNO_RELEASE,
    BRUNO_STEAL,
    CARDS,
    CHOICE,
    DECLINE,
    DRAW,
    EMPTY_BOARD,
    FROM_DECK,
    FROM_POOL,
    KEEP,
    REGION,
    SEA_REGION,
    SETTLE,
    TEN_WILD,
    TOKEN,
    TURN,
)

from ethnos_sim.simulator import DECISIONS, PARTY, SECOND_PARTY

#: Entries of a script that answer no question: a turn that passes, and a refill of the pool.
PASS = -2
REFILL = -3


@dataclass(frozen=True)
class Answer:
    """An answer, or something that happens in a turn.

    `question` is one of the numbers of `records.DECISIONS`, or PASS or REFILL; `choice` is a color,
    a card or a token's value; `deck` holds the cards that the answer takes off the deck, in order.
    """

    text: str
    question: int
    kind: int
    cards: tuple[str, ...] = ()
    leader: str | None = None
    choice: str | int | None = None
    deck: tuple[str, ...] = ()
    planes: tuple[int, int] | None = None

    @property
    def is_turn(self) -> bool:
        """Whether this answer begins a turn."""
        return self.question in (TURN, PASS, TEN_WILD)


def draw(*deck: str) -> Answer:
    """Recruit from the deck: the dragons in `deck` come first, then its card, else any card."""
    return Answer(f"draw{deck}", TURN, FROM_DECK, deck=deck)


def take(card: str) -> Answer:
    """Recruit a card of the pool."""
    return Answer(f"take({card})", TURN, FROM_POOL, choice=card)


def play(*cards: str, leader: str | None = None) -> Answer:
    """Play a party; its first card leads unless another one is named."""
    return Answer(f"play{cards}", TURN, PARTY, cards, leader or cards[0])


def then_play(*cards: str, leader: str | None = None) -> Answer:
    """Play another party in the same turn."""
    return Answer(f"then_play{cards}", SECOND_PARTY, PARTY, cards, leader or cards[0])


def gather_and_play(*cards: str, leader: str | None = None) -> list[Answer]:
    """Draw the cards, one per turn, then play them."""
    return [*(draw(card) for card in cards), play(*cards, leader=leader)]


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


def choosing(question: int) -> Callable[..., Answer]:
    """Return a function that answers a question by a choice: a color, card, clan or token."""

    def answer(choice: str | int = 0) -> Answer:
        return Answer(f"{DECISIONS[question]}({choice})", question, CHOICE, choice=choice)

    return answer


#: Place the marker of step 1 in a region.
region = choosing(REGION)

#: Place an extra marker of the sea track in a region.
sea_region = choosing(SEA_REGION)

#: Take the free tie-break token that has this value.
token = choosing(TOKEN)

#: Empty the settlement board at the age's end.
empty_board = choosing(EMPTY_BOARD)

#: Play a full hand of wild cards and win.
win = choosing(TEN_WILD)

#: Give Bruno a card of the pool or a discarded one.
give = choosing(BRUNO_CARD)

#: Let a clan lead Bruno's party.
lead = choosing(BRUNO_LEADER)

#: Put Bruno's extra marker, settlement marker or coin in a region.
bruno_region = choosing(BRUNO_REGION)

#: Take a card from Bruno's columns.
release = choosing(BRUNO_RELEASE)

#: Take the card that leaves Bruno's columns into the hand.
steal = choosing(BRUNO_STEAL)


def settle() -> Answer:
    """Place a marker on the settlement board."""
    return Answer("settle()", SETTLE, CHOICE, choice="the leader's space")


def keep(*cards: str) -> Answer:
    """Keep these cards in the hand."""
    return Answer(f"keep{cards}", KEEP, CARDS, cards)


def draw_cards(*deck: str) -> Answer:
    """Use the drawing power; `deck` lists the cards that come, dragons among them."""
    return Answer(f"draw_cards{deck}", DRAW, CHOICE, choice=0, deck=deck)


def decline(question: str) -> Answer:
    """Decline a question, given by its name in `records.DECISIONS`."""
    return Answer(f"decline({question})", DECISIONS.index(question), DECLINE)


def pass_turn() -> Answer:
    """A turn that passes without a question, because the hand is full of wild cards."""
    return Answer("pass_turn()", PASS, DECLINE)


def refill(*deck: str) -> Answer:
    """The cards that the Recruitment variant adds to the pool at the turn's end."""
    return Answer(f"refill{deck}", REFILL, DECLINE, deck=deck)


def raw(
    question: str,
    kind: int,
    choice: int = 0,
    leader: str | None = None,
    planes: tuple[int, int] = (0, 0),
) -> Answer:
    """An answer as bare numbers, for answers that no other function can make."""
    number = DECISIONS.index(question)
    return Answer(f"raw({question}, {kind})", number, kind, (), leader, choice, planes=planes)
