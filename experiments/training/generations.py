"""A training: generations of lessons, each judged by a trial, stored so that it can continue.

In a generation the last accepted net looks ahead, and a new net learns how looking ahead values
moves. The running mean of its weights, which varies less, is judged. If it wins more than an even
share of the trial against the last accepted net, it replaces this net.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ethnos_sim.experiments.plans.hashes import strategy_hashes
from ethnos_sim.experiments.storage.files import write_synced_file
from ethnos_sim.experiments.training.network import first_weights, gradient, step
from ethnos_sim.experiments.training.self_play import Positions, SelfPlay, draw_clans, net_seat
from ethnos_sim.simulator.compiler.identity import identity
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import arrays_of_npz, read_file
from ethnos_sim.strategies.afterstates.recording import teacher

#: The games of a trial, and the players at its tables.
TRIAL_GAMES = 4000
TRIAL_PLAYERS = 4
#: The deals that a trial plays at a time.
DEALS = 4

#: The first deals of consecutive trials have numbers that differ by this much.
DEALS_A_TRIAL = 1 << 20


def play_trial(
    self_play: SelfPlay, number: int, seat: Seat, others: Seat, games: int
) -> np.ndarray:
    """The share of wins by deal of `seat`, with `others` in all other seats.

    Each deal is played in all seatings, with new clans.
    """
    players = TRIAL_PLAYERS
    random = np.random.default_rng([self_play.seed, 2, number])
    shares: list[float] = []
    while len(shares) * players < games:
        rules = self_play.table_rules(players, random)
        clans = draw_clans(rules, players, random)
        table = GameTable.prepare(
            rules, players, STANDARD, clans, (seat, *[others] * (players - 1))
        )
        batch = play_table(
            table,
            seed=self_play.seed_of("trials"),
            first_deal=number * DEALS_A_TRIAL + len(shares),
            deals=DEALS,
        )
        is_measured = batch.seats["entry"] == 0
        won = (batch.seats["won"] * is_measured).sum(axis=1) / SIXTIETHS
        shares += won.reshape(DEALS, players).mean(axis=1).tolist()
    return np.array(shares)


#: How often a generation repeats its positions.
PASSES = 12

#: The learning rate in the first half of a generation.
RATE = 1e-3
#: The learning rate falls linearly to this value in the second half of a generation.
LAST_RATE = 2e-5

#: The share of the running mean that each step replaces by the new weights.
MEAN_PART = 1 / 1500

STATE = "state.npz"


@dataclass(frozen=True)
class Pace:
    """The length of a generation, which tests shorten to train in seconds.

    A generation learns `positions` positions; a step uses `minibatch` of them.
    """

    positions: int = 1_200_000
    minibatch: int = 2048
    trial_games: int = TRIAL_GAMES


class Learner:
    """A net that learns: its weights, their running mean, and Adam's means and mean squares."""

    def __init__(self, weights: np.ndarray) -> None:
        """Begin with these weights (float32), which are copied."""
        self.weights, self.mean = weights.copy(), weights.copy()
        self.means, self.squares = np.zeros_like(weights), np.zeros_like(weights)
        self.steps = 0

    def learn(self, data: Positions, chosen: np.ndarray, rate: float) -> float:
        """Take a step over some of the positions; return the loss."""
        slope, loss = gradient(
            self.weights,
            data.inputs[chosen].astype(np.float32, copy=False),
            data.wins[chosen],
            data.margins[chosen],
            data.turns[chosen],
        )
        self.steps += 1
        step(self.weights, self.means, self.squares, slope, self.steps, rate)
        part = max(MEAN_PART, 1.0 / self.steps)
        self.mean += np.float32(part) * (self.weights - self.mean)
        return loss


