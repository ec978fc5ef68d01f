"""The numbers of games in which every seat gives up a clan: the seats by clan, and their wins.

Ordinary games have other numbers, because players who may not lead a clan play differently.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.game_numbers import seat_arrays
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.simulator.game.limits import MAX_AGES
from ethnos_sim.simulator.game.records import GIVES_UP, GIVES_UP_BY_AGE

GIVEN_UP_KINDS: Mapping[str, int] = {GIVES_UP: 1, GIVES_UP_BY_AGE: MAX_AGES}
"""The kinds of games in which every seat gives up a clan, with the length of their axis of ages:
1 if a clan is given up in all ages, MAX_AGES if it is given up in one age."""


def given_up_numbers(
    kind: str, games: pl.DataFrame, seats: pl.DataFrame, clans: tuple[str, ...]
) -> dict[str, IntArray]:
    """The numbers of games that are summed, int64; the first axis is the game.

    Args:
        kind: the kind of the games, a key of GIVEN_UP_KINDS.
        games: one row for each game, with its cell and game.
        seats: the rows of these games in the same order, one for each player: cell, game, won,
            gave_up, gave_up_age.
        clans: the clans of the edition.

    Returns:
        By age: `games`, 1 in the age in which the clans were given up. By age and clan: `gave_up`,
        the seats that gave up this clan in this age, and `gave_up_won`, their wins in sixtieths.
    """
    numbered = seats.select(
        "cell",
        "game",
        "won",
        pl.col("gave_up").cast(pl.Enum(clans)).to_physical(),
        pl.col("gave_up_age").fill_null(1) - 1,
    )
    won, clan, age = seat_arrays(games, numbered, "won", "gave_up", "gave_up_age")
    game = np.arange(len(games))
    by_age = np.zeros((len(games), GIVEN_UP_KINDS[kind]), np.int64)
    by_age[game, age[0]] = 1
    seats_of, won_of = np.zeros((2, *by_age.shape, len(clans)), np.int64)
    for seat in range(len(clan)):
        place = game, age[seat], clan[seat]
        seats_of[place] += 1
        won_of[place] += won[seat]
    return {"games": by_age, "gave_up": seats_of, "gave_up_won": won_of}
