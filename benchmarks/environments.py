"""Stepped games beside the environments of others, all driven by random legal actions from NumPy.

    python benchmarks/environments.py [--seconds 20] [--rounds 5]

Own games: the 2nd edition, four players, every seat played by the caller, or one seat against
three compiled greedy players. Peers, as far as they are installed: EnvPool's board games in C++
(one thread), Pgx's backgammon compiled for the CPU, PettingZoo's Connect Four. The programs take
turns, sample by sample, in one process; rates are own decisions a second of processor time,
medians over the rounds, and so are the ratios of samples that stand side by side.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ethnos_sim import make_env

GAMES = 256
Program = Callable[[int], None]
"""Takes so many batched steps."""


def any_legal(masks: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A random legal action for each row of a mask."""
    counts = np.cumsum(masks, axis=1)
    wanted = (draw.random(len(masks)) * counts[:, -1]).astype(np.int64)
    legal: np.ndarray = np.argmax(counts > wanted[:, None], axis=1)
    return legal


def own_games(opponents: str | None) -> tuple[Program, int, Callable[[], int]]:
    """Stepped games of this program: steps, decisions a step, and turns of ended games so far."""
    stepper = make_env("second", players=4, opponents=opponents, games=GAMES)
    stepper.start(seed=1)
    draw = np.random.default_rng(1)
    rows = np.arange(GAMES)
    turns = [0]

    def play(steps: int) -> None:
        for _ in range(steps):
            chosen = (draw.random(GAMES) * stepper.legal_counts).astype(np.int64)
            stepper.step(stepper.legal[rows, chosen])
            if stepper.over.any():
                turns[0] += int(stepper.games["decisions"][stepper.over].sum())

    return play, GAMES, lambda: turns[0]


def envpool_game(name: str) -> tuple[Program, int]:
    """One of EnvPool's games with legal actions from NumPy."""
    envpool = importlib.import_module("envpool")
    env = envpool.make(name, env_type="gymnasium", num_envs=GAMES, num_threads=1, seed=1)
    draw = np.random.default_rng(1)
    state = [env.reset()[1]]

    def play(steps: int) -> None:
        for _ in range(steps):
            actions = any_legal(state[0]["legal_action_mask"], draw).astype(np.int32)
            state[0] = env.step(actions)[4]

    return play, GAMES


def pgx_game() -> tuple[Program, int]:
    """Pgx's backgammon, compiled for this processor, with legal actions from NumPy."""
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset
    env = pgx.make("backgammon")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    key = jax.random.PRNGKey(1)
    state = [jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))]
    draw = np.random.default_rng(1)

    def play(steps: int) -> None:
        for number in range(steps):
            actions = any_legal(np.asarray(state[0].legal_action_mask), draw)
            keys = jax.random.split(jax.random.fold_in(key, number), GAMES)
            state[0] = step(state[0], actions, keys)
        state[0].rewards.block_until_ready()

    return play, GAMES


def pettingzoo_game() -> tuple[Program, int]:
    """PettingZoo's Connect Four, one game at a time."""
    env = importlib.import_module("pettingzoo.classic.connect_four_v3").env()
    draw = np.random.default_rng(1)
    env.reset(seed=1)

    def play(steps: int) -> None:
        for _ in range(steps):
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
                continue
            env.step(int(any_legal(observation["action_mask"][None], draw)[0]))

    return play, 1


def peers() -> dict[str, tuple[Program, int]]:
    """The peers that are installed here."""
    makers: dict[str, Callable[[], tuple[Program, int]]] = {
        f"EnvPool {name}": partial(envpool_game, name)
        for name in ("ConnectFour-v1", "Backgammon-v1", "SparrowMahjong-v1")
    }
    makers |= {"Pgx backgammon": pgx_game, "PettingZoo Connect Four": pettingzoo_game}
    found = {}
    for name, make in makers.items():
        try:
            found[name] = make()
        except ImportError:
            print(f"{name}: not installed")
    return found


def main() -> None:
    """Estimates and print rates and ratios."""
    parser = argparse.ArgumentParser(description="Stepped games beside other environments.")
    parser.add_argument("--seconds", type=float, default=20.0, help="for all samples together")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    every_seat, own, _ = own_games(None)
    one_seat, _, turns = own_games("greedy")
    programs = {"every seat": (every_seat, own), "one seat, three greedy": (one_seat, own)}
    programs |= peers()
    seconds = given.seconds / given.rounds / len(programs)
    rates: dict[str, list[float]] = {name: [] for name in programs}
    steps, counted = {}, []
    for name, (play, _) in programs.items():
        play(20)
        started = time.process_time()
        play(50)
        steps[name] = max(50, int(50 * seconds / (time.process_time() - started)))
    for _ in range(given.rounds):
        for name, (play, games) in programs.items():
            before, started = turns(), time.process_time()
            play(steps[name])
            spent = time.process_time() - started
            rates[name].append(steps[name] * games / spent)
            if name == "one seat, three greedy":
                counted.append((turns() - before) / spent)
    print(f"{'environment':28}{'own decisions/s':>18}{'every seat / this':>20}")
    for name, found in rates.items():
        ratio = median(a / b for a, b in zip(rates["every seat"], found, strict=True))
        print(f"{name:28}{median(found):18,.0f}{ratio:20.2f}")
    print(f"turns of all players with one seat against three greedy: {median(counted):,.0f}/s")


if __name__ == "__main__":
    main()
