"""The modes a game can be played in, and what each means for a table."""

from __future__ import annotations

from ethnos_sim.simulator.errors import InvalidGame, nearest

STANDARD = "standard"
RECRUITMENT = "recruitment"

#: Modes that can be played, in the order in which reports show them.
MODES = (STANDARD, RECRUITMENT)


def check_mode(mode: str) -> str:
    """The mode's name; InvalidGame with the nearest known name otherwise."""
    if mode not in MODES:
        raise InvalidGame(f"unknown mode '{mode}'{nearest(mode, MODES)}")
    return mode
