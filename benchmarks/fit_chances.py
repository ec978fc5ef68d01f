"""Fit the chances to win by which look-ahead values positions (strategies/weights/lookahead.npz).

    python benchmarks/fit_chances.py            # some minutes on one core

Tables of champions are played, each seventh turn is kept with all hands, and the weights of a
conditional logit (McFadden 1974) are fitted to who won, one model an age, for each edition and
number of players. The weights of a feature are shrunk towards 0 by the square of its part in a
player's strength. The log loss, on a fifth of the games that the fit has not seen, is printed
beside that of equal chances.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numba
import numpy as np
from scipy.special import log_softmax

from ethnos_sim import load_rules
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.experiments.matches.positions import Positions, play_positions
from ethnos_sim.experiments.statistics.choice import fit_choice
from ethnos_sim.simulator.modes import STANDARD
from ethnos_sim.simulator.records import HIDDEN_DTYPE, SIXTIETHS, TURN
from ethnos_sim.simulator.rules import EDITIONS
from ethnos_sim.strategies import get_strategy
from ethnos_sim.strategies.toolkit.chances import (
    FEATURES,
    WEIGHTS_SIZE,
    chances_room,
    deck_left,
    fill_features,
)
from ethnos_sim.strategies.weights import FOR_ALL, weights_file, write_arrays

SEED = 5
EVERY = 7
SHRINKAGE = 1e-4
HELD_BACK = 5


@numba.njit
def features_of(
    positions: np.ndarray, hiddens: np.ndarray, features: np.ndarray, decks: np.ndarray
) -> None:
    """Fill in the features of each position's players and the part of the deck that is left."""
    hidden = hiddens[0]
    room = chances_room()
    for i in range(positions.size):
        view = positions[i].open
        for player in range(view.hands):
            hidden.hands_once[player] = positions[i].hands_once[player]
            hidden.hands_twice[player] = positions[i].hands_twice[player]
        fill_features(view, hidden, room)
        decks[i] = deck_left(view)
        for player in range(view.players):
            for k in range(features.shape[2]):
                features[i, player, k] = room[player, k]


def samples_of(found: Positions) -> tuple[np.ndarray, ...]:
    """Of a deal's turns: features by player and times the deck, age, who won, the deal."""
    turns = found.positions["open"]["decision"] == TURN
    positions = found.positions[turns]
    features = np.zeros((len(positions), found.table.sides, len(FEATURES)))
    decks = np.zeros(len(positions))
    features_of(positions, np.zeros(1, HIDDEN_DTYPE), features, decks)
    won = found.seats["won"][found.row[turns]] / SIXTIETHS
    both = np.concatenate([features, features * decks[:, None, None]], axis=2)
    deals = np.full(len(positions), found.games["deal"][0])
    return both.astype(np.float32), positions["open"]["age"], won, deals


def fit(features: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The weights that make the wins likeliest, less shrinkage."""
    spread = features.std(axis=(0, 1))
    spread[spread == 0] = np.inf
    one = np.ones(len(won))
    scaled = (features / spread).astype(float)
    found: np.ndarray = fit_choice(scaled, one, won, prior=2 * SHRINKAGE * len(won))[0] / spread
    return found


def loss(weights: np.ndarray, features: np.ndarray, won: np.ndarray) -> float:
    """The mean log loss of a conditional logit."""
    return float(-(won * log_softmax(features @ weights, axis=1)).sum(axis=1).mean())


def fitted(match: Match, games: int, name: str) -> np.ndarray:
    """The weights of an edition and number of players, flat."""
    deals = play_positions(match, games // match.rotations, every=EVERY)
    samples = [samples_of(found) for found in deals]
    features, ages, won, numbers = (
        np.concatenate([sample[part] for sample in samples]) for part in range(4)
    )
    weights = np.zeros(WEIGHTS_SIZE).reshape(-1, 2 * len(FEATURES))
    for age in range(1, int(ages.max()) + 1):
        seen = (ages == age) & (numbers % HELD_BACK > 0)
        fresh = (ages == age) & (numbers % HELD_BACK == 0)
        weights[age - 1] = fit(features[seen], won[seen])
        value = loss(weights[age - 1], features[fresh].astype(float), won[fresh])
        even = np.log(features.shape[1])
        print(f"{name}, age {age}: {seen.sum():,} positions, loss {value:.4f} (even {even:.4f})")
    return weights.ravel()


def main() -> int:
    """Fit every edition and number of players, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6_000)
    parser.add_argument("--out", type=Path, default=weights_file(get_strategy("lookahead")))
    options = parser.parse_args()
    arrays = {}
    for edition in EDITIONS:
        rules = load_rules(edition)
        tables = [(STANDARD, players) for players in range(2, 7)]
        if edition == "second":
            tables.append(("solo-regular", 1))
        for mode, players in tables:
            match = prepare_match(rules, "champion", players=players, mode=mode, seed=SEED)
            name = f"{edition}-{players}"
            arrays[name] = fitted(match, options.games, name)
    arrays[FOR_ALL] = arrays["second-4"]  # for editions that are nobody's yet
    options.out.write_bytes(write_arrays(arrays))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
