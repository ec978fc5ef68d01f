"""The printed rule values in the trace's form, for the reference games."""

import copy
from typing import Any

from referee.cards import POWER_OF, SOLO_CLANS

SHARED: dict[str, Any] = {
    "party_points": [0, 0, 1, 3, 6, 10, 15],
    "hand_limit": 10,
    "party_limit": 10,
    "dragons": 3,
    "markers": 26,
    "cards_per_clan": 12,
    "pool_per_player": 2,
    "recruitment_pool": 3,
    "ten_wild_wins": False,
    "optional_marker": False,
}
PRINTED: dict[str, dict[str, Any]] = {
    "first": {
        "prestige_tokens.four_plus": [0, 4, 4, 6, 6, 10],
        "prestige_tokens.base": [0, 2, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10],
        "merfolk.last_space": 18,
        "merfolk.symbols": [3, 7, 12, 18],
        "merfolk.prestige_4_6": [1, 2, 4],
        "merfolk.prestige_2_3": [1, 3],
        "giant.on_take": 2,
        "giant.age_4_6": [2, 4, 6],
        "giant.age_2_3": [2, 5],
        "orc.settlement": [0, 1, 3, 6, 10, 15, 20],
        "troll.tokens": [1, 2, 3, 4, 5, 6],
    },
    "second": {
        "prestige_tokens.four_plus": [4, 4, 4, 6, 6, 8],
        "prestige_tokens.base": [4, 4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12],
        "koi.last_space": 18,
        "koi.symbols": [3, 7, 12, 18],
        "koi.prestige_4_6": [2, 4, 8],
        "koi.prestige_2_3": [2, 6],
        "bear.on_take": 4,
        "bear.age_4_6": [4, 8, 12],
        "bear.age_2_3": [4, 10],
        "monkey.settlement": [0, 1, 3, 6, 10, 15, 20],
        "fox.tokens": [1, 2, 3, 4, 5, 6],
        "raccoon.coins": [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3],
    },
}


def printed_rules(edition: str, **changed: Any) -> dict[str, Any]:
    """The edition's printed values; a changed value's dots are written as two underscores."""
    values = {name.replace("__", "."): value for name, value in changed.items()}
    return copy.deepcopy(SHARED | PRINTED[edition] | values)


def all_clans(edition: str, mode: str = "standard") -> list[str]:
    """The clans that can be in play."""
    return sorted(SOLO_CLANS if mode.startswith("solo") else POWER_OF[edition])
