"""One seat of the table as a Gymnasium environment, for many games at once or for one.

The environment plays the other seats, so an agent sees only its own decisions. The action mask of
the open question is in `info["action_mask"]` (int8, as `Discrete.sample(mask)` takes it). An
illegal action ends the game with a loss and sets `info["illegal_action"]`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ethnos_sim.experiments.environments.rewards import ILLEGAL, rewards_of
from ethnos_sim.simulator.stepping.actions import ACTIONS
from ethnos_sim.simulator.stepping.observations import OBSERVATIONS
from ethnos_sim.simulator.stepping.stepper import Stepper

LARGEST_SEED = 2**31

#: A reset without a seed skips this many game numbers.
NEXT_STREAM = 1_000_000_000


def row_space() -> gymnasium.spaces.Box:
    """The space of one observation: whole numbers, listed in `stepping.observations.BLOCKS`."""
    return gymnasium.spaces.Box(0, np.iinfo(np.int16).max, (OBSERVATIONS,), np.int16)


class SeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games, with one seat of each game played by the caller.

    When a game ends, its slot starts the next game at once: the observation is the first one
    of the next game, and `info["final_obs"]` has the last observation of the old game (autoreset
    mode SAME_STEP).
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, stepper: Stepper, reward: str) -> None:
        """Wrap a stepper whose tables leave one seat to the caller; `reward` as in `make_env`."""
        self.stepper = stepper
        self._reward = reward
        self._seed: int | None = None
        self._next_game = 0
        self.num_envs = stepper.players.size
        self.single_observation_space = row_space()
        self.single_action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin the games of `play_batch` with this seed, or later games of the current stream."""
        if isinstance(seed, list):
            seed = seed[0]
        if seed is not None:
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seed)
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(LARGEST_SEED)) if seed is None else seed
            self._next_game = 0
        self.stepper.start(self._seed, self._next_game)
        self._next_game += NEXT_STREAM
        return self.stepper.observations.copy(), {"action_mask": self.stepper.masks.copy()}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Carry out one action in each game."""
        illegal = ~self.stepper.are_legal(actions)
        asked = self.stepper.observations[illegal]
        # A game with an illegal action is abandoned after the step, so any legal action will do.
        self.stepper.step(np.where(illegal, self.stepper.legal[:, 0], actions))
        over = self.stepper.over.copy()
        for slot in np.flatnonzero(illegal & ~over):
            self.stepper.abandon(int(slot))
        over |= illegal
        rewards = np.zeros(self.num_envs, np.float32)
        info: dict[str, Any] = {"action_mask": self.stepper.masks.copy()}
        if over.any():
            seats = self.stepper.seats[over]
            learner = np.argmax(seats["entry"] == 0, axis=1)
            rewards[over] = rewards_of(self._reward, seats)[np.arange(len(seats)), learner]
            rewards[illegal] = ILLEGAL[self._reward]
            rows = self.stepper.finals.copy()
            rows[illegal] = asked
            final = np.full(self.num_envs, None, dtype=object)
            for slot in np.flatnonzero(over):
                final[slot] = rows[slot]
            info |= {"final_obs": final, "_final_obs": over, "illegal_action": illegal}
        observations = self.stepper.observations.copy()
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), info


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One game at a time, with one seat played by the caller; a vector of one game."""

    metadata = {"render_modes": []}

    def __init__(self, stepper: Stepper, reward: str) -> None:
        """Wrap a stepper of one game whose table leaves one seat to the caller."""
        self.stepper = stepper
        self._games = SeatVectorEnv(stepper, reward)
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a new game; without a seed, a later game of the same stream."""
        super().reset(seed=seed)
        rows, info = self._games.reset(seed=seed)
        return rows[0], {"action_mask": info["action_mask"][0]}

    def step(self, action: np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Carry out an action."""
        rows, rewards, over, _, games_info = self._games.step(np.array([action]))
        info = {"action_mask": games_info["action_mask"][0]}
        if over[0] and games_info["illegal_action"][0]:
            info["illegal_action"] = True
        row = games_info["final_obs"][0] if over[0] else rows[0]
        return row, float(rewards[0]), bool(over[0]), False, info
