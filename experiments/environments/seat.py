"""One seat of the table as a Gymnasium environment.

The environment plays the other seats, so an agent sees only its own decisions. The action mask of
the open question is in `info["action_mask"]` (int8, as `Discrete.sample(mask)` takes it). An
illegal action ends the game with a loss and sets `info["illegal_action"]`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.stepping.actions import ACTIONS
from ethnos_sim.simulator.stepping.observations import OBSERVATIONS
from ethnos_sim.simulator.stepping.stepper import Stepper

LARGEST_SEED = 2**31

#: The reward of an illegal action, which ends the game.
ILLEGAL_REWARD = -1.0


def observation_box() -> gymnasium.spaces.Box:
    """The space of one observation: whole numbers, listed in `stepping.observations.BLOCKS`."""
    return gymnasium.spaces.Box(0, np.iinfo(np.int16).max, (OBSERVATIONS,), np.int16)


def win_shares(stepper: Stepper) -> list[float]:
    """The share of the win (0 to 1) of each side in a stepper's only game, which is finished."""
    shares: list[float] = (stepper.seats["won"][0] / SIXTIETHS).tolist()
    return shares


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One game at a time, with one seat played by the caller."""

    metadata = {"render_modes": []}

    def __init__(self, stepper: Stepper) -> None:
        """Wrap a stepper of one game whose table leaves one seat to the caller."""
        self.stepper = stepper
        self.observation_space = observation_box()
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)
        self._seed: int | None = None
        self._next_game = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game of `play_batch`: with a seed its game 0, without a seed the next game.

        The first reset draws a seed if it is given none.
        """
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(LARGEST_SEED)) if seed is None else seed
            self._next_game = 0
        self.stepper.start(self._seed, self._next_game)
        self._next_game += 1
        return self.stepper.observations[0].copy(), {"action_mask": self.stepper.legal_mask()}

    def step(self, action: np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Carry out an action. Call `reset` after the game's end and after an illegal action.

        At the end of the game, the observation before the last action is returned again.
        """
        actions, empty = np.array([action]), np.zeros(ACTIONS, np.int8)
        row = self.stepper.observations[0].copy()
        if not self.stepper.are_legal(actions)[0]:
            return row, ILLEGAL_REWARD, True, False, {"action_mask": empty, "illegal_action": True}
        self.stepper.step(actions)
        if self.stepper.over[0]:
            seat = int(np.argmax(self.stepper.seats["entry"][0] == 0))
            return row, win_shares(self.stepper)[seat], True, False, {"action_mask": empty}
        info = {"action_mask": self.stepper.legal_mask()}
        return self.stepper.observations[0].copy(), 0.0, False, False, info
