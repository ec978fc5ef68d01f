"""Measure the strength of weights of `learned` by printed and other rules.

    python benchmarks/variants.py learned.npz
    python benchmarks/variants.py learned.npz --games 4000 --variant-games 1600
    python benchmarks/variants.py strategies/weights/learned.npz --others benchmarks/teachers.npz
    python benchmarks/variants.py strategies/weights/learned.npz --trained FOLDER --games 0

One player uses the file's weights, and plays each deal in every seat. The other players use the
shipped weights or another file. The printed rules are played at every number of players. Then four
players play twenty rule sets, each on different deals. They are drawn as a training draws them,
from another seed: ten with moved values, five with an added clan, five with a clan that does
nothing. With --trained the other players are nets that the defaults of `strategies train` trained
by the same rule set, which takes nine minutes of a core for each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

# Before numpy is imported: products of matrices depend on how many threads share them.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from one_seat import PLAYERS, mean_of, shares
from runner import run

from ethnos_sim.experiments.training.generations import UNTAUGHT, Training, train
from ethnos_sim.experiments.training.self_play import (
    SelfPlay,
    with_any_null_clan,
    with_moved_values,
    with_new_clan,
)
from ethnos_sim.simulator.rules import EDITIONS, Rules, load_rules

SEED = 20_000


def values_moved(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules with some values moved, for tables of PLAYERS players."""
    return with_moved_values(rules, PLAYERS, random)


#: The ways to draw rule sets, and the number of each.
VARIANTS = {
    "values moved": (values_moved, 10),
    "a clan added": (with_new_clan, 5),
    "a clan nulled": (with_any_null_clan, 5),
}


def variants() -> Iterator[tuple[str, Rules]]:
    """Each rule set, after its kind."""
    for place, (kind, (draw, count)) in enumerate(VARIANTS.items()):
        for number in range(count):
            random = np.random.default_rng([SEED, place, number])
            yield kind, draw(load_rules(EDITIONS[number % len(EDITIONS)]), random)


def trained_by(rules: Rules, folder: Path) -> str:
    """Train a net by these rules alone, and return its player; `folder` keeps the training."""
    training = Training(SelfPlay(rules, 1))
    state = train(training, folder, UNTAUGHT, threads=1, on_generation=lambda entry: None)
    np.savez(folder / "net.npz", any=state.accepted)
    return f"learned:weights={folder / 'net.npz'}"


def text_of(shares_won: np.ndarray, players: int) -> str:
    """A share in percent with its half-width, and the even share."""
    mean, half = mean_of(100 * shares_won)
    return f"{mean:5.1f} ± {half:.1f} % (even {100 / players:.1f})"


def measure(
    weights: str,
    *,
    others: str = "",
    trained: Path | None = None,
    only: tuple[int, ...] = (),
    games: int = 8000,
    variant_games: int = 1600,
) -> None:
    """Measure, and print a line for each rule set.

    Args:
        weights: the file of weights that play.
        others: the file of the other seats' weights; the shipped weights unless given.
        trained: a folder for trainings by each variant.
        only: the numbers of the variants to play, from 1.
        games: games by the printed rules at each number of players.
        variant_games: games of each variant.
    """
    seat = f"learned:weights={weights}"
    other = f"learned:weights={others}" if others else "learned"
    for edition in EDITIONS if games else ():
        for players in range(2, 7):
            won = shares(load_rules(edition), seat, other, games, players=players, seed=SEED)
            print(f"{edition:7} {players} players {text_of(won, players)}", flush=True)
    means: dict[str, list[float]] = {}
    for number, (kind, rules) in enumerate(variants() if variant_games else (), 1):
        if only and number not in only:
            continue
        if trained:
            other = trained_by(rules, trained / str(number))
        won = shares(rules, seat, other, variant_games, seed=SEED + number)
        means.setdefault(kind, []).append(won.mean())
        print(f"{kind:13} {text_of(won, PLAYERS)}  {rules!r}", flush=True)
    for kind, of_kind in means.items():
        print(f"{kind}: {100 * np.mean(of_kind):.1f} %, the worst {100 * min(of_kind):.1f} %")


if __name__ == "__main__":
    run(measure)
