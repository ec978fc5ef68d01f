"""The sources of the prestige of winners and of losers.

Every player is weighted by the share of the win among the winners and by the rest among the losers:
a player with half a win counts half in each group. The differences show association, not cause: a
player who is ahead may play differently because of it.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.evidence.game_numbers import SOURCES
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio, together
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.simulator.game.records import SIXTIETHS

TOTAL = "total"
SIDES = ("winners", "losers")


def _of_side(blocks: BlockSums, name: str, side: str) -> FloatArray:
    """A sum over winners or losers, in sixtieths."""
    won = blocks[f"{name}_won"]
    return np.asarray(won if side == "winners" else SIXTIETHS * blocks[name] - won)


def _seats(blocks: BlockSums, players: int, side: str) -> FloatArray:
    """The number of winners or losers, in sixtieths."""
    a_game = 1 if side == "winners" else players - 1
    return np.asarray(SIXTIETHS * blocks["games"] * a_game)


def _prestige(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """Mean prestige of a winner and of a loser by source."""

    def means(blocks: BlockSums, side: str) -> FloatArray:
        seats = _seats(blocks, sums.players, side)[..., None]
        by_source = ratio(_of_side(blocks, "source", side), seats)
        return np.concatenate([by_source, by_source.sum(axis=-1, keepdims=True)], axis=-1)

    def of_side(side: str) -> Estimates:
        return estimand.measure(
            lambda blocks: means(blocks, side),
            sums.arrays,
            population,
            (*SOURCES, TOTAL),
            aspect=side,
        )

    return together(map(of_side, SIDES))


PRESTIGE_SOURCE = Estimand(name="prestige_source", unit="prestige", measured=_prestige)
