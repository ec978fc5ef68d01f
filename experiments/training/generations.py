"""A training: generations of lessons, each judged by a trial, stored so that it can continue.

In a generation a net looks ahead, and a new net, or the same one, learns how looking ahead values
moves. The running mean of its weights, which varies less, is judged. If it wins more than an even
share of the trial against the last accepted net, it replaces this net.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ethnos_sim.experiments.plans.sources import strategy_sources
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.training.network import first_weights, gradient, step
from ethnos_sim.experiments.training.self_play import (
    Positions,
    SelfPlay,
    draw_clans,
    net_seat,
)
from ethnos_sim.simulator.compiler.identity import identity
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import numpy_arrays, read_file
from ethnos_sim.strategies.afterstates.recording import teacher
from ethnos_sim.strategies.net.layout import WEIGHTS_SIZE

#: The games of a trial, and the players at its tables.
TRIAL_GAMES = 4000
TRIAL_PLAYERS = 4
#: The deals that a trial plays at a time.
DEALS = 4

#: The first deals of consecutive trials have numbers that differ by this much.
DEALS_A_TRIAL = 1 << 20


@dataclass(frozen=True)
class Trial:
    """The result of a trial: the share of wins by deal."""

    shares: np.ndarray

    @property
    def share(self) -> float:
        """The share of wins."""
        return float(self.shares.mean())

    @property
    def games(self) -> int:
        """The games played, each deal in all seats."""
        return len(self.shares) * TRIAL_PLAYERS

    @property
    def passed(self) -> bool:
        """Whether the seat won more than an even share."""
        return self.share * TRIAL_PLAYERS > 1


def play_trial(self_play: SelfPlay, number: int, seat: Seat, others: Seat, games: int) -> Trial:
    """Play `seat` with `others` in all other seats: each deal in all seatings, with new clans."""
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
    return Trial(np.array(shares))


#: How often a generation of a new net repeats its positions.
PASSES = 12
#: A generation that trains weights further needs fewer repetitions.
FURTHER_PASSES = 8

#: The first learning rate of a new net.
RATE = 1e-3
#: The first learning rate of a training that continues weights.
FURTHER_RATE = 2e-4
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


@dataclass
class State:
    """The state of a training between two generations."""

    weights: np.ndarray
    mean: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    accepted: np.ndarray
    steps: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)

    def learn(self, data: Positions, chosen: np.ndarray, rate: float) -> float:
        """Take a step over some of the positions, in place; return the loss."""
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
class Training:
    """A training: self-play, the weights that teach first, and the pace.

    With `further` these weights are trained themselves; else a new net begins at random weights.
    """

    self_play: SelfPlay
    start: np.ndarray
    further: bool = False
    pace: Pace = field(default_factory=Pace)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides a training's numbers; a state of another identity is refused."""
        self_play = self.self_play
        paces = PASSES, FURTHER_PASSES, RATE, FURTHER_RATE, LAST_RATE
        first = first_weights(self.self_play.seed, self.self_play.rules)
        return {
            "rules": self_play.rules.rules_id,
            "seed": self_play.seed,
            "drawn": self_play.drawn,
            "pace": vars(self.pace),
            "start": float(np.abs(self.start).sum()),
            "further": self.further,
            "sources": strategy_sources(["learned"]),
            "learning": identity(teacher.functions, first, State.learn, paces),
        }

    def begin(self) -> State:
        """The state before the first generation; the weights that teach count as accepted."""
        return self._from(self.start)

    def _from(self, start: np.ndarray) -> State:
        weights = start.astype(np.float32)
        empty = np.zeros(WEIGHTS_SIZE, np.float32)
        return State(weights, weights.copy(), empty, empty.copy(), weights.copy())

    def generation(self, state: State, threads: int) -> State:
        """The state after one more generation; the given state does not change."""
        number = len(state.history)
        new, loss = self._taught(state, number, threads)
        trial = play_trial(
            self.self_play,
            number,
            net_seat(new.mean, "new"),
            net_seat(new.accepted, "accepted"),
            self.pace.trial_games,
        )
        accepted = trial.passed or (number == 0 and not self.further)
        if accepted:
            # Copy the mean, since the next generation's steps change it in place.
            new.accepted = new.mean.copy()
        new.history.append(
            {
                "generation": number + 1,
                "steps": new.steps,
                "loss": loss,
                "share": trial.share,
                "games": trial.games,
                "accepted": accepted,
            }
        )
        return new

    def _taught(self, state: State, number: int, threads: int) -> tuple[State, float]:
        """Teach a net how looking ahead with the last accepted net values moves."""
        pace, self_play = self.pace, self.self_play
        data = self_play.batches(number, pace.positions, state.accepted, threads)
        net = state.accepted if self.further else first_weights(self_play.seed, self_play.rules)
        new = replace(self._from(net), accepted=state.accepted, history=list(state.history))
        rate = FURTHER_RATE if self.further else RATE
        losses: list[float] = []
        passes = FURTHER_PASSES if self.further else PASSES
        total = passes * data.steps(pace.minibatch)
        for again in range(passes):
            for chosen in data.minibatches(pace.minibatch, [self.self_play.seed, 4, number, again]):
                left = 1 - len(losses) / total
                now = max(rate * min(1, 2 * left), LAST_RATE)
                losses.append(new.learn(data, chosen, now))
        return new, float(np.mean(losses))


def save_state(path: Path, training: Training, state: State) -> None:
    """Store a state, with the identity of its training."""
    about = {"identity": training.identity, "steps": state.steps, "history": state.history}
    arrays = {name: getattr(state, name) for name in _ARRAYS}
    buffer = io.BytesIO()
    np.savez(
        buffer,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        **arrays,
    )
    write_whole(path, buffer.getvalue())


_ARRAYS = ("weights", "mean", "means", "squares", "accepted")


def load_state(path: Path, training: Training) -> State:
    """A stored state; WrongInput if the file is not one, or belongs to another training."""
    try:
        stored = numpy_arrays(read_file(path))
        about = json.loads(stored["about"].tobytes())
        arrays = {name: stored[name].astype(np.float32) for name in _ARRAYS}
    except (OSError, ValueError, KeyError) as error:
        raise WrongInput(f"'{path}' is not a training that can be continued") from error
    if about["identity"] != training.identity:
        wrong = [k for k, v in training.identity.items() if about["identity"].get(k) != v]
        raise WrongInput(
            f"'{path}' is of another training (its {', '.join(wrong)} differ); "
            "give another folder, or the options that it began with"
        )
    return State(**arrays, steps=int(about["steps"]), history=list(about["history"]))


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
    state = load_state(path, training) if path.exists() else training.begin()
    while len(state.history) < generations:
        state = training.generation(state, threads)
        save_state(path, training, state)
        on_generation(state)
    return state
