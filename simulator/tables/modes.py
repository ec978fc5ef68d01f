"""The modes of a game, and the numbers of players that they allow."""

from __future__ import annotations

from ethnos_sim.simulator.game.records import MAX_PLAYERS, SOLO_EASY, SOLO_HARD, SOLO_REGULAR
from ethnos_sim.simulator.rules.editions import EDITIONS, edition_rules
from ethnos_sim.simulator.rules.rule_set import MODES, RECRUITMENT, SOLO_MODES, STANDARD
from ethnos_sim.simulator.utilities.errors import InvalidGame, name_hint

__all__ = ["MODES", "RECRUITMENT", "SOLO", "STANDARD"]

#: The kernel's number for the difficulty of each solo mode (`view.solo`).
SOLO = dict(zip(SOLO_MODES, (SOLO_EASY, SOLO_REGULAR, SOLO_HARD), strict=True))

#: The edition and the clans of the solo mode (rules: "Solo mode").
SOLO_EDITION = next(name for name in EDITIONS if edition_rules(name).solo_clans)
SOLO_CLANS = edition_rules(SOLO_EDITION).solo_clans


def check_mode(mode: str) -> str:
    """Return the mode's name; InvalidGame with the nearest known name if it is unknown."""
    if mode not in MODES:
        raise InvalidGame(f"unknown mode '{mode}'{name_hint(mode, MODES)}")
    return mode


def default_players(mode: str) -> int:
    """The number of players if a user gives no number: 1 in the solo modes, else 4."""
    return 1 if mode in SOLO else 4


def check_players(players: int, mode: str, edition: str) -> int:
    """Return the number of players; InvalidGame if the mode does not allow it."""
    if mode in SOLO:
        if players != 1:
            raise InvalidGame(f"mode '{mode}' is for 1 player, not {players}")
        if edition != SOLO_EDITION:
            raise InvalidGame(f"mode '{mode}' belongs to the {SOLO_EDITION} edition only")
    elif players == 1:
        raise InvalidGame(f"1 player plays a solo mode ({', '.join(SOLO)}), not '{mode}'")
    elif not 2 <= players <= MAX_PLAYERS:
        raise InvalidGame(f"{players} players cannot play; Ethnos takes 1 to {MAX_PLAYERS}")
    return players
