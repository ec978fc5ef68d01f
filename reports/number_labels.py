"""What single headline numbers are called in tables that hold all kinds of them."""

from __future__ import annotations

from ethnos_sim.reports.estimators.game_shape import COMEBACK_FROM
from ethnos_sim.reports.labels import clan_label

_OF_CLANS = {
    "win_lift": "win lift",
    "usage": "usage",
    "restricted_play": "power (restricted play)",
    "forced_play": "forced play",
}

_OF_SHAPE = {
    "turns": "Turns a game",
    "parties": "Parties a seat",
    "cards_in_party": "Cards a party",
    "lead_changes": "Changes of the lead a game",
    "mean_prestige": "Mean prestige of a seat",
    "prestige_spread": "Spread of prestige within a game",
    "margin": "First less second place",
    "shared_wins": "Shared wins",
    "leader_after_age_1": "Wins of the leader after age 1",
    "leader_after_age_2": "Wins of the leader after age 2",
    "comeback": f"Wins from {COMEBACK_FROM} or more points behind",
}

_OF_SOLO = {
    "solo_win_rate": "win rate against Bruno",
    "solo_margin": "margin over Bruno",
    "solo_prestige": "prestige against Bruno",
}


def number_label(definition: str, name: str) -> str:
    """A headline number in words: "Bear: power (restricted play)", "First seat: edge"."""
    if definition in _OF_CLANS:
        return f"{clan_label(name)}: {_OF_CLANS[definition]}"
    if definition == "seat_edge":
        return f"{name.capitalize()} seat: edge"
    if definition == "strategy_share":
        return f"{name}: win share"
    if definition == "skill":
        return "Skill share of the stronger strategy"
    if definition in _OF_SOLO:
        return f"{name}: {_OF_SOLO[definition]}"
    return _OF_SHAPE.get(name, f"{definition} {name}")
