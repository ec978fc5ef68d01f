"""Clans, powers, colors and cards of both editions, with the names of the rules' table."""

from enum import Enum
from typing import Any

DRAGON = "dragon"


class Power(Enum):
    """The power of a clan's leader."""

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
    CUSTOM = "a custom power"


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


def powers_of(edition: str, rules: dict[str, Any]) -> dict[str, Power]:
    """The power of every clan, with the changes of the game's rules."""
    powers = dict(POWER_OF[edition])
    for name, change in rules.items():
        group, _, clan = name.partition(".")
        if group != "clans":
            continue
        if change is False:
            del powers[clan]
        else:
            powers[clan] = Power.CUSTOM if ".py:" in change else Power[change.upper()]
    return powers


COLORS = {
    "first": ("orange", "blue", "red", "purple", "green", "grey"),
    "second": ("white", "green", "yellow", "black", "red", "blue"),
}

SOLO_CLANS = ("koi", "rabbit", "raven", "bear", "monkey", "raccoon")


def clan_of(card: str) -> str:
    """The clan of a card written "clan:color"."""
    return card.split(":")[0]


def color_of(card: str) -> str:
    """The color of a card written "clan:color"."""
    return card.split(":")[1]


def cards_of(colors: tuple[str, ...], clans: list[str], rules: dict[str, Any]) -> list[str]:
    """All ally cards of the clans in play, sorted; some clans have several times the cards."""
    cards = []
    for clan in clans:
        number = rules[f"{clan}.times_cards"] * rules["cards_per_clan"]
        cards += [f"{clan}:{color}" for color in colors] * (number // len(colors))
    return sorted(cards)
