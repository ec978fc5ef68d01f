"""Clans, powers, colors and cards of both editions, as the rules' table names them."""

from enum import Enum

DRAGON = "dragon"


class Power(Enum):
    """What a leader of a clan does."""

    SECOND_PARTY = "a second party"
    SCORES_LARGER = "scores one card larger"
    KEEPS_CARDS = "keeps cards"
    LARGEST_TOKEN = "largest party token"
    SEA_TRACK = "sea track"
    ONE_CARD_FEWER = "one card fewer"
    SETTLEMENT_BOARD = "own settlement board"
    WILD = "wild, never leads"
    TIE_BREAK_TOKENS = "tie-break tokens"
    ANY_REGION = "any region"
    DRAWS_CARDS = "draws cards"
    NO_MARKER = "no marker, twice the cards"
    COINS = "coins on regions"


POWER_OF = {
    "first": {
        "centaur": Power.SECOND_PARTY,
        "dwarf": Power.SCORES_LARGER,
        "elf": Power.KEEPS_CARDS,
        "giant": Power.LARGEST_TOKEN,
        "merfolk": Power.SEA_TRACK,
        "minotaur": Power.ONE_CARD_FEWER,
        "orc": Power.SETTLEMENT_BOARD,
        "skeleton": Power.WILD,
        "troll": Power.TIE_BREAK_TOKENS,
        "wingfolk": Power.ANY_REGION,
        "wizard": Power.DRAWS_CARDS,
        "halfling": Power.NO_MARKER,
    },
    "second": {
        "owl": Power.SECOND_PARTY,
        "rabbit": Power.SCORES_LARGER,
        "red_panda": Power.KEEPS_CARDS,
        "bear": Power.LARGEST_TOKEN,
        "koi": Power.SEA_TRACK,
        "tiger": Power.ONE_CARD_FEWER,
        "monkey": Power.SETTLEMENT_BOARD,
        "dog": Power.WILD,
        "fox": Power.TIE_BREAK_TOKENS,
        "deer": Power.ANY_REGION,
        "raven": Power.DRAWS_CARDS,
        "raccoon": Power.COINS,
    },
}

COLORS = {
    "first": ("orange", "blue", "red", "purple", "green", "grey"),
    "second": ("white", "green", "yellow", "black", "red", "blue"),
}

SOLO_CLANS = ("koi", "rabbit", "raven", "bear", "monkey", "raccoon")
BRUNO_COLUMNS = ("white", "green", "yellow", "black", "red", "blue")


def clan_of(card: str) -> str:
    """The clan of a card written "clan:color"."""
    return card.split(":")[0]


def color_of(card: str) -> str:
    """The color of a card written "clan:color"."""
    return card.split(":")[1]


def cards_of(edition: str, clans: list[str], cards_per_clan: int) -> list[str]:
    """All ally cards of the clans in play, sorted; the no-marker clan brings twice the cards."""
    cards = []
    for clan in clans:
        twice = 2 if POWER_OF[edition][clan] is Power.NO_MARKER else 1
        copies = twice * cards_per_clan // len(COLORS[edition])
        cards += [f"{clan}:{color}" for color in COLORS[edition]] * copies
    return sorted(cards)
