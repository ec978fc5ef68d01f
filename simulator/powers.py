"""The thirteen powers of the game, by what they do and not by who has them; and those of one's own.

A clan's name belongs to an edition (giant, bear); its power does not. The kernel dispatches on
these numbers, results store them, and two editions are compared by them, so the order is fixed:
new powers go to the end. The powers are described in full in docs/rules.md, section "The leaders'
powers"; X is the number of cards in the party.
"""

from enum import IntEnum


class Power(IntEnum):
    """What a party's leader does (docs/rules.md, section "The leaders' powers")."""

    SECOND_PARTY = 0
    SCORES_LARGER = 1
    KEEPS_CARDS = 2
    LARGEST_TOKEN = 3
    SEA_TRACK = 4
    ONE_CARD_FEWER = 5
    SETTLEMENT_BOARD = 6
    WILD = 7
    TIE_BREAK_TOKENS = 8
    ANY_REGION = 9
    DRAWS_CARDS = 10
    NO_MARKER = 11
    COINS = 12
    CUSTOM = 13

    @property
    def label(self) -> str:
        """The power's name as words, for tables: "largest token"."""
        return self.name.lower().replace("_", " ")

    @property
    def description(self) -> str:
        """What the power does, in one line."""
        return DESCRIPTIONS[self]


DESCRIPTIONS: dict[Power, str] = {
    Power.SECOND_PARTY: "after placing its marker, another party may follow in the same turn",
    Power.SCORES_LARGER: "its party scores as if it held one card more",
    Power.KEEPS_CARDS: "up to X cards of the hand are kept",
    Power.LARGEST_TOKEN: "the largest party led by this clan takes a token worth prestige",
    Power.SEA_TRACK: "the marker on the sea track moves up X spaces",
    Power.ONE_CARD_FEWER: "its party counts one card more when the marker is placed",
    Power.SETTLEMENT_BOARD: "a marker of the leader's color goes on the player's own board",
    Power.WILD: "joins any party, never leads, and is gone before parties are scored",
    Power.TIE_BREAK_TOKENS: "takes a free token of at most X that breaks ties this age",
    Power.ANY_REGION: "the marker may go to any region where the party is large enough",
    Power.DRAWS_CARDS: "after the discard, X cards are drawn from the deck",
    Power.NO_MARKER: "places no marker; the clan has twice the cards",
    Power.COINS: "the lowest coin left is added to the region's first award this age",
    Power.CUSTOM: "a custom power, written in Python (docs/powers.md)",
}
