"""Rewards at the end of a game."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.game.records import SIXTIETHS

REWARDS = ("win", "margin")

ILLEGAL = {"win": -1.0, "margin": -100.0}
"""The reward of an illegal action, which ends the game. It is lower than all other rewards."""


def rewards_of(name: str, seats: np.ndarray) -> np.ndarray:
    """The rewards of finished games.

    Args:
        name: `win`: the share of the win, 0 to 1; `margin`: prestige ahead of the best other side.
        seats: results, SEAT_DTYPE, shape (games, sides).

    Returns:
        float32, shape (games, sides).
    """
    if name == "win":
        return (seats["won"] / SIXTIETHS).astype(np.float32)
    prestige = seats["prestige"].astype(np.float32)
    best_two = np.sort(prestige, axis=1)[:, -2:]
    best_other = np.where(prestige == best_two[:, 1:], best_two[:, :1], best_two[:, 1:])
    return prestige - best_other
