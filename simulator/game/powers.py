"""The thirteen powers of the game, named after their effects, and custom powers.

A clan's name belongs to an edition (giant, bear); its power does not. The kernel dispatches on
these numbers, results store them, and editions are compared by them. So the order is fixed, and new
powers go to the end. Section "The leaders' powers" of docs/rules.md describes the powers in full; X
is the number of cards in the party.
"""

from enum import IntEnum


class Power(IntEnum):
    """What a party's leader does (docs/rules.md, section "The leaders' powers").

    `description` says it in one line.
    """

    description: str

    def __new__(cls, number: int, description: str = "") -> "Power":
        """Create a power from its number and its description."""
        power = int.__new__(cls, number)
        power._value_ = number
        power.description = description
        return power

    SECOND_PARTY = 0, "after placing its marker, another party may follow in the same turn"
    SCORES_LARGER = 1, "its party scores as if it held one card more"
    KEEPS_CARDS = 2, "up to X cards of the hand are kept"
    LARGEST_TOKEN = 3, "the largest party led by this clan takes a token worth prestige"
    SEA_TRACK = 4, "the marker on the sea track moves up X spaces"
    ONE_CARD_FEWER = 5, "its party counts one card more when the marker is placed"
    SETTLEMENT_BOARD = 6, "a marker of the leader's color goes on the player's own board"
    WILD = 7, "joins any party, never leads, and is gone before parties are scored"
    TIE_BREAK_TOKENS = 8, "takes a free token of at most X that breaks ties this age"
    ANY_REGION = 9, "the marker may go to any region where the party is large enough"
    DRAWS_CARDS = 10, "after the discard, X cards are drawn from the deck"
    NO_MARKER = 11, "places no marker; the clan has twice the cards"
    COINS = 12, "the lowest coin left is added to the region's first award this age"
    CUSTOM = 13, "a custom power, written in Python (docs/powers.md)"

    @property
    def label(self) -> str:
        """The power's name as words, for tables: "largest token"."""
        return self.name.lower().replace("_", " ")
