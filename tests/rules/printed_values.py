"""The printed rule values in the trace's form, for the reference games."""

import copy
from typing import Any

from referee.cards import POWER_OF, SOLO_CLANS, Power

SHARED: dict[str, Any] = {
    "ages_2_3": 2,
    "ages_4_6": 3,
    "clans_2_3": 5,
    "clans_4_6": 6,
    "party_points": [0, 0, 1, 3, 6, 10, 15],
    "hand_limit": 10,
    "party_limit": 10,
    "dragons": 3,
    "last_dragon": 0,
    "markers": 26,
    "markers_needed": 1,
    "cards_per_clan": 12,
    "pool_per_player": 2,
    "pool_refill": 0,
    "recruitment_pool": 3,
    "pays.age_1": [1],
    "pays.age_2": [2, 1],
    "pays.age_3": [3, 2, 1],
    "two_players.both_markers": True,
    "two_players.winner_takes_all": True,
    "ten_wild_wins": False,
    "optional_marker": False,
    "optional_power": False,
    "tokens_break_all_ties": False,
    "wild_breaks_ties": False,
}
SOLO: dict[str, Any] = {
    "bruno.fires_at": [5, 5, 4, 4, 0, 0],
    "bruno.cards": 3,
    "bruno.cards_each_age": True,
    "bruno.none_is_tie": True,
}
PLAIN: dict[str, Any] = {
    "times_cards": 1,
    "places_marker": True,
    "marker_bonus": 0,
    "score_bonus": 0,
}
REACH: dict[str, Any] = {"per_card": 1, "more": 0, "needs_marker": False}
OF_POWER: dict[Power, dict[str, Any]] = {
    Power.SECOND_PARTY: {"follow_ups": 15, "needs_marker": True},
    Power.SCORES_LARGER: {"score_bonus": 1},
    Power.KEEPS_CARDS: REACH,
    Power.LARGEST_TOKEN: {"margin": 1, "needs_marker": False},
    Power.SEA_TRACK: REACH | {"each_symbol": True, "winner_only": False},
    Power.ONE_CARD_FEWER: {"marker_bonus": 1},
    Power.SETTLEMENT_BOARD: {"needs_marker": False},
    Power.TIE_BREAK_TOKENS: REACH,
    Power.DRAWS_CARDS: REACH,
    Power.NO_MARKER: {"places_marker": False, "times_cards": 2},
    Power.COINS: {"needs_marker": False},
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
    clans: dict[str, Any] = {}
    for clan, power in POWER_OF[edition].items():
        own = PLAIN | OF_POWER.get(power, {})
        if power is Power.WILD:
            own = {"times_cards": 1, "scored": False}
        clans |= {f"{clan}.{name}": value for name, value in own.items()}
    solo = SOLO if edition == "second" else {}
    return copy.deepcopy(SHARED | solo | clans | PRINTED[edition] | values)


def all_clans(edition: str, mode: str = "standard") -> list[str]:
    """The clans that can be in play."""
    return sorted(SOLO_CLANS if mode.startswith("solo") else POWER_OF[edition])
