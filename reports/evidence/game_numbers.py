"""What a finished game adds to the sums beside its own columns, and how long its ages have to be.

Prestige, margins, leads and deficits compare the seats of one game with each other. The rows of a
game stand together in `seats`, so they are computed on arrays of shape (games, players).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl

from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.simulator.limits import MAX_AGES
from ethnos_sim.simulator.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules

AGES = tuple(range(1, MAX_AGES + 1))

DEFICITS = (1, 6, 11, 16, 21)
"""Lower limits of the classes of deficit, in points behind the leader; the first class is 0."""

DEFICIT_LABELS = ("0", "1–5", "6–10", "11–15", "16–20", "21 or more")

EARLY_AGES = MAX_AGES - 1
"""Ages after which a game may go on, and a deficit be made up for."""

BIN = 5
BINS = 60
DISTRIBUTIONS = {
    "prestige_winners": BIN,
    "prestige_others": BIN,
    "margin": 2,
    "turns": 10,
}
"""What is counted by value, and how many values share a bin; the last bin has all above it."""


def by_game(games: pl.DataFrame, seats: pl.DataFrame, column: str) -> IntArray:
    """A column of `seats` as an array of shape (games, players), int64.

    ValueError unless the rows of each game stand together, in the order of `games`.
    """
    players = len(seats) // max(len(games), 1)
    whole = players * len(games) == len(seats)
    if not whole or not (
        np.array_equal(seats["game"].to_numpy()[::players], games["game"].to_numpy())
        and np.array_equal(seats["cell"].to_numpy()[::players], games["cell"].to_numpy())
    ):
        raise ValueError("the seats are not in the order of the games")
    return np.asarray(seats[column].to_numpy().reshape(-1, players), dtype=np.int64)


def game_numbers(games: pl.DataFrame, seats: pl.DataFrame, players: int) -> dict[str, IntArray]:
    """The numbers of each game that the sums add up; all arrays are (games,) and int64.

    prestige, prestige_squared: sums over the seats; totals_squared: the square of the sum;
    drawn_squared, drawn_turns, drawn_parties, drawn_prestige: the ally cards that left the deck in
    all ages, times themselves and those;
    margin: the most prestige less the second most; leaders_shuffled: as `shuffled_wins` says;
    lead_changes: how often nobody who led after an age led after the next; for each age number from
    0, leaders: seats with the most prestige after it, and leaders_won: what these won, in
    sixtieths; for each early age and class of deficit, behind: seats so far behind the leader after
    it, and behind_won: what these won. Ages that are the game's last have nobody behind.
    """
    total = by_game(games, seats, "prestige")
    won = by_game(games, seats, "won")
    summed = total.sum(axis=1)
    found = {
        "prestige": summed,
        "prestige_squared": (total**2).sum(axis=1),
        "totals_squared": summed**2,
        "margin": margins(total),
    }
    drawn = games.select(f"drawn_{age}" for age in AGES).to_numpy().astype(np.int64).sum(axis=1)
    found["drawn_squared"] = drawn**2
    found["drawn_turns"] = drawn * games["turns"].to_numpy()
    found["drawn_parties"] = drawn * by_game(games, seats, "parties").sum(axis=1)
    found["drawn_prestige"] = drawn * summed
    changes = np.zeros(len(games), np.int64)
    before, before_last = None, np.zeros_like(total)
    for age in AGES:
        points = by_game(games, seats, f"prestige_{age}")
        deficit = points.max(axis=1, keepdims=True) - points
        leads = deficit == 0
        found[f"leaders_{age - 1}"] = leads.sum(axis=1)
        found[f"leaders_won_{age - 1}"] = (won * leads).sum(axis=1)
        played = games[f"drawn_{age}"].to_numpy()[:, None] > 0
        if before is not None:
            changes += (played & ~(leads & before).any(axis=1, keepdims=True))[:, 0]
        before = leads
        if age <= EARLY_AGES:
            goes_on = games[f"drawn_{age + 1}"].to_numpy()[:, None] > 0
            before_last = np.where(goes_on, points, before_last)
            place = np.searchsorted(DEFICITS, deficit, side="right")
            for number in range(len(DEFICIT_LABELS)):
                here = (place == number) & goes_on
                found[f"behind_{age - 1}_{number}"] = here.sum(axis=1)
                found[f"behind_won_{age - 1}_{number}"] = (won * here).sum(axis=1)
    found["lead_changes"] = changes
    found["leaders_shuffled"] = shuffled_wins(before_last, total)
    return found


def margins(total: IntArray) -> IntArray:
    """The most prestige less the second most, of (games, players)."""
    best = np.partition(total, total.shape[1] - 2, axis=1)
    return np.asarray(best[:, -1] - best[:, -2])


def shuffled_wins(before: IntArray, total: IntArray) -> IntArray:
    """What leaders win if the last age's gains are shuffled among the players of a game.

    Args:
        before: prestige before the last age, (games, players).
        total: prestige at the end.

    Returns:
        Shape (games,): the sixtieths that the seats with the most prestige before the last age win,
        summed over all orders of the gains. Players who are level at the end share the win.
    """
    players = before.shape[1]
    start = np.ascontiguousarray(before.T, dtype=np.int32)
    gains = np.ascontiguousarray((total - before).T, dtype=np.int32)
    leads = start == start.max(axis=0)
    parts = SIXTIETHS // np.maximum(np.arange(players + 1), 1)
    won = np.zeros(before.shape[0], np.int64)
    for order in permutations(range(players)):
        ends = start + gains[list(order)]
        best = ends == ends.max(axis=0)
        won += (best & leads).sum(axis=0) * parts[best.sum(axis=0)]
    return won


def counted(games: pl.DataFrame, seats: pl.DataFrame, group: IntArray, groups: int) -> IntArray:
    """How many games or seats of each group fall into each bin of DISTRIBUTIONS.

    Args:
        games: a row a game.
        seats: their seats.
        group: which group each game belongs to, (games,); below 0: none.
        groups: how many groups there are.

    Returns:
        Shape (groups, distributions, BINS), int64. `prestige_winners` counts the seats that won or
        shared the win, `prestige_others` the rest.
    """
    kept = group >= 0
    total, won = (by_game(games, seats, name)[kept] for name in ("prestige", "won"))
    own = group[kept]
    by_seat = np.broadcast_to(own[:, None], total.shape)
    values = {
        "prestige_winners": (by_seat[won > 0], total[won > 0]),
        "prestige_others": (by_seat[won == 0], total[won == 0]),
        "margin": (own, margins(total)),
        "turns": (own, games["turns"].to_numpy()[kept].astype(np.int64)),
    }
    result = np.empty((groups, len(DISTRIBUTIONS), BINS), np.int64)
    for number, (name, width) in enumerate(DISTRIBUTIONS.items()):
        where, value = values[name]
        place = np.clip(value // width, 0, BINS - 1)
        found = np.bincount(where * BINS + place, minlength=groups * BINS)
        result[:, number] = found.reshape(groups, BINS)
    return result


def expected_draws(deck: int, dragons: int, last: int) -> Fraction:
    """The mean number of ally cards drawn in an age from a deck of `deck` ally cards.

    With N = bottom half + d dragons the k-th of d dragons, which ends the age, lies on average at
    k (N + 1) / (d + 1) (the mean of the k-th of d places drawn from N); k of the cards down to it
    are dragons. An odd deck has its larger half at the bottom (R2).
    """
    top = deck // 2
    places = deck - top + dragons
    return top + Fraction(last * (places + 1), dragons + 1) - last


def age_draws(deck: int, rules: Rules) -> Fraction | None:
    """The same by rules; None where a hand of wild cards may end a game before the dragon does."""
    if rules.number("ten_wild_wins"):
        return None
    return expected_draws(deck, rules.number("dragons"), rules.ending_dragon)
