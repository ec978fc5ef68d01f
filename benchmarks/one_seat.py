"""The wins of one seat among others, which measurements of strength share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.matches.match import play_match, prepare_match
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules

PLAYERS = 4


def shares(
    rules: Rules,
    seat: str,
    others: str,
    games: int,
    *,
    seed: int,
    players: int = PLAYERS,
    clans: Sequence[str] | None = None,
) -> np.ndarray:
    """The share of wins of `seat` if `others` plays all other seats, by deal."""
    seated = [seat, *[others] * (players - 1)]
    match = prepare_match(rules, seated, players=players, seed=seed, clans=clans)
    return play_match(match, games, threads=None).won[:, 0] / (SIXTIETHS * match.rotations)


def mean_of(by_deal: np.ndarray) -> tuple[float, float]:
    """The mean over deals, and half of its 95 % interval."""
    return float(by_deal.mean()), 1.96 * float(by_deal.std(ddof=1) / np.sqrt(len(by_deal)))
