"""One seat of the table as Gymnasium has it: many games at once, or one.

The other seats are played inside, so an agent sees nothing but its own decisions. The action mask
of the open question stands in `info["action_mask"]` (int8, as `Discrete.sample(mask)` takes it). An
action that is not legal ends the game with a loss, and `info["illegal_action"]` says so.
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

#: How far on games go at a reset without a seed.
NEXT_STREAM = 1_000_000_000


def row_space() -> gymnasium.spaces.Box:
    """The space of one observation: whole numbers, see `stepping.observations.BLOCKS`."""
    return gymnasium.spaces.Box(0, np.iinfo(np.int16).max, (OBSERVATIONS,), np.int16)


class SeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games, one seat of each played by the caller.

    A game that ends is followed at once by the slot's next one: the observation is the next game's
    first, that of the end stands in `info["final_obs"]` (autoreset mode SAME_STEP).
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, stepper: Stepper, reward: str) -> None:
        """Wrap a stepper whose tables have one seat from outside; `reward` as in `make_env`."""
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
        """Begin new games: those of `play_batch` with the seed, else further ones of its stream."""
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
        # A game that is given up takes any action before.
        self.stepper.step(np.where(illegal, self.stepper.legal[:, 0], actions))
        over = self.stepper.over.copy()
        for slot in np.flatnonzero(illegal & ~over):
            self.stepper.abandon(int(slot))
        over |= illegal
        rewards = np.zeros(self.num_envs, np.float32)
        info: dict[str, Any] = {"action_mask": self.stepper.masks.copy()}
        if over.any():
            seats = self.stepper.seats[over]
            own = np.argmax(seats["entry"] == 0, axis=1)
            rewards[over] = rewards_of(self._reward, seats)[np.arange(len(seats)), own]
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
    """One game at a time, one seat of it played by the caller: one of the vector's games."""

    metadata = {"render_modes": []}

    def __init__(self, stepper: Stepper, reward: str) -> None:
        """Wrap a stepper of one game whose table has one seat from outside."""
        self.stepper = stepper
        self._games = SeatVectorEnv(stepper, reward)
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a new game; without a seed the next one of the same stream."""
        super().reset(seed=seed)
        rows, info = self._games.reset(seed=seed)
        return rows[0], {"action_mask": info["action_mask"][0]}

    def step(self, action: np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Carry out an action."""
        rows, rewards, over, _, told = self._games.step(np.array([action]))
        info = {"action_mask": told["action_mask"][0]}
        if over[0] and told["illegal_action"][0]:
            info["illegal_action"] = True
        row = told["final_obs"][0] if over[0] else rows[0]
        return row, float(rewards[0]), bool(over[0]), False, info
