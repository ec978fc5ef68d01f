"""A training in generations, which is stored after each generation so that it can continue.

In a generation the last accepted net looks ahead to value moves, and a new net learns these values.
A trial judges a net with the running means of the new net's weights, because means vary less.
If this net wins more than an even share against the last accepted net, it is accepted.
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
from ethnos_sim.experiments.training.network import adam_step, gradient, initial_weights
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
#: The number of deals that a trial plays at one table.
DEALS_AT_A_TIME = 4

#: The difference between the numbers of the first deals of two consecutive trials.
DEALS_A_TRIAL = 1 << 20


def play_trial(
    self_play: SelfPlay, generation: int, judged: Seat, rival: Seat, games: int
) -> np.ndarray:
    """The win shares of the judged seat by deal, with copies of the rival in all other seats.

    A deal is played in all seatings; every DEALS_AT_A_TIME deals have new rules and clans.
    """
    players = TRIAL_PLAYERS
    random = np.random.default_rng([self_play.seed, 2, generation])
    shares: list[float] = []
    while len(shares) * players < games:
        rules = self_play.draw_table_rules(players, random)
        clans = draw_clans(rules, players, random)
        seats = (judged, *[rival] * (players - 1))
        table = GameTable.prepare(rules, players, STANDARD, clans, seats)
        batch = play_table(
            table,
            seed=self_play.seed_of("trials"),
            first_deal=generation * DEALS_A_TRIAL + len(shares),
            deals=DEALS_AT_A_TIME,
        )
        is_measured = batch.seats["entry"] == 0
        won = (batch.seats["won"] * is_measured).sum(axis=1) / SIXTIETHS
        shares += won.reshape(DEALS_AT_A_TIME, players).mean(axis=1).tolist()
    return np.array(shares)


#: How many times a generation learns from each of its positions.
PASSES = 12

#: The learning rate in the first half of a generation.
FIRST_RATE = 1e-3
#: The learning rate falls linearly to this value in the second half of a generation.
LAST_RATE = 2e-5

#: The share of the newest weights in the running mean.
MEAN_SHARE = 1 / 1500

STATE_FILE = "state.npz"


@dataclass(frozen=True)
class Pace:
    """How much a generation learns and plays; tests take less, so that they last only seconds.

    A generation learns from `positions` positions; a step uses about `minibatch` of them.
    """

    positions: int = 1_200_000
    minibatch: int = 2048
    trial_games: int = TRIAL_GAMES


class Learner:
    """A net that learns: its weights, their running mean, and the moments of Adam."""

    def __init__(self, weights: np.ndarray) -> None:
        """Begin with a copy of these weights (float32)."""
        self.weights, self.mean = weights.copy(), weights.copy()
        self.means, self.squares = np.zeros_like(weights), np.zeros_like(weights)
        self.steps = 0

    def learn(self, positions: Positions, indices: np.ndarray, rate: float) -> float:
        """Take a step for the positions at these indices; return the loss."""
        slope, loss = gradient(
            self.weights,
            positions.inputs[indices].astype(np.float32, copy=False),
            positions.wins[indices],
            positions.margins[indices],
            positions.decisions[indices],
        )
        self.steps += 1
        adam_step(self.weights, self.means, self.squares, slope, self.steps, rate)
        part = max(MEAN_SHARE, 1.0 / self.steps)
        self.mean += np.float32(part) * (self.weights - self.mean)
        return loss


@dataclass(frozen=True)
class TrainingState:
    """A training between two generations: the accepted net's weights, and the results so far."""

    accepted: np.ndarray
    history: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Training:
    """A training's settings: self-play, the weights that teach generation 1, and its pace."""

    self_play: SelfPlay
    first_teacher: np.ndarray
    pace: Pace = field(default_factory=Pace)

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides the results; a stored state with another identity is refused."""
        self_play = self.self_play
        first = initial_weights(self_play.seed, self_play.rules)
        return {
            "rules": self_play.rules.rules_id,
            "seed": self_play.seed,
            "drawn": self_play.drawn_share,
            "pace": vars(self.pace),
            "start": float(np.abs(self.first_teacher).sum()),
            "sources": strategy_hashes(["learned"]),
            "learning": identity(
                teacher.functions, first, Learner.learn, (PASSES, FIRST_RATE, LAST_RATE)
            ),
        }

    def next_state(self, state: TrainingState, threads: int) -> TrainingState:
        """Train one generation; return the state after it."""
        number = len(state.history)
        learner, loss = self._train(state.accepted, number, threads)
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
        return TrainingState(learner.mean if accepted else state.accepted, (*state.history, result))

    def _train(self, accepted: np.ndarray, generation: int, threads: int) -> tuple[Learner, float]:
        """Train a net on the values that the accepted net finds; return it and its mean loss."""
        pace, self_play = self.pace, self.self_play
        data = self_play.play_batches(generation, pace.positions, accepted, threads)
        learner = Learner(initial_weights(self_play.seed, self_play.rules))
        losses: list[float] = []
        total = PASSES * data.minibatch_count(pace.minibatch)
        for again in range(PASSES):
            for chosen in data.minibatches(pace.minibatch, [self_play.seed, 4, generation, again]):
                left = 1 - len(losses) / total
                rate = max(FIRST_RATE * min(1, 2 * left), LAST_RATE)
                losses.append(learner.learn(data, chosen, rate))
        return learner, float(np.mean(losses))


def save_state(path: Path, training: Training, state: TrainingState) -> None:
    """Store a state, with the identity of its training."""
    about = json.dumps({"identity": training.identity, "history": state.history})
    buffer = io.BytesIO()
    np.savez(buffer, about=np.frombuffer(about.encode(), np.uint8), accepted=state.accepted)
    write_synced_file(path, buffer.getvalue())


def load_state(path: Path, training: Training) -> TrainingState:
    """Read a state; WrongInput if the file is no state, or the state of another training."""
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
    return TrainingState(accepted, tuple(about["history"]))


def train(
    training: Training,
    folder: Path,
    generations: int,
    *,
    threads: int,
    on_generation: Callable[[TrainingState], None],
) -> TrainingState:
    """Train until there are this many generations; continue a training that the folder holds.

    The state is stored after each generation, and passed to `on_generation`.

    Raises:
        WrongInput: the folder holds another training.
    """
    path = folder / STATE_FILE
    # The first net that looks ahead counts as accepted.
    state = load_state(path, training) if path.exists() else TrainingState(training.first_teacher)
    while len(state.history) < generations:
        state = training.next_state(state, threads)
        save_state(path, training, state)
        on_generation(state)
    return state