@dataclass(frozen=True)
class State:
    """The state of a training between two generations: the last accepted net, and the results."""

    accepted: np.ndarray
    history: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Training:
    """A training: self-play, the weights that teach first, and the pace."""

    self_play: SelfPlay
    start: np.ndarray
    pace: Pace = field(default_factory=Pace)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides a training's numbers; a state of another identity is refused."""
        self_play = self.self_play
        first = first_weights(self_play.seed, self_play.rules)
        return {
            "rules": self_play.rules.rules_id,
            "seed": self_play.seed,
            "drawn": self_play.drawn,
            "pace": vars(self.pace),
            "start": float(np.abs(self.start).sum()),
            "sources": strategy_hashes(["learned"]),
            "learning": identity(
                teacher.functions, first, Learner.learn, (PASSES, RATE, LAST_RATE)
            ),
        }

    def generation(self, state: State, threads: int) -> State:
        """The state after one more generation."""
        number = len(state.history)
        learner, loss = self._taught(state.accepted, number, threads)
        shares = play_trial(
            self.self_play,
            number,
            net_seat(learner.mean, "new"),
            net_seat(state.accepted, "accepted"),
            self.pace.trial_games,
        )
        share = float(shares.mean())
        accepted = number == 0 or share * TRIAL_PLAYERS > 1
        result = {
            "generation": number + 1,
            "steps": learner.steps,
            "loss": loss,
            "share": share,
            "games": len(shares) * TRIAL_PLAYERS,
            "accepted": accepted,
        }
        return State(learner.mean if accepted else state.accepted, (*state.history, result))

    def _taught(self, teaching: np.ndarray, number: int, threads: int) -> tuple[Learner, float]:
        """Teach a new net how looking ahead with another net values moves."""
        pace, self_play = self.pace, self.self_play
        data = self_play.batches(number, pace.positions, teaching, threads)
        learner = Learner(first_weights(self_play.seed, self_play.rules))
        losses: list[float] = []
        total = PASSES * data.steps(pace.minibatch)
        for again in range(PASSES):
            for chosen in data.minibatches(pace.minibatch, [self_play.seed, 4, number, again]):
                left = 1 - len(losses) / total
                rate = max(RATE * min(1, 2 * left), LAST_RATE)
                losses.append(learner.learn(data, chosen, rate))
        return learner, float(np.mean(losses))


def save_state(path: Path, training: Training, state: State) -> None:
    """Store a state, with the identity of its training."""
    about = json.dumps({"identity": training.identity, "history": state.history})
    buffer = io.BytesIO()
    np.savez(buffer, about=np.frombuffer(about.encode(), np.uint8), accepted=state.accepted)
    write_synced_file(path, buffer.getvalue())


def load_state(path: Path, training: Training) -> State:
    """A stored state; WrongInput if the file is not one, or belongs to another training."""
    try:
        stored = arrays_of_npz(read_file(path))
        about = json.loads(stored["about"].tobytes())
        accepted = stored["accepted"].astype(np.float32)
    except (OSError, ValueError, KeyError) as error:
        raise WrongInput(f"'{path}' is not a training that can be continued") from error
    if about["identity"] != training.identity:
        wrong = [k for k, v in training.identity.items() if about["identity"].get(k) != v]
        raise WrongInput(
            f"'{path}' is of another training (its {', '.join(wrong)} differ); "
            "give another folder, or the options that it began with"
        )
    return State(accepted, tuple(about["history"]))


def train(
    training: Training,
    folder: Path,
    generations: int,
    *,
    threads: int,
    on_generation: Callable[[State], None],
) -> State:
    """Train up to a number of generations, and continue a training in the folder.

    The state is stored after each generation; `on_generation` gets the state.

    Raises:
        WrongInput: the folder holds another training.
    """
    path = folder / STATE
    # The weights that teach first count as accepted.
    state = load_state(path, training) if path.exists() else State(training.start)
    while len(state.history) < generations:
        state = training.generation(state, threads)
        save_state(path, training, state)
        on_generation(state)
    return state
