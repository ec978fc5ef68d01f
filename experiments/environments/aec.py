"""The whole table as a PettingZoo AEC environment: the agents act one after another."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ethnos_sim.experiments.environments.seat import (
    ILLEGAL_REWARD,
    LARGEST_SEED,
    observation_box,
    win_shares,
)
from ethnos_sim.simulator.stepping.actions import ACTIONS
from ethnos_sim.simulator.stepping.stepper import Stepper


class TableEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One game, every seat played by the caller. Agent `player_0` sits in seat 0.

    Observations are `{"observation": int16 (OBSERVATIONS,), "action_mask": int8 (ACTIONS,)}`; an
    agent that is not asked sees its last observation again, with an empty mask.
    """

    metadata = {"name": "ethnos_v1", "render_modes": [], "is_parallelizable": False}

    def __init__(self, stepper: Stepper) -> None:
        """Wrap a stepper of one game whose seats are all played by the caller."""
        super().__init__()
        self.stepper = stepper
        self._seed_rng = np.random.default_rng()
        self.render_mode = None
        self.possible_agents = [f"player_{seat}" for seat in range(stepper.table.players)]
        self.agents: list[str] = []
        mask = gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)
        spaces: dict[str, Any] = {"observation": observation_box(), "action_mask": mask}
        self._observation_space = gymnasium.spaces.Dict(spaces)
        self._action_space = gymnasium.spaces.Discrete(ACTIONS)

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The space of an agent's observations."""
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The space of an agent's actions."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        if seed is not None:
            self._seed_rng = np.random.default_rng(seed)
        self.stepper.start(int(self._seed_rng.integers(LARGEST_SEED)) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        empty = np.zeros(self.stepper.observations.shape[1], np.int16)
        self._last_observations = dict.fromkeys(self.agents, empty)
        self.agent_selection = self._agent_asked()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The observation of an agent; its mask is all 0 unless the agent is asked."""
        asked = agent == self.agent_selection and not self.terminations[agent]
        mask = self.stepper.legal_mask() if asked else np.zeros(ACTIONS, np.int8)
        row = self.stepper.observations[0] if asked else self._last_observations[agent]
        return {"observation": row.copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent that is asked; an illegal action ends the game."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._last_observations[agent] = self.stepper.observations[0].copy()
        legal = self.stepper.are_legal(np.array([action]))[0]
        if legal:
            self.stepper.step(np.array([action]))
        self._clear_rewards()
        if not legal:
            self.rewards[agent] = ILLEGAL_REWARD
            self.infos[agent]["illegal_action"] = True
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.stepper.over[0]:
            self.rewards = dict(zip(self.agents, win_shares(self.stepper), strict=False))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._agent_asked()
        self._accumulate_rewards()

    def _agent_asked(self) -> str:
        return f"player_{self.stepper.players[0]}"
