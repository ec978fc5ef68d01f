"""Habits and prestige of winners: what they do and where their points come from, beside losers.

Winners are weighted by their part of the win, losers by what they lack: a player with half a win
adds half of what he does to the winners and half to the losers. It is what goes with winning, not
what makes it: who is ahead may play otherwise because of it.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, Number, of_ordinary_games
from ethnos_sim.reports.evidence.sums import SOURCES, Sums
from ethnos_sim.simulator.records import SIXTIETHS

COUNTED = {"parties": "parties", "markers": "markers", "ages_ended": "ended"}
"""The sums of those habits that are counted a game, by name."""

LABELS = {
    "parties": "Parties a game",
    "cards_in_party": "Cards a party",
    "markers": "Markers in regions",
    "ages_ended": "Ages ended by drawing the last dragon",
}
"""What is compared, by name."""

TOTAL = "total"
SIDES = ("winners", "losers")


def _of_side(of: BlockSums, name: str, side: str) -> FloatArray:
    """A sum over winners, losers or all players, in sixtieths."""
    every, won = SIXTIETHS * of[name], of[f"{name}_won"]
    return np.asarray({"winners": won, "losers": every - won, "players": every}[side])


def _seats(of: BlockSums, players: int, side: str) -> FloatArray:
    """How many of them there are, in sixtieths."""
    a_game = {"winners": 1, "losers": players - 1, "players": players}[side]
    return np.asarray(SIXTIETHS * of["games"] * a_game)


def habits(of: BlockSums, players: int, side: str) -> FloatArray:
    """What winners, losers or all players do, in the order of LABELS."""
    seats = _seats(of, players, side)
    found = {name: ratio(_of_side(of, column, side), seats) for name, column in COUNTED.items()}
    found["cards_in_party"] = ratio(_of_side(of, "cards", side), _of_side(of, "parties", side))
    return np.stack([found[name] for name in LABELS], axis=-1)


def measure_players_habits(sums: Sums, population: str) -> Estimates:
    """The mean over all seats of each of LABELS."""
    return PLAYERS_HABITS.measure(
        lambda of: habits(of, sums.players, "players"), sums.arrays, population, tuple(LABELS)
    )


def measure_winners_habits(sums: Sums, population: str) -> Estimates:
    """Winners less losers in each of LABELS."""
    return WINNERS_HABITS.measure(
        lambda of: habits(of, sums.players, "winners") - habits(of, sums.players, "losers"),
        sums.arrays,
        population,
        tuple(LABELS),
    )


def measure_prestige(sums: Sums, side: str, population: str) -> Estimates:
    """Mean prestige of a winner or a loser by source; the last name is the total."""

    def statistic(of: BlockSums) -> FloatArray:
        means = ratio(_of_side(of, "source", side), _seats(of, sums.players, side)[..., None])
        return np.concatenate([means, means.sum(axis=-1, keepdims=True)], axis=-1)

    names = (*SOURCES, TOTAL)
    return PRESTIGE_SOURCE.measure(statistic, sums.arrays, population, names, aspect=side)


WINNERS_HABITS = Estimand(
    name="winners_habits",
    numbers={name: Number(label, unit="count_difference") for name, label in LABELS.items()},
    found=of_ordinary_games(measure_winners_habits),
)

PLAYERS_HABITS = Estimand(
    name="players_habits",
    numbers={name: Number(label, unit="count") for name, label in LABELS.items()},
    found=of_ordinary_games(measure_players_habits),
)

PRESTIGE_SOURCE = Estimand(
    name="prestige_source",
    unit="prestige",
    found=of_ordinary_games(lambda sums, words: [measure_prestige(sums, s, words) for s in SIDES]),
)
