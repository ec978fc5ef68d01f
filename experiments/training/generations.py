"""A training: generations of lessons, each accepted by a trial, kept so that it can go on.

The learner plays, notes its positions, and takes steps along the gradient; what is judged and
shipped is the running mean of its weights, which wanders less. A generation whose mean passes the
trial against the last accepted one takes its place, and joins the league.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ethnos_sim.experiments.plans.sources import strategy_sources
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.training.lessons import School, net_seat
from ethnos_sim.experiments.training.network import first_weights, gradient, step
from ethnos_sim.experiments.training.trials import MOST_GAMES, Trial, play_trial
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.table import Seat
from ethnos_sim.strategies.afterstates.layout import WEIGHTS_SIZE
from ethnos_sim.strategies.line_up import parse_entry

#: Rounds of a generation, lessons of a round, and positions of a step.
ROUNDS = 120
LESSONS = 6
BATCH = 2048

#: The rate of learning: its first value, from nothing and from weights that have learned already,
#: the steps after which it is halved, and its least.
RATE = 1e-3
FURTHER_RATE = 2e-4
HALVED = 12_000
LEAST_RATE = 5e-5

#: How much of the running mean a step replaces.
MEAN_PART = 1 / 1500

#: Older nets in the league.
LEAGUE = 6

#: The table of trials and of the measurement against the yardstick.
TRIAL_PLAYERS = 4
YARDSTICK = "champion"
YARDSTICK_GAMES = 800

STATE = "state.npz"


@dataclass(frozen=True)
class Pace:
    """How long a generation is, so that a test can train in seconds."""

    rounds: int = ROUNDS
    lessons: int = LESSONS
    batch: int = BATCH
    trial_games: int = MOST_GAMES
    yardstick_games: int = YARDSTICK_GAMES


@dataclass
class State:
    """Everything about a training that goes from one generation to the next."""

    weights: np.ndarray
    mean: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    accepted: np.ndarray
    league: list[np.ndarray] = field(default_factory=list)
    steps: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Training:
    """What is trained: a school, the weights to begin with, and the pace."""

    school: School
    start: np.ndarray | None = None
    pace: Pace = field(default_factory=Pace)

    @property
    def identity(self) -> dict[str, Any]:
        """What decides every number of a training, so that no other one goes on with it."""
        school = self.school
        names = ["learned", *([school.against] if school.against else [])]
        return {
            "rules": school.rules.rules_id,
            "seed": school.seed,
            "against": school.against,
            "players": school.players,
            "pace": vars(self.pace),
            "start": None if self.start is None else float(np.abs(self.start).sum()),
            "sources": strategy_sources(names),
        }

    @property
    def rate(self) -> float:
        """The first rate of learning."""
        return RATE if self.start is None else FURTHER_RATE

    def begin(self) -> State:
        """The state before the first generation."""
        start = first_weights(self.school.seed) if self.start is None else self.start
        weights = start.astype(np.float32)
        empty = np.zeros(WEIGHTS_SIZE, np.float32)
        return State(weights, weights.copy(), empty, empty.copy(), weights.copy())

    def generation(self, state: State, threads: int) -> State:
        """The state after one more generation; the given one stays as it is."""
        number = len(state.history)
        new = replace(
            state,
            weights=state.weights.copy(),
            mean=state.mean.copy(),
            means=state.means.copy(),
            squares=state.squares.copy(),
            history=list(state.history),
        )
        losses = []
        pace = self.pace
        for round_ in range(pace.rounds):
            first = (number * pace.rounds + round_) * pace.lessons
            data = self.school.lessons(first, pace.lessons, new.weights, new.league, threads)
            losses.append(_learn(new, data, [self.school.seed, 3, first], pace.batch, self.rate))
        trial = self._trial(new, number)
        if trial.passed or number == 0:
            new.accepted = new.mean
            new.league = [*state.league, new.mean][-LEAGUE:]
        yardstick = self._against(
            net_seat(new.accepted, "net"), 2 * number + 1, self.pace.yardstick_games
        )
        new.history.append(
            {
                "generation": number + 1,
                "steps": new.steps,
                "loss": float(np.mean(losses)),
                "share": trial.share,
                "games": trial.games,
                "accepted": trial.passed or number == 0,
                "yardstick": yardstick.share,
            }
        )
        return new

    def _trial(self, state: State, number: int) -> Trial:
        """The running mean against the last accepted net.

        Where one player is to be exploited, both meet that player on the same deals instead, and
        the better one is kept.
        """
        school = self.school
        new, old = net_seat(state.mean, "new"), net_seat(state.accepted, "accepted")
        if school.against is None:
            return play_trial(
                school, 2 * number, new, old, players=TRIAL_PLAYERS, games=self.pace.trial_games
            )[0]
        shares = [self._against(seat, 2 * number, self.pace.trial_games) for seat in (new, old)]
        return replace(shares[0], passed=shares[0].share > shares[1].share)

    def _against(self, seat: Seat, number: int, games: int) -> Trial:
        """A plain measurement of a seat among champions, or among the player to exploit."""
        school = self.school
        players = school.players or TRIAL_PLAYERS
        others = parse_entry(school.against or YARDSTICK, players, school.rules).seat()
        return play_trial(
            school, number, seat, others, players=players, games=games, sequential=False
        )[0]


def _learn(
    state: State,
    data: tuple[np.ndarray, np.ndarray, np.ndarray],
    key: list[int],
    batch: int,
    first_rate: float,
) -> float:
    """Steps over some positions in random order; returns the mean loss."""
    inputs, wins, margins = data
    order = np.random.default_rng(key).permutation(len(inputs))
    losses = []
    for start in range(0, max(len(order) - batch // 2, 1), batch):
        chosen = order[start : start + batch]
        found, loss = gradient(state.weights, inputs[chosen], wins[chosen], margins[chosen])
        state.steps += 1
        rate = max(first_rate * 0.5 ** (state.steps / HALVED), LEAST_RATE)
        step(state.weights, state.means, state.squares, found, state.steps, rate)
        part = max(MEAN_PART, 1.0 / state.steps)
        state.mean += np.float32(part) * (state.weights - state.mean)
        losses.append(loss)
    return float(np.mean(losses))


def save_state(path: Path, training: Training, state: State) -> None:
    """Keep a state, with what it is a state of."""
    about = {
        "identity": training.identity,
        "steps": state.steps,
        "history": state.history,
    }
    arrays = {name: getattr(state, name) for name in _ARRAYS}
    buffer = io.BytesIO()
    np.savez(
        buffer,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        league=np.array(state.league, np.float32).reshape(-1, WEIGHTS_SIZE),
        **arrays,
    )
    write_whole(path, buffer.getvalue())


_ARRAYS = ("weights", "mean", "means", "squares", "accepted")


def load_state(path: Path, training: Training) -> State:
    """A state that was kept; WrongInput where it is of another training, or no state at all."""
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(file["about"].tobytes())
            arrays = {name: file[name].astype(np.float32) for name in _ARRAYS}
            league = list(file["league"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise WrongInput(f"'{path}' is no training that can go on") from error
    if about["identity"] != training.identity:
        wrong = [k for k, v in training.identity.items() if about["identity"].get(k) != v]
        raise WrongInput(
            f"'{path}' is of another training (its {', '.join(wrong)} differ); "
            "give another folder, or the options that it began with"
        )
    return State(**arrays, league=league, steps=int(about["steps"]), history=list(about["history"]))


def train(
    training: Training,
    folder: Path,
    generations: int,
    *,
    threads: int,
    on_generation: Callable[[dict[str, Any]], None],
) -> State:
    """Train up to a number of generations, going on with what the folder has.

    Args:
        training: what is trained.
        folder: where the state is kept after every generation.
        generations: how many there are to be in the end.
        threads: threads that play; nothing depends on them.
        on_generation: told of each generation's entry in the history.

    Raises:
        WrongInput: the folder holds another training.
    """
    path = folder / STATE
    state = load_state(path, training) if path.exists() else training.begin()
    while len(state.history) < generations:
        state = training.generation(state, threads)
        save_state(path, training, state)
        on_generation(state.history[-1])
    return state
